#include "data/corpus_reader.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "base/line_reader.h"
#include "base/parallel.h"
#include "base/random.h"
#include "data/jsonl_reader.h"
#include "text/tokenizer.h"

namespace hmtc {
namespace {

constexpr std::size_t kDocumentsPerPiece = 256;

/// A document after parsing and splitting, before its words have ids.
struct SplitDocument {
  std::string id;
  std::vector<std::string> words;
  std::vector<std::string> labels;
  Place place;
  bool from_text = false;
};

/// Parses and splits the lines of a file on several threads; gives the documents in order.
void for_each_document(const std::string& path, const ReadOptions& options,
                       const std::function<void(SplitDocument&&)>& take) {
  LineReader reader(path);
  std::size_t number = 0;
  const auto threads = static_cast<std::size_t>(std::max(options.threads, 1));
  for (;;) {
    const std::vector<Line> lines =
        read_lines(reader, 4 * threads * kDocumentsPerPiece, BlankLines::kPassOver);
    if (lines.empty()) return;
    std::vector<SplitDocument> documents(lines.size());
    const std::size_t pieces = (lines.size() + kDocumentsPerPiece - 1) / kDocumentsPerPiece;
    parallel_for(pieces, options.threads, [&](std::size_t piece) {
      DocumentParser parser(DocumentParser::Labels::kRequired);
      WordSplitter splitter(options.text);
      const std::size_t end = std::min((piece + 1) * kDocumentsPerPiece, lines.size());
      for (std::size_t i = piece * kDocumentsPerPiece; i < end; ++i) {
        Document document = parser.parse(lines[i].text, lines[i].place);
        documents[i] = {document.id.empty() ? std::to_string(lines[i].place.line) : document.id,
                        splitter.words(document), std::move(document.labels), lines[i].place,
                        document.text.has_value()};
      }
    });
    for (SplitDocument& document : documents) {
      if (options.held_out.reads(number++)) take(std::move(document));
    }
  }
}

/// Numbers words in the order of appearance until the vocabulary is known, so that a training text
/// is split into words only once.
class Interner {
 public:
  std::int32_t number(const std::string& word) {
    const auto [place, is_new] = numbers_.emplace(word, static_cast<std::int32_t>(words_.size()));
    if (is_new) {
      words_.push_back(&place->first);
      counts_.push_back(0);
    }
    ++counts_[static_cast<std::size_t>(place->second)];
    return place->second;
  }

  Vocabulary vocabulary(const TextOptions& options) const {
    VocabularyBuilder builder;
    for (std::size_t i = 0; i < words_.size(); ++i) builder.add(*words_[i], counts_[i]);
    return builder.build(
        static_cast<std::size_t>(options.min_count),
        static_cast<std::size_t>(options.max_vocabulary) - Vocabulary::kNumSpecial);
  }

  std::vector<std::int32_t> ids_in(const Vocabulary& vocabulary) const {
    std::vector<std::int32_t> ids;
    for (const std::string* word : words_) ids.push_back(vocabulary.find(*word));
    return ids;
  }

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<const std::string*> words_;
  std::vector<std::uint64_t> counts_;
};

/// Reads a split; `number` gives a word its id.
Corpus read_split(const std::string& path, LabelResolver& labels, const ReadOptions& options,
                  ReadSummary& summary,
                  const std::function<std::int32_t(const std::string&)>& number) {
  Corpus corpus;
  std::vector<std::int32_t> words;
  for_each_document(path, options, [&](SplitDocument&& document) {
    words.clear();
    for (const std::string& word : document.words) words.push_back(number(word));
    const bool cut = options.max_words > 0 && words.size() > options.max_words;
    if (cut) words.resize(options.max_words);
    summary.with_text += document.from_text ? 1 : 0;
    summary.without_words += words.empty() ? 1 : 0;
    summary.cut += cut ? 1 : 0;
    corpus.append(std::move(document.id), words, labels.resolve(document.labels, document.place));
  });
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

bool HeldOut::reads(std::size_t number) const {
  return side == Side::kAll || is_held_out.at(number) == (side == Side::kHeldOut);
}

HeldOut hold_out(const std::string& path, double share, std::uint64_t seed) {
  LineReader reader(path);
  std::vector<std::size_t> documents;
  while (!read_lines(reader, 1, BlankLines::kPassOver).empty())
    documents.push_back(documents.size());
  Random(seed).shuffle(documents);
  const double count = std::round(share * static_cast<double>(documents.size()));
  documents.resize(std::min(documents.size(), static_cast<std::size_t>(std::max(count, 1.0))));
  HeldOut result{std::vector<bool>(reader.place().line, false), HeldOut::Side::kRest};
  for (const std::size_t document : documents) result.is_held_out[document] = true;
  return result;
}

struct WordSplitter::Implementation {
  Tokenizer tokenizer;
  std::vector<Token> tokens;
};

WordSplitter::WordSplitter(const TextOptions& options)
    : implementation_(new Implementation{Tokenizer(options), {}}) {}

WordSplitter::~WordSplitter() = default;

std::vector<std::string> WordSplitter::words(const Document& document) {
  if (document.tokens) return *document.tokens;
  implementation_->tokenizer.tokenize(*document.text, implementation_->tokens);
  std::vector<std::string> words;
  words.reserve(implementation_->tokens.size());
  for (Token& token : implementation_->tokens) words.push_back(std::move(token.text));
  return words;
}

std::vector<std::int32_t> WordSplitter::ids(const Document& document, const Vocabulary& vocabulary,
                                            std::size_t most) {
  std::vector<std::int32_t> ids;
  for (const std::string& word : words(document)) {
    if (most > 0 && ids.size() == most) break;
    ids.push_back(vocabulary.find(word));
  }
  return ids;
}

Corpus read_corpus(const std::string& path, const Vocabulary& vocabulary, LabelResolver& labels,
                   const ReadOptions& options, ReadSummary* summary) {
  ReadSummary found;
  Corpus corpus = read_split(path, labels, options, found,
                             [&](const std::string& word) { return vocabulary.find(word); });
  if (summary != nullptr) *summary = found;
  return corpus;
}

TrainingCorpus read_training_corpus(const std::string& path, LabelResolver& labels,
                                    const ReadOptions& options) {
  TrainingCorpus training;
  Interner interner;
  training.corpus = read_split(path, labels, options, training.summary,
                               [&](const std::string& word) { return interner.number(word); });
  training.vocabulary = interner.vocabulary(options.text);
  const std::vector<std::int32_t> ids = interner.ids_in(training.vocabulary);
  for (std::int32_t& word : training.corpus.words) word = ids[static_cast<std::size_t>(word)];
  return training;
}

}  // namespace hmtc
