#include "train/progress_lines.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace hmtc {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// JSON has no number that is undefined; what stands for it is null.
double number_from(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

StepProgress step_from(const Json& event) {
  return {.epoch = event.at("epoch"),
          .epochs = event.at("epochs"),
          .batch = event.at("batch"),
          .batches = event.at("batches"),
          .loss = number_from(event.at("loss")),
          .documents_per_second = number_from(event.at("documents_per_second")),
          .seconds_left = number_from(event.at("seconds_left"))};
}

ValidationReport validation_from(const Json& event) {
  return {.member = event.at("member"),
          .step = event.at("step"),
          .epoch = number_from(event.at("epoch")),
          .loss = number_from(event.at("loss")),
          .score = number_from(event.at("validation_auprc")),
          .best_score = number_from(event.at("best_auprc")),
          .is_best = event.at("is_best"),
          .learning_rate = number_from(event.at("learning_rate")),
          .documents_per_second = number_from(event.at("documents_per_second")),
          .seconds_left = number_from(event.at("seconds_left"))};
}

}  // namespace

void ProgressLines::on_begin() {
  begin_();
  write_(line_of({{"event", "begin"}}));
}

void ProgressLines::on_message(const std::string& message) {
  write_(line_of({{"event", "message"}, {"text", message}}));
}

void ProgressLines::on_step(const StepProgress& progress) {
  constexpr std::chrono::milliseconds kRefresh{200};
  const auto now = std::chrono::steady_clock::now();
  if (now - last_step_ < kRefresh) return;
  last_step_ = now;
  write_(line_of({{"event", "step"},
                  {"epoch", progress.epoch},
                  {"epochs", progress.epochs},
                  {"batch", progress.batch},
                  {"batches", progress.batches},
                  {"loss", progress.loss},
                  {"documents_per_second", progress.documents_per_second},
                  {"seconds_left", progress.seconds_left}}));
}

void ProgressLines::on_validation(const ValidationReport& report) {
  write_(line_of({{"event", "validation"},
                  {"member", report.member},
                  {"step", report.step},
                  {"epoch", report.epoch},
                  {"loss", report.loss},
                  {"validation_auprc", report.score},
                  {"best_auprc", report.best_score},
                  {"is_best", report.is_best},
                  {"learning_rate", report.learning_rate},
                  {"documents_per_second", report.documents_per_second},
                  {"seconds_left", report.seconds_left}}));
}

void ProgressLines::on_end(const TrainResult& result) {
  const bool is_finished = result.outcome == TrainOutcome::kFinished;
  write_(line_of({{"event", "end"},
                  {"outcome", is_finished ? "finished" : "interrupted"},
                  {"validation_auprc", result.best_score}}));
}

void ProgressReader::read(const std::string& line) {
  const Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object() || !event.contains("event")) {
    other_text_ += line + "\n";
    return;
  }
  const std::string kind = event.at("event");
  if (kind == "begin") {
    has_begun_ = true;
    observer_.on_begin();
  } else if (kind == "message") {
    observer_.on_message(event.at("text"));
  } else if (kind == "step") {
    observer_.on_step(step_from(event));
  } else if (kind == "validation") {
    observer_.on_validation(validation_from(event));
  } else if (kind == "end") {
    result_ = TrainResult{
        event.at("outcome") == "finished" ? TrainOutcome::kFinished : TrainOutcome::kInterrupted,
        number_from(event.at("validation_auprc"))};
  }
}

}  // namespace hmtc
