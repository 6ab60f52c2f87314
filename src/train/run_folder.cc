#include "train/run_folder.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "artifact/checksum.h"
#include "artifact/model_directory.h"
#include "base/error.h"
#include "base/files.h"
#include "base/line_reader.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

/// The model replaces the directory as a whole, so nothing else may lie in it.
void check_out(const fs::path& out) {
  const fs::path name = out.has_filename() ? out.filename() : out.parent_path().filename();
  if (name.empty() || name == "." || name == "..") {
    throw Error(ErrorKind::kUsage,
                fmt::format("--out: expected the name of a directory, found {}; name a new one",
                            in_quotes(out.string())));
  }
  if (fs::exists(out) && !fs::is_directory(out)) {
    throw Error(ErrorKind::kIo,
                fmt::format("{}: expected a directory to write the model to, found a "
                            "file; choose another --out",
                            out.string()));
  }
  const std::string foreign = foreign_entry(out);
  if (!foreign.empty()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--out {}: expected a new directory or that of a model, found {} in it, "
                    "which the model would replace; choose another --out",
                    out.string(), in_quotes(foreign)));
  }
}

/// Member and step of a line of metrics.jsonl; nothing where it is not a line of ours.
std::optional<std::pair<std::int64_t, std::int64_t>> place_of(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto member = json.find("member");
  const auto step = json.find("step");
  if (member == json.end() || !member->is_number_integer()) return std::nullopt;
  if (step == json.end() || !step->is_number_integer()) return std::nullopt;
  return std::pair(member->get<std::int64_t>(), step->get<std::int64_t>());
}

}  // namespace

RunFolder::RunFolder(const TrainRequest& request)
    : resume_(request.resume),
      restart_(request.restart),
      folder_(request.out / "run"),
      checkpoint_path_(folder_ / "checkpoint.safetensors"),
      metrics_path_(folder_ / "metrics.jsonl"),
      finished_path_(folder_ / "finished.json") {
  if (fs::exists(folder_ / "lock")) lock();  // before anything of a run that lasts is touched
  check_out(request.out);
  recover_model(request.out);
  if (!resume_ && !restart_ && fs::exists(checkpoint_path_)) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} holds an unfinished run; continue it with --resume or throw it away "
                    "with --restart",
                    request.out.string()));
  }
}

void RunFolder::open() {
  std::error_code failure;
  fs::create_directories(folder_, failure);
  if (!failure) lock();
  if (!failure && restart_) fs::remove(checkpoint_path_, failure);
  if (failure) {
    throw Error(ErrorKind::kIo,
                fmt::format("cannot make {}: {}", folder_.string(), failure.message()));
  }
}

void RunFolder::lock() {
  if (lock_) return;
  lock_ = std::make_unique<FileLock>(
      folder_ / "lock", fmt::format("another run writes to {}; wait for it or choose another --out",
                                    folder_.parent_path().string()));
}

std::optional<Checkpoint> RunFolder::checkpoint() const {
  return resume_ && !restart_ ? load_checkpoint(checkpoint_path_) : std::nullopt;
}

void RunFolder::cut_metrics(std::int64_t member, std::int64_t last_step) const {
  if (!fs::exists(metrics_path_)) return;
  std::string kept;
  LineReader reader(metrics_path_.string());
  std::string_view line;
  while (reader.next(line)) {
    const auto place = place_of(line);
    if (place && *place <= std::pair(member, last_step)) kept += std::string(line) + "\n";
  }
  write_file_atomically(metrics_path_, kept);
}

void RunFolder::append_metrics(const ValidationReport& report, double seconds) const {
  const nlohmann::ordered_json line = {{"member", report.member},
                                       {"step", report.step},
                                       {"epoch", report.epoch},
                                       {"loss", report.loss},
                                       {"validation_auprc", report.score},
                                       {"best_auprc", report.best_score},
                                       {"learning_rate", report.learning_rate},
                                       {"documents_per_second", report.documents_per_second},
                                       {"seconds", seconds}};
  std::ofstream out(metrics_path_, std::ios::app);
  out << line.dump() << '\n';
  if (!out.flush()) throw io_error("write", metrics_path_.string());
}

void RunFolder::finish(const FinishedRun& run) const {
  const nlohmann::ordered_json json = {{"model", model_digest()},
                                       {"config", to_json(run.config)},
                                       {"fingerprint", run.fingerprint},
                                       {"validation_auprc", run.score}};
  write_file_atomically(finished_path_, json.dump(2) + "\n");
  fs::remove(checkpoint_path_);
}

void RunFolder::discard_checkpoint() const { fs::remove(checkpoint_path_); }

std::optional<FinishedRun> RunFolder::finished() const {
  if (!fs::exists(finished_path_)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(read_file(finished_path_));
    load_model(folder_.parent_path());  // which compares all checksums
    if (json.at("model") != model_digest()) return std::nullopt;
    const auto& score = json.at("validation_auprc");  // null where it is undefined
    FinishedRun run;
    set_from_json(run.config, json.at("config"), finished_path_.string());
    run.fingerprint = json.at("fingerprint");
    run.score = score.is_null() ? std::nan("") : score.get<double>();
    return run;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // as good as none
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Its manifest has the checksums of all parts.
std::string RunFolder::model_digest() const {
  return sha256_hex(read_file(folder_.parent_path() / "manifest.json"));
}

}  // namespace hmtc
