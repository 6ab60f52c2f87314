#include "predict/predict_stream.h"

#include <algorithm>

#include "base/json_text.h"
#include "base/line_reader.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "data/jsonl_reader.h"
#include "data/word_splitter.h"
#include "text/unicode.h"

namespace hmtc {
namespace {

/// Documents that are read, scored and written together.
constexpr std::size_t kDocumentsAtOnce = 1024;
constexpr std::size_t kDocumentsPerPiece = 64;

/// A line's words, or what is wrong with it.
struct ReadLine {
  std::string id;
  SplitText text;
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

/// What a thread needs to read lines.
struct ReadWorker {
  explicit ReadWorker(const LoadedModel& model)
      : parser(DocumentParser::Labels::kOptional),
        splitter(
            model.config.text,
            [&model](std::string_view word) { return model.vocabulary.find(word); },
            model.read_options().sentences) {}

  DocumentParser parser;
  WordSplitter splitter;
};

ReadLine read_line(const Line& line, bool plain, std::size_t most_words, ReadWorker& worker) {
  ReadLine result;
  try {
    const Document document =
        plain ? plain_document(line.text, line.place) : worker.parser.parse(line.text, line.place);
    result.id = document.id.empty() ? std::to_string(line.place.line) : document.id;
    result.text = worker.splitter.split(document, most_words);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    result.problem = error.what();
  }
  return result;
}

/// Calls work(begin, end) for pieces of `count` documents, on several threads.
void for_each_range(std::size_t count, int threads,
                    const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t pieces = (count + kDocumentsPerPiece - 1) / kDocumentsPerPiece;
  parallel_for(pieces, threads, [&](std::size_t piece) {
    const std::size_t begin = piece * kDocumentsPerPiece;
    work(begin, std::min(begin + kDocumentsPerPiece, count));
  });
}

/// Reads, scores and writes round by round.
class Stream {
 public:
  Stream(const LoadedModel& model, const std::string& input, const PredictStreamOptions& options)
      : model_(model),
        options_(options),
        reading_(model.read_options()),
        reader_(input),
        workers_([&model] { return std::make_unique<ReadWorker>(model); }) {}

  /// The lines of the next round; none only at the end.
  std::vector<ReadLine> read() {
    const BlankLines blank = options_.plain ? BlankLines::kKeep : BlankLines::kPassOver;
    const std::vector<Line> lines = read_lines(reader_, kDocumentsAtOnce, blank);
    std::vector<ReadLine> results(lines.size());
    for_each_range(lines.size(), model_.threads, [&](std::size_t begin, std::size_t end) {
      const auto worker = workers_.take();
      for (std::size_t i = begin; i < end; ++i) {
        results[i] = read_line(lines[i], options_.plain, reading_.words_kept(), *worker);
      }
    });
    return results;
  }

  /// The documents' results as JSON lines.
  std::string predict(const Corpus& corpus) {
    ScoreSet scores = model_.scorer->score(corpus);
    std::vector<std::string> pieces(corpus.size() / kDocumentsPerPiece + 1);
    for_each_range(corpus.size(), model_.threads, [&](std::size_t begin, std::size_t end) {
      std::string& piece = pieces[begin / kDocumentsPerPiece];
      for (std::size_t i = begin; i < end; ++i) {
        const auto row =
            std::span(scores.combined).subspan(i * scores.num_labels, scores.num_labels);
        if (options_.labels.coherent) model_.hierarchy.make_coherent(row);
        append_prediction(model_, corpus.ids[i], row, options_, piece);
        piece += '\n';
      }
    });
    std::string lines;
    for (const std::string& piece : pieces) lines += piece;
    return lines;
  }

 private:
  const LoadedModel& model_;
  const PredictStreamOptions& options_;
  ReadOptions reading_;
  LineReader reader_;
  Pool<ReadWorker> workers_;
};

}  // namespace

std::vector<LabelScore> chosen_labels(const LoadedModel& model, std::span<const float> scores,
                                      const PredictOptions& options) {
  const double tuned = options.top ? 0.0 : static_cast<double>(model.thresholds.common);
  const double threshold = options.threshold.value_or(tuned);
  std::vector<std::size_t> order;
  for (std::size_t label = 0; label < scores.size(); ++label) {
    if (static_cast<double>(scores[label]) >= threshold) order.push_back(label);
  }
  const std::size_t count = std::min(order.size(), options.top.value_or(order.size()));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                    });
  order.resize(count);
  std::vector<LabelScore> chosen;
  for (const std::size_t label : order) {
    chosen.push_back({model.hierarchy.name(static_cast<LabelId>(label)), scores[label]});
  }
  return chosen;
}

void append_prediction(const LoadedModel& model, const std::string& id,
                       std::span<const float> scores, const PredictStreamOptions& options,
                       std::string& out) {
  append_json_string(out += R"({"id":)", id);
  if (options.all_scores) {
    out += R"(,"scores":)";
    for (std::size_t label = 0; label < scores.size(); ++label) {
      out += label == 0 ? '{' : ',';
      append_json_string(out, model.hierarchy.name(static_cast<LabelId>(label)));
      append_json_number(out += ':', scores[label]);
    }
    out += "}}";
    return;
  }
  out += R"(,"labels":[)";
  const char* separator = "";
  for (const LabelScore& label : chosen_labels(model, scores, options.labels)) {
    append_json_string((out += separator) += R"({"label":)", label.label);
    append_json_number(out += R"(,"score":)", static_cast<float>(label.score));
    out += '}';
    separator = ",";
  }
  out += "]}";
}

PredictSummary predict_stream(const LoadedModel& model, const std::string& input,
                              const PredictStreamOptions& options,
                              const std::function<void(std::string_view lines)>& write,
                              const std::function<void(const std::string&)>& report) {
  Stream stream(model, input, options);
  PredictSummary summary;
  for (;;) {
    std::vector<ReadLine> lines = stream.read();
    if (lines.empty()) return summary;

    Corpus corpus;
    corpus.max_words = model.config.words_read();
    std::string first_problem;
    for (ReadLine& line : lines) {
      if (line.problem.empty()) {
        corpus.append(std::move(line.id), line.text.words, {}, line.text.sentences);
        continue;
      }
      ++summary.bad_lines;
      if (options.stop_at_error) {
        first_problem = line.problem;
        break;
      }
      report(line.problem);
    }
    write(stream.predict(corpus));
    summary.documents += corpus.size();
    if (!first_problem.empty()) throw Error(ErrorKind::kInput, first_problem);
  }
}

}  // namespace hmtc
