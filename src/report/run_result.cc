#include "report/run_result.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"

namespace hmtc {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "hmtc-run-result";
constexpr int kFormatVersion = 1;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json to_json(const SplitScores& scores) {
  Json per_level = Json::array();
  for (const double area : scores.combined.per_level) per_level.push_back(number(area));
  return {{"micro", number(scores.combined.micro)},
          {"macro", number(scores.combined.macro)},
          {"weighted", number(scores.combined.weighted)},
          {"clus", number(scores.combined.clus)},
          {"per_level", per_level},
          {"labels_with_positives", scores.combined.num_labels_with_positives},
          {"local_micro", number(scores.local_micro)},
          {"global_micro", number(scores.global_micro)},
          {"ece", number(scores.calibration_error)},
          {"ece_equal_mass", number(scores.equal_mass_error)},
          {"brier", number(scores.brier)},
          {"tuned_micro_f1", number(scores.tuned_micro_f1)},
          {"tuned_macro_f1", number(scores.tuned_macro_f1)},
          {"violations", number(scores.violations)},
          {"raw_micro", number(scores.raw_micro)},
          {"raw_violations", number(scores.raw_violations)}};
}

Json to_json(const std::vector<RecallPrecision>& samples) {
  Json pairs = Json::array();
  for (const RecallPrecision& sample : samples) {
    pairs.push_back(Json::array({number(sample.recall), number(sample.precision)}));
  }
  return pairs;
}

Json to_json(const std::vector<ReliabilityBin>& bins) {
  Json triples = Json::array();
  for (const ReliabilityBin& bin : bins) {
    triples.push_back(Json::array({bin.count, number(bin.mean_score), number(bin.positive_share)}));
  }
  return triples;
}

Json to_json(const std::vector<ValidationPoint>& curve) {
  Json points = Json::array();
  for (const ValidationPoint& point : curve) {
    points.push_back({{"epoch", number(point.epoch)},
                      {"loss", number(point.loss)},
                      {"score", number(point.score)}});
  }
  return points;
}

/// A JSON value and where it stands; reads members and complains about what they should be.
class Value {
 public:
  Value(const Json& json, std::string path, const std::string& file)
      : json_(json), path_(std::move(path)), file_(file) {}

  Value operator[](const char* name) const {
    require(json_.is_object(), "an object");
    const auto member = json_.find(name);
    const std::string path = path_.empty() ? name : path_ + "." + name;
    if (member == json_.end()) throw complaint(path, "a value", "nothing");
    return {*member, path, file_};
  }

  /// What a member holds; undefined or empty where there is no such member.
  std::string text_if_any(const char* name) const {
    return json_.contains(name) ? (*this)[name].text() : std::string();
  }
  double number_if_any(const char* name) const {
    return json_.contains(name) ? (*this)[name].number() : kUndefined;
  }
  std::vector<Value> list_if_any(const char* name) const {
    return json_.contains(name) ? (*this)[name].list() : std::vector<Value>();
  }

  std::vector<Value> list() const {
    require(json_.is_array(), "a list");
    std::vector<Value> values;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      values.emplace_back(json_[i], fmt::format("{}[{}]", path_, i), file_);
    }
    return values;
  }

  std::string text() const {
    require(json_.is_string(), "a text");
    return json_.get<std::string>();
  }

  double number() const {
    require(json_.is_number() || json_.is_null(), "a number or null");
    return json_.is_null() ? kUndefined : json_.get<double>();
  }

  std::size_t count() const {
    require(json_.is_number_unsigned(), "a count");
    return json_.get<std::size_t>();
  }

  void require(bool is_right, const std::string& expected) const {
    if (!is_right) throw complaint(path_, expected, in_quotes(json_.dump()));
  }

 private:
  Error complaint(const std::string& path, const std::string& expected,
                  const std::string& found) const {
    return input_error({file_}, {fmt::format("{} as \"{}\"", expected, path), found,
                                 "remove the file, and the experiment repeats the run"});
  }

  const Json& json_;
  std::string path_;
  const std::string& file_;
};

SplitScores split_scores(const Value& value) {
  SplitScores scores;
  scores.combined.micro = value["micro"].number();
  scores.combined.macro = value["macro"].number();
  scores.combined.weighted = value["weighted"].number();
  scores.combined.clus = value["clus"].number();
  for (const Value& area : value["per_level"].list()) {
    scores.combined.per_level.push_back(area.number());
  }
  scores.combined.num_labels_with_positives = value["labels_with_positives"].count();
  scores.local_micro = value["local_micro"].number();
  scores.global_micro = value["global_micro"].number();
  scores.calibration_error = value.number_if_any("ece");
  scores.equal_mass_error = value.number_if_any("ece_equal_mass");
  scores.brier = value.number_if_any("brier");
  scores.tuned_micro_f1 = value.number_if_any("tuned_micro_f1");
  scores.tuned_macro_f1 = value.number_if_any("tuned_macro_f1");
  scores.violations = value.number_if_any("violations");
  scores.raw_micro = value.number_if_any("raw_micro");
  scores.raw_violations = value.number_if_any("raw_violations");
  return scores;
}

RecallPrecision recall_precision(const Value& value) {
  const std::vector<Value> pair = value.list();
  value.require(pair.size() == 2, "recall and precision");
  return {pair[0].number(), pair[1].number()};
}

ReliabilityBin reliability_bin(const Value& value) {
  const std::vector<Value> triple = value.list();
  value.require(triple.size() == 3, "count, mean score and share of positives");
  return {triple[0].count(), triple[1].number(), triple[2].number()};
}

ValidationPoint validation_point(const Value& value) {
  return {value["epoch"].number(), value["loss"].number(), value["score"].number()};
}

/// The whole text as an object of the right format and version.
Json parse_object(const std::string& text, const std::string& file) {
  const auto wrong = [&](const std::string& found) {
    return input_error({file}, {"the result of a run, as `hmtc experiment` writes it", found,
                                "move the file elsewhere, or give another directory"});
  };
  Json json;
  try {
    json = parse_json<Json>(text);
  } catch (const std::exception& error) {
    throw wrong(fmt::format("no JSON ({})", error.what()));
  }
  if (!json.is_object() || json.value("format", Json()) != kFormat) throw wrong("other JSON");
  if (json.value("format_version", Json()) != kFormatVersion) {
    throw input_error({file}, {fmt::format("a result of format version {}", kFormatVersion),
                               "version " + json.value("format_version", Json()).dump(),
                               "use the hmtc that wrote it, or remove it to repeat the run"});
  }
  return json;
}

}  // namespace

std::string to_json(const RunResult& result) {
  const Json json = {{"format", kFormat},
                     {"format_version", kFormatVersion},
                     {"experiment", result.experiment},
                     {"row", result.row},
                     {"model", result.model},
                     {"seed", result.seed},
                     {"settings", result.settings},
                     {"all_settings", result.all_settings},
                     {"command", result.command},
                     {"data", result.data},
                     {"recipe", result.recipe},
                     {"data_digest", result.data_digest},
                     {"vectors_digest", result.vectors_digest},
                     {"validation", to_json(result.validation)},
                     {"test", to_json(result.test)},
                     {"test_documents", result.test_documents},
                     {"precision_recall", to_json(result.precision_recall)},
                     {"reliability", to_json(result.reliability)},
                     {"learning_curve", to_json(result.learning_curve)},
                     {"best_epoch", number(result.best_epoch)},
                     {"train_seconds", number(result.train_seconds)},
                     {"documents_per_second", number(result.documents_per_second)},
                     {"parameters", result.parameters},
                     {"peak_mb", number(result.peak_mb)},
                     {"threads", result.threads}};
  std::string lines;
  for (const auto& [name, value] : json.items()) {
    // A path in a command may hold bytes that are no UTF-8; they must not cost the result.
    lines += fmt::format("{}  \"{}\": {}", lines.empty() ? "{\n" : ",\n", name,
                         value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return lines + "\n}\n";
}

RunResult parse_run_result(const std::string& text, const std::string& file) {
  const Json json = parse_object(text, file);
  const Value value(json, "", file);
  RunResult result;
  result.experiment = value["experiment"].text();
  result.row = value["row"].text();
  result.model = value["model"].text();
  result.seed = static_cast<std::int64_t>(value["seed"].count());
  for (const Value& setting : value["settings"].list()) result.settings.push_back(setting.text());
  for (const Value& setting : value.list_if_any("all_settings")) {
    result.all_settings.push_back(setting.text());
  }
  result.command = value["command"].text();
  result.data = value["data"].text();
  result.recipe = value.text_if_any("recipe");
  result.data_digest = value.text_if_any("data_digest");
  result.vectors_digest = value.text_if_any("vectors_digest");
  result.validation = split_scores(value["validation"]);
  result.test = split_scores(value["test"]);
  result.test_documents = value["test_documents"].count();
  for (const Value& sample : value["precision_recall"].list()) {
    result.precision_recall.push_back(recall_precision(sample));
  }
  for (const Value& bin : value.list_if_any("reliability")) {
    result.reliability.push_back(reliability_bin(bin));
  }
  for (const Value& point : value["learning_curve"].list()) {
    result.learning_curve.push_back(validation_point(point));
  }
  result.best_epoch = value["best_epoch"].number();
  result.train_seconds = value["train_seconds"].number();
  result.documents_per_second = value["documents_per_second"].number();
  result.parameters = value["parameters"].count();
  result.peak_mb = value["peak_mb"].number();
  result.threads = value["threads"].count();
  return result;
}

std::vector<RecallPrecision> curve_samples(const PrecisionRecallCurve& curve, std::size_t most) {
  const std::vector<CurvePoint>& points = curve.points;
  const auto sample = [&](const CurvePoint& point) {
    const auto hits = static_cast<double>(point.true_positives);
    return RecallPrecision{hits / static_cast<double>(curve.num_positives()),
                           hits / (hits + static_cast<double>(point.false_positives))};
  };
  std::vector<RecallPrecision> samples;
  if (points.size() <= most) {
    for (const CurvePoint& point : points) samples.push_back(sample(point));
    return samples;
  }
  const auto first = static_cast<double>(points.front().true_positives);
  const auto last = static_cast<double>(points.back().true_positives);
  std::size_t taken = 0;
  samples.push_back(sample(points.front()));
  for (std::size_t i = 1; i < most; ++i) {
    // The first point that reaches the i-th of `most` even steps; a tie may have leapt over some.
    const double wanted =
        first + (last - first) * static_cast<double>(i) / static_cast<double>(most - 1);
    std::size_t next = taken;
    while (static_cast<double>(points[next].true_positives) < wanted) ++next;
    if (next == taken) continue;
    samples.push_back(sample(points[next]));
    taken = next;
  }
  return samples;
}

}  // namespace hmtc
