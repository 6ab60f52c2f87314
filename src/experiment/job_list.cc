#include "experiment/job_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"

namespace hmtc {
namespace fs = std::filesystem;

std::vector<std::string> assignments(const Settings& settings) {
  std::vector<std::string> list;
  for (const auto& [key, value] : settings) list.push_back(key + "=" + value);
  return list;
}

/// Seed by seed, so that a table of the seeds so far compares like with like. A row's trials stand
/// before its first run, which takes over the best one's model.
JobList::JobList(const Plan& plan, fs::path out, std::string embeddings)
    : plan_(plan), out_(std::move(out)), embeddings_(std::move(embeddings)) {
  for (const std::int64_t seed : plan_.seeds) {
    for (std::size_t row = 0; row < plan_.rows.size(); ++row) {
      const bool is_first = seed == plan_.seeds.front();
      const std::size_t num_trials = is_first ? plan_.rows[row].trials.size() : 0;
      for (std::size_t trial = 0; trial < num_trials; ++trial) jobs_.push_back({row, seed, trial});
      if (!plan_.trials_alone) jobs_.push_back({row, seed, {}});
    }
  }
  for (Job& job : jobs_) {
    if (fs::exists(result_file(job))) job.state = Job::State::kDone;
  }
  for (const Job& job : jobs_) {
    if (job.state == Job::State::kDone) require_teachers_result(job);
    // Where trials are to be repeated, its settings are not known yet.
    if (job.state == Job::State::kDone && knows_its_settings(job))
      require_same_provenance(result_of(job), provenance_of(job), result_file(job).string());
  }
  // Results can come from another machine, models do not: a teacher has to be trained again.
  for (Job& job : jobs_) {
    if (has_pupils_to_come(job) && !fs::exists(model_of(job))) job.state = Job::State::kWaits;
  }
}

/// Whoever deletes a teacher's result wants another teacher, and then another pupil.
void JobList::require_teachers_result(const Job& job) const {
  const Job* const teacher = teacher_of(job);
  if (teacher == nullptr || fs::exists(result_file(*teacher))) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{} was made with a teacher whose result is missing ({}); put that back, "
                          "or delete it too to run both again",
                          result_file(job).string(), result_file(*teacher).string()));
}

std::size_t JobList::num_done() const {
  return static_cast<std::size_t>(std::count_if(
      jobs_.begin(), jobs_.end(), [](const Job& job) { return job.state == Job::State::kDone; }));
}

Job* JobList::next() {
  const auto ready = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& job) {
    return job.state == Job::State::kWaits && is_ready(job);
  });
  return ready == jobs_.end() ? nullptr : &*ready;
}

bool JobList::some_are(Job::State state) const {
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [state](const Job& job) { return job.state == state; });
}

bool JobList::is_to_come(const Job& job) const {
  if (job.state == Job::State::kDone || job.state == Job::State::kFailed) return false;
  const Job* const teacher = teacher_of(job);
  const bool is_taught = teacher == nullptr || teacher->state != Job::State::kFailed;
  return is_taught && std::none_of(jobs_.begin(), jobs_.end(), [&](const Job& other) {
           return !job.trial && other.row == job.row && other.trial &&
                  other.state == Job::State::kFailed;
         });
}

/// The first run of a row with trials has the model of the best one.
bool JobList::only_takes_over(const Job& job) const {
  return !job.trial && job.seed == plan_.seeds.front() && !plan_.rows[job.row].trials.empty();
}

std::size_t JobList::num_to_come() const {
  return static_cast<std::size_t>(std::count_if(
      jobs_.begin(), jobs_.end(), [this](const Job& job) { return is_to_come(job); }));
}

double JobList::seconds_to_come() const {
  struct Total {
    double seconds = 0;
    double count = 0;
  };
  std::vector<Total> of_row(plan_.rows.size());
  Total of_all;
  for (const Job& job : jobs_) {
    if (job.state != Job::State::kDone) continue;
    const double seconds = result_of(job).train_seconds;
    if (std::isnan(seconds)) continue;  // not known
    for (Total* const total : {&of_row[job.row], &of_all}) {
      total->seconds += seconds;
      total->count += 1;
    }
  }
  double to_come = 0;
  for (const Job& job : jobs_) {
    if (!is_to_come(job) || only_takes_over(job)) continue;
    const Total& known = of_row[job.row].count > 0 ? of_row[job.row] : of_all;
    to_come += known.seconds / known.count;
  }
  return to_come;
}

std::string JobList::name_of(const Job& job) const {
  const std::string trial = job.trial ? fmt::format(".trial{}", *job.trial) : "";
  return fmt::format("{}{}.seed{}", file_name_of(plan_.rows[job.row].name), trial, job.seed);
}

fs::path JobList::result_file(const Job& job) const {
  return out_ / (job.trial ? "search" : "results") / (name_of(job) + ".json");
}

RunResult JobList::result_of(const Job& job) const {
  const fs::path file = result_file(job);
  return parse_run_result(read_file(file), file.string());
}

void JobList::require_same_inputs(const InputDigests& inputs) const {
  for (const Job& job : jobs_) {
    if (!fs::exists(result_file(job))) continue;
    const RunResult result = result_of(job);
    const auto differ = [](const std::string& a, const std::string& b) {
      return !a.empty() && !b.empty() && a != b;
    };
    const bool other_data = differ(result.data_digest, inputs.data);
    if (!other_data && !differ(result.vectors_digest, inputs.vectors)) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("{} was made from other {} than are given now; give the same ones, or "
                            "choose another --out",
                            result_file(job).string(), other_data ? "data" : "word vectors"));
  }
}

/// The folder that {data} stands for may have another name on another machine; vectors go by the
/// name of their file for the same reason.
std::string JobList::recipe_without_defaults_of(const Job& job) const {
  const PlanData& data = plan_.data;
  const PlanRow& row = plan_.rows[job.row];
  std::string text = data.import.empty() ? "directory " + (plan_.trials_alone ? "" : data.directory)
                                         : fmt::format("import {}", fmt::join(data.import, " "));
  if (data.seed_decides_split) text += ", split by the seed";
  if (data.train_documents > 0)
    text += fmt::format(", first {} training documents", data.train_documents);
  if (plan_.uses_vectors(row)) text += ", vectors " + fs::path(embeddings_).filename().string();
  if (!row.teacher.empty()) text += ", teacher " + row.teacher;
  return text + fmt::format(", threads: {}", plan_.threads);
}

std::string JobList::recipe_of(const Job& job) const {
  const std::vector<std::string> defaults = changed_settings(defaults_of(job));
  return recipe_without_defaults_of(job) +
         (defaults.empty() ? "" : fmt::format(", defaults: {}", fmt::join(defaults, " ")));
}

Provenance JobList::provenance_of(const Job& job) const {
  return {.experiment = plan_.title,
          .model = plan_.rows[job.row].model,
          .settings = assignments(settings_of(job)),
          .all_settings = all_settings_of(job),
          .recipe = recipe_of(job),
          .recipe_without_defaults = recipe_without_defaults_of(job)};
}

Settings JobList::settings_of(const Job& job) const {
  const PlanRow& row = plan_.rows[job.row];
  const Settings settings = merged(plan_.settings, row.settings);
  const std::optional<std::size_t> trial = job.trial ? job.trial : best_trial(job.row);
  return trial ? merged(settings, row.trials[*trial]) : settings;
}

Config JobList::defaults_of(const Job& job) const {
  return defaults_under(plan_.rows[job.row].model, settings_of(job));
}

Config JobList::config_of(const Job& job) const {
  return hmtc::config_of(plan_.rows[job.row].model, settings_of(job));
}

std::vector<std::string> JobList::all_settings_of(const Job& job) const {
  std::vector<std::string> settings = all_settings(config_of(job));
  const std::string& model = plan_.rows[job.row].model;
  std::erase_if(settings, [&](const std::string& setting) {
    const std::string section = setting.substr(0, setting.find('.'));
    const bool is_of_one_model = section == "hmcn" || section == "capsule" || section == "han";
    const bool needs_teacher = setting.starts_with("train.teacher_");
    return (is_of_one_model && !model.starts_with(section)) ||
           (needs_teacher && plan_.rows[job.row].teacher.empty());
  });
  return settings;
}

/// The trial with the best validation of those that are done; none when there is none.
std::optional<std::size_t> JobList::best_trial(std::size_t row) const {
  std::optional<std::size_t> best;
  double best_score = -1;
  for (const Job& job : jobs_) {
    if (job.row != row || !job.trial || job.state != Job::State::kDone) continue;
    const double score = result_of(job).validation.combined.micro;
    if (!best || score > best_score) {
      best = job.trial;
      best_score = score;
    }
  }
  return best;
}

const Job* JobList::teacher_of(const Job& job) const {
  const std::string& teacher = plan_.rows[job.row].teacher;
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& other) {
    return plan_.rows[other.row].name == teacher && !other.trial && other.seed == job.seed;
  });
  return teacher.empty() || found == jobs_.end() ? nullptr : &*found;
}

const Job* JobList::chosen_trial_of(const Job& job) const {
  if (job.trial) return nullptr;
  const std::optional<std::size_t> best = best_trial(job.row);
  if (!best) return nullptr;
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job& other) {
    return other.row == job.row && other.seed == job.seed && other.trial == best;
  });
  return found == jobs_.end() ? nullptr : &*found;
}

bool JobList::has_pupils_to_come(const Job& job) const {
  return std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& other) {
    return other.state != Job::State::kDone && teacher_of(other) == &job;
  });
}

bool JobList::is_still_needed(const Job& job) const {
  return has_pupils_to_come(job) || std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& other) {
           return other.row == job.row && other.state != Job::State::kDone &&
                  chosen_trial_of(other) == &job;
         });
}

bool JobList::is_ready(const Job& job) const {
  const Job* const teacher = teacher_of(job);
  return knows_its_settings(job) && (teacher == nullptr || teacher->state == Job::State::kDone);
}

/// All trials must be done before one is chosen.
bool JobList::knows_its_settings(const Job& job) const {
  return job.trial || std::all_of(jobs_.begin(), jobs_.end(), [&](const Job& other) {
           return other.row != job.row || !other.trial || other.state == Job::State::kDone;
         });
}

}  // namespace hmtc
