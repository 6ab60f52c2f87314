#include "train/training_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/checksum.h"
#include "artifact/model_directory.h"
#include "base/files.h"
#include "base/parallel.h"
#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "hierarchy/hierarchy_file.h"
#include "text/stop_words.h"

namespace hmtc {
namespace {

constexpr int kMostThreads = 256;  // as train.threads allows
constexpr std::int64_t kMostPairs = 100'000;
constexpr std::size_t kFewestForPairs = 3'000;  // documents: below, pairs do harm as often as good
constexpr std::int64_t kMostWeights = 100'000'000;  // of a linear model that has pairs

/// Replaces `english` and `@FILE` by the words they stand for, so that the model needs no file.
void expand_stop_words(TextOptions& text) {
  std::vector<std::string> words;
  for (const std::string& word : text.stop_words) {
    if (word != "english" && !word.starts_with("@")) {
      words.push_back(word);
      continue;
    }
    const auto list = stop_word_list(word.starts_with("@") ? word.substr(1) : word);
    words.insert(words.end(), list.begin(), list.end());
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  text.stop_words = words;
}

void report_labels(const std::vector<const Corpus*>& learnt_from, const Hierarchy& hierarchy,
                   TrainObserver& observer) {
  std::vector<bool> seen(hierarchy.num_labels(), false);
  for (const Corpus* corpus : learnt_from) {
    for (const LabelId label : corpus->labels) seen[static_cast<std::size_t>(label)] = true;
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  const auto count = std::count(seen.begin(), seen.end(), false);
  if (count == 0) return;
  observer.on_message(fmt::format(
      "warning: {} of {} labels have no training document (the first: {}); they can not be learnt",
      count, seen.size(), in_quotes(hierarchy.name(static_cast<LabelId>(missing - seen.begin())))));
}

void report_split(const char* name, const Corpus& corpus, const ReadSummary& summary,
                  TrainObserver& observer) {
  observer.on_message(fmt::format(
      "{}: {} documents, {:.1f} words and {:.1f} labels each{}{}", name, corpus.size(),
      static_cast<double>(corpus.words.size()) / static_cast<double>(corpus.size()),
      static_cast<double>(corpus.labels.size()) / static_cast<double>(corpus.size()),
      summary.cut > 0 ? fmt::format(", {} cut", summary.cut) : "",
      summary.without_words > 0 ? fmt::format(", {} without any word", summary.without_words)
                                : ""));
}

void report_left_out(const LabelResolver& labels, TrainObserver& observer) {
  for (const auto& [label, count] : labels.left_out()) {
    observer.on_message(
        fmt::format("warning: label {} is not in the hierarchy; left out of {} documents",
                    in_quotes(label), count));
  }
}

/// Without a word there is nothing to learn from, without a label nothing to learn or to measure.
void require_content(const std::string& file, const Corpus& corpus, bool is_held_out = false) {
  const std::string which = is_held_out ? "documents held out for validation" : "documents";
  const std::string remedy = is_held_out ? "add a val.jsonl" : "check the import";
  if (corpus.words.empty()) {
    throw input_error({file}, {which + " with words", "not one word", remedy});
  }
  if (corpus.labels.empty()) {
    throw input_error({file}, {which + " with labels", "not one label", remedy});
  }
}

void require_words(const std::string& file, const Vocabulary& vocabulary) {
  if (vocabulary.size() > Vocabulary::kNumSpecial) return;
  throw input_error({file}, {"words that occur text.min_count times", "none",
                             "add documents, or lower text.min_count"});
}

void report_vectors(const WordVectors& vectors, TrainObserver& observer) {
  const auto share = [&](std::size_t words) {
    return 100.0 * static_cast<double>(words) / static_cast<double>(vectors.vocabulary_words);
  };
  observer.on_message(fmt::format(
      "vectors: {} of {} words ({:.1f} %) have one, {:.1f} % of the text{}", vectors.words_found,
      vectors.vocabulary_words, share(vectors.words_found), 100 * vectors.occurrence_share,
      vectors.words_composed == 0
          ? ""
          : fmt::format("; {} more ({:.1f} %, {:.1f} % of the text) were composed from sub-words",
                        vectors.words_composed, share(vectors.words_composed),
                        100 * vectors.composed_share)));
}

/// `held_out` says which documents of the file train.
Lessons lessons_of(const TrainRequest& request, const DataDirectory& directory,
                   const HeldOut& held_out, const Corpus& train, const TrainOptions& settings) {
  if (request.teacher.empty()) return {};
  const std::size_t num_splices = train.size() * static_cast<std::size_t>(settings.teacher_splices);
  request.observer->on_message(
      fmt::format("teacher: it is asked about {} documents and {} spliced from them", train.size(),
                  num_splices));
  const std::vector<Splice> splices =
      plan_splices(train.size(), num_splices, static_cast<std::uint64_t>(settings.seed));
  return ask_teacher(request.teacher, directory, held_out, static_cast<int>(settings.threads),
                     train, splices);
}

std::optional<WordVectors> read_vectors(const std::string& file, const Vocabulary& vocabulary,
                                        const Config& config) {
  if (file.empty()) return std::nullopt;
  return load_word_vectors(file, vocabulary, config.encoder.subword_vectors);
}

struct Splits {
  TrainingCorpus train;
  Corpus validation;
  HeldOut training_side;  ///< which documents of train.jsonl train
};

/// Without val.jsonl a share of the training documents, drawn by the seed, is the validation split.
Splits read_splits(const DataDirectory& directory, const Config& config, TrainObserver& observer) {
  LabelResolver labels(directory.hierarchy, config.data.strict);
  ReadOptions options = read_options_for(config, static_cast<int>(config.train.threads));
  if (!directory.validation) {
    observer.on_message(fmt::format(
        "no val.jsonl: {:.0f} % of train.jsonl are held out for validation", 100 * kHeldOutShare));
    options.held_out =
        hold_out(directory.train, kHeldOutShare, static_cast<std::uint64_t>(config.train.seed));
  }
  TrainingCorpus train = read_training_corpus(directory.train, labels, options);
  const HeldOut training_side = options.held_out;
  if (!directory.validation) options.held_out.side = HeldOut::Side::kHeldOut;
  const std::string validation_file = directory.validation.value_or(directory.train);
  ReadSummary summary;
  Corpus validation = read_corpus(validation_file, train.vocabulary, labels, options, &summary);
  require_content(directory.train, train.corpus);
  require_content(validation_file, validation, !directory.validation);
  require_words(directory.train, train.vocabulary);
  report_split("train", train.corpus, train.summary, observer);
  report_split("validation", validation, summary, observer);
  report_left_out(labels, observer);
  std::vector<const Corpus*> learnt_from = {&train.corpus};
  if (!directory.validation && config.train.refit) learnt_from.push_back(&validation);
  report_labels(learnt_from, directory.hierarchy, observer);
  return {std::move(train), std::move(validation), training_side};
}

/// What the configuration leaves to the data. Words of a text stand in an order, of which a Bi-LSTM
/// and pairs of words make something; tokens may be a bag of words.
void resolve(Config& config, const TrainingCorpus& train, std::size_t num_labels) {
  const bool has_order = train.summary.with_text > 0;
  if (config.encoder.kind == EncoderKind::kAuto) {
    config.encoder.kind = has_order ? EncoderKind::kBiLstm : EncoderKind::kEmbedding;
  }
  if (!config.linear.word_pairs) {
    const bool helps = has_order && train.corpus.size() >= kFewestForPairs;
    const auto room = kMostWeights / static_cast<std::int64_t>(num_labels) -
                      static_cast<std::int64_t>(train.vocabulary.size());
    config.linear.word_pairs = helps ? std::clamp(room, std::int64_t{0}, kMostPairs) : 0;
  }
}

template <typename Element>
std::string_view bytes_of(const std::vector<Element>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Element)};
}

}  // namespace

TrainingData read_training_data(const TrainRequest& request) {
  TrainObserver& observer = *request.observer;
  // Before all documents are read.
  if (!request.teacher.empty()) require_model_directory(request.teacher);
  if (!request.embeddings.empty()) require_exists(request.embeddings);
  DataDirectory directory = open_data_directory(request.data);
  Config config = request.config;
  if (config.train.threads == 0) config.train.threads = std::min(hardware_threads(), kMostThreads);
  expand_stop_words(config.text);
  observer.on_message(fmt::format("hierarchy: {} labels, {}{}", directory.hierarchy.num_labels(),
                                  directory.hierarchy.shape(),
                                  directory.has_hierarchy_file ? "" : " (from the label paths)"));
  Splits splits = read_splits(directory, config, observer);
  if (!request.teacher.empty() && !directory.validation) {
    observer.on_message(
        "a teacher that has learnt from the documents held out makes their scores too good to "
        "choose by; better give a val.jsonl to both");
  }
  Lessons lessons =
      lessons_of(request, directory, splits.training_side, splits.train.corpus, config.train);
  resolve(config, splits.train, directory.hierarchy.num_labels());
  std::optional<WordVectors> vectors =
      read_vectors(request.embeddings, splits.train.vocabulary, config);
  if (vectors) {
    config.set("encoder.embedding_width", std::to_string(vectors->width));
    report_vectors(*vectors, observer);
  }
  return {.config = config,
          .hierarchy = std::move(directory.hierarchy),
          .vocabulary = std::move(splits.train.vocabulary),
          .train = std::move(splits.train.corpus),
          .validation = std::move(splits.validation),
          .vectors = std::move(vectors),
          .lessons = std::move(lessons),
          .has_held_out = !directory.validation};
}

TrainingData read_all_documents(const TrainRequest& request, const Config& config) {
  DataDirectory directory = open_data_directory(request.data);
  LabelResolver labels(directory.hierarchy, config.data.strict);
  const ReadOptions options = read_options_for(config, static_cast<int>(config.train.threads));
  TrainingCorpus train = read_training_corpus(directory.train, labels, options);
  std::optional<WordVectors> vectors = read_vectors(request.embeddings, train.vocabulary, config);
  Lessons lessons = lessons_of(request, directory, options.held_out, train.corpus, config.train);
  return {.config = config,
          .hierarchy = std::move(directory.hierarchy),
          .vocabulary = std::move(train.vocabulary),
          .train = std::move(train.corpus),
          .validation = {},
          .vectors = std::move(vectors),
          .lessons = std::move(lessons),
          .has_held_out = false};
}

std::string TrainingData::fingerprint() const {
  std::string parts = to_tsv(hierarchy) + vocabulary.to_text();
  for (const Corpus* corpus : {&train, &validation}) {
    parts += sha256_hex(bytes_of(corpus->words)) + sha256_hex(bytes_of(corpus->word_offsets)) +
             sha256_hex(bytes_of(corpus->labels)) + sha256_hex(bytes_of(corpus->label_offsets)) +
             sha256_hex(bytes_of(corpus->sentences));
  }
  if (vectors) parts += sha256_hex(bytes_of(vectors->values));
  if (!lessons.empty()) parts += sha256_hex(bytes_of(lessons.scores));
  return sha256_hex(parts);
}

}  // namespace hmtc
