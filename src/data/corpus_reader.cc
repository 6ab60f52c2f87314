#include "data/corpus_reader.h"

#include <algorithm>
#include <cmath>

#include "base/line_reader.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/strings.h"
#include "data/jsonl_reader.h"
#include "data/line_pieces.h"

namespace hmtc {
namespace {

/// A document after parsing and splitting.
struct SplitDocument {
  std::string id;
  SplitText text;
  std::vector<std::string> labels;
  Place place;
  bool from_text = false;
};

/// What a thread needs to split documents.
struct SplitWorker {
  /// Without a vocabulary the words get numbers that are the worker's own.
  SplitWorker(const ReadOptions& options, const Vocabulary* vocabulary)
      : parser(DocumentParser::Labels::kRequired),
        splitter(
            options.text,
            [this, vocabulary](std::string_view word) {
              return vocabulary != nullptr ? vocabulary->find(word) : own.add(word);
            },
            options.sentences) {}

  DocumentParser parser;
  WordTable own;
  std::vector<std::int32_t> common;  ///< per own number: the one that all workers share
  WordSplitter splitter;
};

/// The words of a training text, numbered and counted until the vocabulary is known, so that the
/// text is split only once.
class WordCounter {
 public:
  explicit WordCounter(const TextOptions& options)
      : min_count_(static_cast<std::uint64_t>(options.min_count)),
        max_size_(static_cast<std::size_t>(options.max_vocabulary) - Vocabulary::kNumSpecial) {}

  void number_and_count(SplitWorker& worker, std::vector<std::int32_t>& words) {
    while (worker.common.size() < worker.own.size()) {
      const auto number = static_cast<std::int32_t>(worker.common.size());
      worker.common.push_back(words_.add(worker.own.word(number)));
    }
    counts_.resize(words_.size());
    for (std::int32_t& word : words) {
      word = worker.common[static_cast<std::size_t>(word)];
      ++counts_[static_cast<std::size_t>(word)];
    }
  }

  Vocabulary vocabulary() const {
    VocabularyBuilder builder;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] >= min_count_) builder.add(word(i), counts_[i]);
    }
    return builder.build(min_count_, max_size_);
  }

  std::vector<std::int32_t> ids_in(const Vocabulary& vocabulary) const {
    std::vector<std::int32_t> ids(counts_.size(), Vocabulary::kUnknown);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] >= min_count_) ids[i] = vocabulary.find(word(i));
    }
    return ids;
  }

 private:
  const std::string& word(std::size_t number) const {
    return words_.word(static_cast<std::int32_t>(number));
  }

  std::uint64_t min_count_;
  std::size_t max_size_;
  WordTable words_;
  std::vector<std::uint64_t> counts_;
};

struct SplitPiece {
  SplitWorker* worker = nullptr;
  std::vector<SplitDocument> documents;
};

SplitPiece split_piece(const LinePiece& piece, const ReadOptions& options, std::size_t most_words,
                       SplitWorker& worker) {
  SplitPiece result{&worker, {}};
  for (std::size_t i = 0; i < piece.lines.size(); ++i) {
    const Line& line = piece.lines[i];
    Document document = worker.parser.parse(line.text, line.place);
    if (!options.held_out.reads(piece.first + i)) continue;
    result.documents.push_back(
        {document.id.empty() ? std::to_string(line.place.line) : std::move(document.id),
         worker.splitter.split(document, most_words), std::move(document.labels), line.place,
         document.text.has_value()});
  }
  return result;
}

/// Reads a split. The words get the ids of the vocabulary or, where there is none yet, the numbers
/// of the counter.
Corpus read_split(const std::string& path, LabelResolver& labels, const ReadOptions& options,
                  const Vocabulary* vocabulary, WordCounter* counter, ReadSummary& summary) {
  Corpus corpus;
  corpus.max_words = options.max_words;
  Pool<SplitWorker> workers([&] { return std::make_unique<SplitWorker>(options, vocabulary); });
  // Words that are cut off count in the vocabulary; otherwise one more tells that there are some.
  const bool reads_all = counter != nullptr || options.keeps_what_is_cut || options.max_words == 0;
  const std::size_t most_words = reads_all ? 0 : options.max_words + 1;
  const auto split = [&](const LinePiece& piece) {
    return split_piece(piece, options, most_words, *workers.take());
  };
  const auto append = [&](SplitPiece&& piece) {
    for (SplitDocument& document : piece.documents) {
      std::vector<std::int32_t>& words = document.text.words;
      if (counter != nullptr) counter->number_and_count(*piece.worker, words);
      const bool cut = options.max_words > 0 && words.size() > options.max_words;
      if (cut && !options.keeps_what_is_cut) words.resize(options.max_words);
      summary.with_text += document.from_text ? 1 : 0;
      summary.without_words += words.empty() ? 1 : 0;
      summary.cut += cut ? 1 : 0;
      corpus.append(std::move(document.id), words, labels.resolve(document.labels, document.place),
                    document.text.sentences);
    }
  };
  for_each_piece<SplitPiece>(path, options.threads, split, append);
  if (corpus.size() == 0 && options.held_out.side != HeldOut::Side::kAll) {
    throw input_error({path}, {"enough documents to hold some out for validation",
                               "too few of them", "give a val.jsonl beside it"});
  }
  if (corpus.size() == 0) {
    throw input_error({path}, {"at least one document", "an empty file", "check the import"});
  }
  return corpus;
}

}  // namespace

ReadOptions read_options_for(const Config& config, int threads) {
  ReadOptions options;
  options.text = config.text;
  options.max_words = config.words_read();
  options.keeps_what_is_cut = config.fusion.wide;
  options.threads = threads;
  if (config.reads_sentences()) options.sentences = WordSplitter::Sentences::kFind;
  return options;
}

bool HeldOut::reads(std::size_t number) const {
  return side == Side::kAll || is_held_out.at(number) == (side == Side::kHeldOut);
}

HeldOut hold_out(const std::string& path, double share, std::uint64_t seed) {
  LineReader reader(path);
  std::vector<std::size_t> documents;
  for (std::string_view line; reader.next(line);) {
    if (!trim(line).empty()) documents.push_back(documents.size());
  }
  Random(seed).shuffle(documents);
  const double count = std::round(share * static_cast<double>(documents.size()));
  documents.resize(std::min(documents.size(), static_cast<std::size_t>(std::max(count, 1.0))));
  HeldOut result{std::vector<bool>(reader.place().line, false), HeldOut::Side::kRest};
  for (const std::size_t document : documents) result.is_held_out[document] = true;
  return result;
}

Corpus read_corpus(const std::string& path, const Vocabulary& vocabulary, LabelResolver& labels,
                   const ReadOptions& options, ReadSummary* summary) {
  ReadSummary found;
  Corpus corpus = read_split(path, labels, options, &vocabulary, nullptr, found);
  if (summary != nullptr) *summary = found;
  return corpus;
}

TrainingCorpus read_training_corpus(const std::string& path, LabelResolver& labels,
                                    const ReadOptions& options) {
  TrainingCorpus training;
  WordCounter counter(options.text);
  training.corpus = read_split(path, labels, options, nullptr, &counter, training.summary);
  training.vocabulary = counter.vocabulary();
  const std::vector<std::int32_t> ids = counter.ids_in(training.vocabulary);
  for (std::int32_t& word : training.corpus.words) word = ids[static_cast<std::size_t>(word)];
  return training;
}

}  // namespace hmtc
