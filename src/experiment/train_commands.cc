#include "experiment/train_commands.h"

#include "base/child_process.h"

namespace hmtc {

namespace fs = std::filesystem;

std::vector<std::string> TrainCommands::train(const Job& job, const fs::path& data,
                                              const fs::path& model) const {
  const PlanRow& row = request_.plan.rows[job.row];
  std::vector<std::string> command = {this_program().string(),
                                      "train",
                                      "--data",
                                      data.string(),
                                      "--out",
                                      model.string(),
                                      "--model",
                                      row.model,
                                      "--seed",
                                      std::to_string(job.seed),
                                      "--threads",
                                      std::to_string(request_.plan.threads),
                                      "--resume"};
  for (const std::string& assignment : assignments(jobs_.settings_of(job))) {
    command.insert(command.end(), {"--set", assignment});
  }
  // Its validation is all that a trial is for.
  if (job.trial && !fs::exists(data / "val.jsonl") && jobs_.config_of(job).train.refit) {
    command.insert(command.end(), {"--set", "train.refit=false"});
  }
  if (request_.plan.uses_vectors(row)) {
    command.insert(command.end(), {"--embeddings", request_.embeddings});
  }
  if (const Job* const teacher = jobs_.teacher_of(job)) {
    command.insert(command.end(), {"--teacher", jobs_.model_of(*teacher).string()});
  }
  return command;
}

std::string TrainCommands::shown(const std::vector<std::string>& command) const {
  std::string text = "hmtc";
  for (std::size_t i = 1; i < command.size(); ++i) {
    std::string argument = command[i];
    for (const auto& [folder, name] :
         {std::pair{request_.out.string(), "OUT"}, std::pair{request_.data.string(), "DATA"}}) {
      const bool is_inside = argument == folder || argument.starts_with(folder + "/");
      if (!folder.empty() && is_inside) argument.replace(0, folder.size(), name);
    }
    if (argument == request_.embeddings) argument = fs::path(argument).filename().string();
    text += " " + argument;
  }
  return text;
}

}  // namespace hmtc
