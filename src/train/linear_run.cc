#include "train/linear_run.h"

#include <fmt/format.h>

#include <optional>

#include "metrics/predictions.h"
#include "train/finished_model.h"
#include "train/run_clock.h"

namespace hmtc {

LinearRun train_linear(const TrainRequest& request, const TrainingData& data) {
  std::optional<TrainingData> all_documents;
  if (data.is_to_refit()) {
    all_documents = read_all_documents(request, data.config);
    request.observer->on_message(fmt::format(
        "a refit will follow, with the best strength over all {} documents of train.jsonl",
        all_documents->train.size()));
  }
  FinishedModel model{data, all_documents ? &*all_documents : nullptr, {}, {}};
  model.validation_scores.num_documents = data.validation.size();
  model.validation_scores.num_labels = data.hierarchy.num_labels();
  request.observer->on_begin();
  const RunClock clock;
  const auto wish = [&] { return wish_of(request, clock.seconds()); };
  const auto is_enough = [&] { return wish() != StopToken::Wish::kNone; };
  model.validation_scores.combined = add_linear_part(model, *request.observer, is_enough);
  const StopToken::Wish at_end = wish();
  if (at_end == StopToken::Wish::kPause) return {{TrainOutcome::kInterrupted, kUndefined}, false};
  const bool is_whole = at_end == StopToken::Wish::kNone;
  return {{TrainOutcome::kFinished, write_finished_model(request.out, std::move(model))}, is_whole};
}

}  // namespace hmtc
