#include "data/corpus_reader.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using Ids = std::vector<std::int32_t>;

class CorpusReader : public testing::Test {
 protected:
  CorpusReader() { options_.text.min_count = 1; }

  /// Documents 0 to count - 1, each with its own number as word and id.
  std::string numbered(std::size_t count) const {
    std::string lines;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      lines += R"({"id": "d)" + number + R"(", "tokens": ["w)" + number + R"("], "labels": ["a"]})";
      lines += "\n";
    }
    return directory_.write("numbered.jsonl", lines);
  }

  static Ids words(const Corpus& corpus, std::size_t document) {
    const auto span = corpus.words_of(document);
    return {span.begin(), span.end()};
  }

  TemporaryDirectory directory_;
  Hierarchy hierarchy_{{{"a", "", "", {}}, {"a/x", "a", "", {}}}};
  LabelResolver labels_{hierarchy_, true};
  ReadOptions options_;
};

TEST_F(CorpusReader, SentencesAreReadForTheModelThatAttendsToThem) {
  const std::string file = directory_.write(
      "texts.jsonl", R"({"id": "d", "text": "One two three. Four five.", "labels": ["a"]})");
  Config config;
  const auto sentences = [&](const std::string& model) {
    config.model.name = model;
    const Corpus corpus = read_corpus(file, Vocabulary(), labels_, read_options_for(config, 1));
    const auto span = corpus.sentences_of(0);
    return Ids(span.begin(), span.end());
  };
  EXPECT_EQ(sentences("han"), (Ids{3, 2}));
  EXPECT_EQ(sentences("flat"), Ids());
}

TEST_F(CorpusReader, AFileWithoutDocumentsIsRefused) {
  for (const char* content : {"", "\n \n"}) {
    expect_error(ErrorKind::kInput, {"at least one document"}, [&] {
      read_training_corpus(directory_.write("f.jsonl", content), labels_, options_);
    });
  }
  expect_error(ErrorKind::kIo, {"cannot open"}, [&] {
    read_training_corpus((directory_.path() / "none").string(), labels_, options_);
  });
}

TEST_F(CorpusReader, TextBecomesFoldedWordsAndLabelsAreClosed) {
  const std::string path = directory_.write(
      "train.jsonl", R"({"id": "1", "text": "Tea, tea and milk!", "labels": ["a/x"]})");
  const TrainingCorpus training = read_training_corpus(path, labels_, options_);
  // By count, then bytewise: tea 2, and 3, milk 4.
  EXPECT_EQ(words(training.corpus, 0), (Ids{2, 2, 3, 4}));
  EXPECT_EQ(training.vocabulary.count(2), 2U);
  const auto closed = training.corpus.labels_of(0);
  EXPECT_EQ(std::vector<LabelId>(closed.begin(), closed.end()), (std::vector<LabelId>{0, 1}));
  EXPECT_EQ(training.summary.with_text, 1U);
}

TEST_F(CorpusReader, TokensStayAsTheyAre) {
  const std::string path =
      directory_.write("train.jsonl", R"({"tokens": ["Tea", "tea", "New York"], "labels": ["a"]})");
  const TrainingCorpus training = read_training_corpus(path, labels_, options_);
  EXPECT_EQ(training.vocabulary.size(), Vocabulary::kNumSpecial + 3);
  EXPECT_NE(training.vocabulary.find("New York"), Vocabulary::kUnknown);
  EXPECT_EQ(training.corpus.ids, std::vector<std::string>{"1"});
  EXPECT_EQ(training.summary.with_text, 0U);
}

TEST_F(CorpusReader, SeveralThreadsKeepTheOrder) {
  // More than one round of four pieces of 128 documents per thread.
  const std::string path = numbered(5000);
  options_.threads = 3;
  const TrainingCorpus many = read_training_corpus(path, labels_, options_);
  ASSERT_EQ(many.corpus.size(), 5000U);
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(many.corpus.ids[i], "d" + std::to_string(i));
    ASSERT_EQ(many.vocabulary.word(many.corpus.words_of(i)[0]), "w" + std::to_string(i));
  }
  options_.threads = 1;
  EXPECT_EQ(read_training_corpus(path, labels_, options_).corpus.words, many.corpus.words);
}

TEST_F(CorpusReader, LongDocumentsAreCutAndCounted) {
  const std::string path =
      directory_.write("train.jsonl",
                       "{\"tokens\": [\"p\", \"q\", \"r\"], \"labels\": [\"a\"]}\n"
                       "{\"tokens\": [\"q\", \"p\"], \"labels\": [\"a\"]}\n"
                       "{\"tokens\": [], \"labels\": [\"a\"]}\n");
  options_.max_words = 2;
  const TrainingCorpus training = read_training_corpus(path, labels_, options_);
  EXPECT_EQ(training.corpus.words_of(0).size(), 2U);
  EXPECT_EQ(training.corpus.words_of(1).size(), 2U);
  EXPECT_EQ(training.summary.cut, 1U);
  EXPECT_EQ(training.summary.without_words, 1U);
  options_.max_words = 0;
  EXPECT_EQ(read_training_corpus(path, labels_, options_).corpus.words_of(0).size(), 3U);
}

TEST_F(CorpusReader, OtherSplitsAddNoWords) {
  const TrainingCorpus training = read_training_corpus(
      directory_.write("train.jsonl", R"({"tokens": ["tea"], "labels": ["a"]})"), labels_,
      options_);
  ReadSummary summary;
  const Corpus test =
      read_corpus(directory_.write("test.jsonl", R"({"tokens": ["milk", "tea"], "labels": ["a"]})"),
                  training.vocabulary, labels_, options_, &summary);
  EXPECT_EQ(words(test, 0), (Ids{Vocabulary::kUnknown, 2}));
}

TEST_F(CorpusReader, RareWordsAreUnknown) {
  options_.text.min_count = 2;
  const TrainingCorpus training = read_training_corpus(
      directory_.write("train.jsonl", R"({"tokens": ["tea", "milk", "tea"], "labels": ["a"]})"),
      labels_, options_);
  EXPECT_EQ(words(training.corpus, 0), (Ids{2, Vocabulary::kUnknown, 2}));
}

TEST_F(CorpusReader, HeldOutAndRestAreDisjointAndComplete) {
  const std::string path = numbered(1000);
  options_.held_out = hold_out(path, 0.15, 5);
  const TrainingCorpus rest = read_training_corpus(path, labels_, options_);
  options_.held_out.side = HeldOut::Side::kHeldOut;
  const Corpus held_out = read_corpus(path, rest.vocabulary, labels_, options_);

  std::vector<std::string> all = rest.corpus.ids;
  all.insert(all.end(), held_out.ids.begin(), held_out.ids.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.size(), 1000U);
  EXPECT_EQ(held_out.size(), 150U);
  // The words of held-out documents are not in the vocabulary.
  EXPECT_EQ(held_out.words, Ids(held_out.size(), Vocabulary::kUnknown));
  // Another seed draws others.
  options_.held_out = hold_out(path, 0.15, 6);
  options_.held_out.side = HeldOut::Side::kHeldOut;
  EXPECT_NE(read_corpus(path, rest.vocabulary, labels_, options_).ids, held_out.ids);
}

TEST_F(CorpusReader, ABadLineIsNamedWhicheverThreadReadsIt) {
  std::string lines;
  for (int i = 0; i < 700; ++i) lines += "{\"text\": \"a\", \"labels\": [\"a\"]}\n";
  const std::string path = directory_.write("f.jsonl", lines + "{\"text\": 5}\n");
  options_.threads = 2;
  expect_error(ErrorKind::kInput, {path + ":701"},
               [&] { read_training_corpus(path, labels_, options_); });
}

TEST_F(CorpusReader, AnUnknownLabelIsNamedWithItsLine) {
  const std::string path = directory_.write(
      "f.jsonl",
      "\n{\"text\": \"a\", \"labels\": [\"a\"]}\n{\"text\": \"a\", \"labels\": [\"c\"]}");
  expect_error(ErrorKind::kInput, {path + ":3", "\"c\""},
               [&] { read_training_corpus(path, labels_, options_); });
}

}  // namespace
}  // namespace hmtc
