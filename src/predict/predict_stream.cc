#include "predict/predict_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/line_reader.h"
#include "base/parallel.h"
#include "data/jsonl_reader.h"
#include "data/truth.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

/// Documents that are read, scored and written together.
constexpr std::size_t kDocumentsAtOnce = 1024;
constexpr std::size_t kDocumentsPerPiece = 64;

/// A line's words, or what is wrong with it.
struct ReadLine {
  std::string id;
  std::vector<std::int32_t> words;
  std::string problem;
};

Document plain_document(const std::string& line, const Place& place) {
  if (const auto offset = first_invalid_utf8(line)) {
    throw input_error(place,
                      {"UTF-8", "other bytes from byte " + std::to_string(*offset + 1) + " on",
                       "convert the file to UTF-8"});
  }
  Document document;
  document.text = line;
  return document;
}

ReadLine read_line(const Line& line, bool plain, const LoadedModel& model, DocumentParser& parser,
                   WordSplitter& splitter) {
  ReadLine result;
  try {
    const Document document =
        plain ? plain_document(line.text, line.place) : parser.parse(line.text, line.place);
    result.id = document.id.empty() ? std::to_string(line.place.line) : document.id;
    result.words = splitter.ids(document, model.vocabulary, model.config.words_read());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    result.problem = error.what();
  }
  return result;
}

std::vector<ReadLine> parse_lines(const std::vector<Line>& lines, bool plain,
                                  const LoadedModel& model) {
  std::vector<ReadLine> results(lines.size());
  const std::size_t pieces = (lines.size() + kDocumentsPerPiece - 1) / kDocumentsPerPiece;
  parallel_for(pieces, model.threads, [&](std::size_t piece) {
    DocumentParser parser(DocumentParser::Labels::kOptional);
    WordSplitter splitter(model.config.text);
    const std::size_t end = std::min((piece + 1) * kDocumentsPerPiece, lines.size());
    for (std::size_t i = piece * kDocumentsPerPiece; i < end; ++i) {
      results[i] = read_line(lines[i], plain, model, parser, splitter);
    }
  });
  return results;
}

/// The shortest decimal that reads back as the same float.
nlohmann::ordered_json number(float score) {
  return nlohmann::ordered_json::parse(fmt::format("{}", score));
}

std::string to_json_line(const LoadedModel& model, const std::string& id,
                         std::span<const float> scores, const PredictStreamOptions& options) {
  nlohmann::ordered_json line = {{"id", id}};
  if (options.all_scores) {
    line["scores"] = nlohmann::ordered_json::object();
    auto& all = line["scores"].get_ref<nlohmann::ordered_json::object_t&>();
    for (std::size_t label = 0; label < scores.size(); ++label) {
      // Not by operator[], which would look for the name among all before it.
      all.push_back({model.hierarchy.name(static_cast<LabelId>(label)), number(scores[label])});
    }
  } else {
    auto& labels = line["labels"] = nlohmann::ordered_json::array();
    for (const LabelScore& label : chosen_labels(model, scores, options.labels)) {
      labels.push_back(
          {{"label", label.label}, {"score", number(static_cast<float>(label.score))}});
    }
  }
  return line.dump();
}

}  // namespace

std::vector<LabelScore> chosen_labels(const LoadedModel& model, std::span<const float> scores,
                                      const PredictOptions& options) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  if (options.top) order.resize(std::min(order.size(), *options.top));
  const double tuned = options.top ? 0.0 : static_cast<double>(model.thresholds.common);
  const double threshold = options.threshold.value_or(tuned);
  std::vector<LabelScore> chosen;
  for (const std::size_t label : order) {
    if (static_cast<double>(scores[label]) < threshold) break;
    chosen.push_back({model.hierarchy.name(static_cast<LabelId>(label)), scores[label]});
  }
  return chosen;
}

PredictSummary predict_stream(LoadedModel& model, const std::string& input,
                              const PredictStreamOptions& options,
                              const std::function<void(const std::string&)>& write,
                              const std::function<void(const std::string&)>& report) {
  LineReader reader(input);
  const BlankLines blank = options.plain ? BlankLines::kKeep : BlankLines::kPassOver;
  PredictSummary summary;
  for (;;) {
    const std::vector<Line> lines = read_lines(reader, kDocumentsAtOnce, blank);
    if (lines.empty()) return summary;

    Corpus corpus;
    std::string first_problem;
    for (const ReadLine& read : parse_lines(lines, options.plain, model)) {
      if (read.problem.empty()) {
        corpus.append(read.id, read.words, {});
        continue;
      }
      ++summary.bad_lines;
      if (options.stop_at_error) {
        first_problem = read.problem;
        break;
      }
      report(read.problem);
    }
    ScoreSet scores = model.scorer->score(corpus);
    if (options.labels.coherent) make_coherent(model.hierarchy, scores.combined);
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const auto row = std::span(scores.combined).subspan(i * scores.num_labels, scores.num_labels);
      write(to_json_line(model, corpus.ids[i], row, options));
    }
    summary.documents += corpus.size();
    if (!first_problem.empty()) throw Error(ErrorKind::kInput, first_problem);
  }
}

}  // namespace hmtc
