#include "serve/fake_served_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "explain/explanation.h"

namespace hmtc {

void Gate::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
  changed_.notify_all();
}

void Gate::close() {
  const std::lock_guard lock(mutex_);
  is_open_ = false;
}

void Gate::pass() {
  std::unique_lock lock(mutex_);
  ++arrivals_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return is_open_; });
}

void Gate::wait_for_arrivals(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return arrivals_ >= count; });
}

FakeServedModel::FakeServedModel(std::string mark, std::chrono::milliseconds delay)
    : mark_(std::move(mark)),
      delay_(delay),
      facts_{"fake", {{"top", "", 1, {}}, {"leaf", "a leaf", 2, {"top"}}}, {1, 1}} {}

std::vector<std::string> FakeServedModel::predict(std::span<const PredictItem> items) {
  gate.pass();
  if (delay_.count() > 0) std::this_thread::sleep_for(delay_);
  std::vector<std::string> answers;
  std::vector<std::string> ids;
  for (const PredictItem& item : items) {
    const Document& document = *item.document;
    if (document.text == "bad") throw Error(ErrorKind::kInput, "a bad document");
    if (document.text == "defect") throw Error(ErrorKind::kInternal, "secret: a defect");
    ids.push_back(document.id);
    const std::string id = nlohmann::json(document.id).dump();
    answers.push_back(
        item.answer->all_scores
            ? fmt::format(R"({{"id":{},"scores":{{"top":0.75,"leaf":0.5}}}})", id)
            : fmt::format(R"({{"id":{},"labels":[{{"label":"{}","score":0.5}}]}})", id, mark_));
  }
  const std::lock_guard lock(mutex_);
  batches_.push_back(std::move(ids));
  return answers;
}

std::string FakeServedModel::explain(const Document& document, const ExplainAnswer& answer) {
  gate.pass();
  if (delay_.count() > 0) std::this_thread::sleep_for(delay_);
  if (document.text == "bad") throw Error(ErrorKind::kInput, "a bad document");
  if (document.text == "long") throw TooManyWeights(ErrorKind::kInput, "too many weights");
  return fmt::format(R"({{"text":{},"asked":{}}})",
                     nlohmann::json(document.text.value_or("")).dump(), answer.labels.size());
}

std::vector<std::vector<std::string>> FakeServedModel::batches() const {
  const std::lock_guard lock(mutex_);
  return batches_;
}

}  // namespace hmtc
