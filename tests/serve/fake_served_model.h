#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "serve/backend.h"

namespace hmtc {

/// A door that calls wait at until it is opened.
class Gate {
 public:
  explicit Gate(bool is_open = true) : is_open_(is_open) {}

  void open();
  void close();
  /// Waits at the door, and counts.
  void pass();
  /// Waits until so many calls have come to the door.
  void wait_for_arrivals(std::size_t count);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_;
  std::size_t arrivals_ = 0;
};

/// Labels `top` and below it `leaf` ("a leaf"). Every document gets the label `mark`, with the
/// score 0.5. A document with the text "bad" cannot be read, one with "defect" ends in a defect,
/// one with "long" has too much to explain.
class FakeServedModel : public ServedModel {
 public:
  explicit FakeServedModel(std::string mark = "leaf",
                           std::chrono::milliseconds delay = std::chrono::milliseconds(0));

  const ModelFacts& facts() const override { return facts_; }
  std::vector<std::string> predict(std::span<const PredictItem> items) override;
  /// {"text": …, "asked": how many labels}
  std::string explain(const Document& document, const ExplainAnswer& answer) override;

  Gate gate;
  /// The ids of each batch.
  std::vector<std::vector<std::string>> batches() const;

 private:
  std::string mark_;
  std::chrono::milliseconds delay_;
  ModelFacts facts_;
  mutable std::mutex mutex_;
  std::vector<std::vector<std::string>> batches_;
};

}  // namespace hmtc
