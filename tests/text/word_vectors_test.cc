#include "text/word_vectors.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cmath>
#include <sstream>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

/// Ids: a 2 (6 times), b 3 (3 times), c 4 (once).
Vocabulary abc() {
  VocabularyBuilder builder;
  builder.add("a", 6);
  builder.add("b", 3);
  builder.add("c", 1);
  return builder.build(1, 0);
}

WordVectors load(const std::string& content, const Vocabulary& vocabulary = abc()) {
  const TemporaryDirectory directory;
  return load_word_vectors(directory.write("vectors", content), vocabulary);
}

void expect_refused(const std::string& content, const std::vector<std::string>& parts) {
  expect_error(ErrorKind::kInput, parts, [&] { load(content); });
}

/// What is logged while it lives.
class LogCapture {
 public:
  LogCapture() : before_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~LogCapture() { spdlog::set_default_logger(before_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::shared_ptr<spdlog::logger> before_;
};

using Values = std::vector<float>;

const Values kFoundAAndB = {0, 0, 0, 0, 0.5F, -1, 2, 0.25F, 0, 0};

TEST(WordVectors, GloveTextFillsTheRowsOfKnownWords) {
  const WordVectors vectors = load("x 9 9\nb 2 0.25\na 0.5 -1\n");
  EXPECT_EQ(vectors.width, 2U);
  EXPECT_EQ(vectors.values, kFoundAAndB);
  EXPECT_EQ(vectors.found, (std::vector<std::uint8_t>{0, 0, 1, 1, 0}));
  EXPECT_EQ(vectors.file_words, 3U);
}

TEST(WordVectors, CoverageIsGivenByWordAndByOccurrence) {
  const WordVectors vectors = load("x 9 9\nb 2 0.25\na 0.5 -1\n");
  EXPECT_EQ(vectors.words_found, 2U);
  EXPECT_EQ(vectors.vocabulary_words, 3U);
  EXPECT_DOUBLE_EQ(vectors.occurrence_share, 0.9);  // (6 + 3) / 10
}

TEST(WordVectors, CoverageOfAnEmptyVocabularyIsUndefined) {
  const WordVectors vectors = load("a 1 2\n", Vocabulary());
  EXPECT_EQ(vectors.values, Values(4, 0.0F));
  EXPECT_TRUE(std::isnan(vectors.occurrence_share));
}

TEST(WordVectors, AHeaderAndSpacesAtLineEndsAreUnderstood) {
  const LogCapture log;
  EXPECT_EQ(load("3 2\nx 9 9 \nb 2 0.25 \na 0.5 -1 \n").values, kFoundAAndB);
  EXPECT_EQ(log.text(), "");
}

TEST(WordVectors, AHeaderThatPromisesOtherRowsIsAWarning) {
  const LogCapture log;
  EXPECT_EQ(load("5 2\nb 2 0.25\na 0.5 -1\n").values, kFoundAAndB);
  EXPECT_THAT(log.text(), testing::HasSubstr("promises 5 words, the file has 2"));
}

TEST(WordVectors, GzipIsReadAsTheTextInIt) {
  const TemporaryDirectory directory;
  const std::string path = (directory.path() / "vectors.gz").string();
  const std::string content = "2 2\nb 2 0.25\na 0.5 -1\n";
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  EXPECT_EQ(load_word_vectors(path, abc()).values, kFoundAAndB);
}

TEST(WordVectors, AWordMayContainSpaces) {
  VocabularyBuilder builder;
  builder.add("new york");
  const WordVectors vectors = load("x 9 9\nnew york 1 2\n", builder.build(1, 0));
  EXPECT_EQ(vectors.values, (Values{0, 0, 0, 0, 1, 2}));
}

TEST(WordVectors, LinesMayEndWithReturnsAndTheLastWithNothing) {
  EXPECT_EQ(load("x 9 9\r\nb 2 0.25\r\na 0.5 -1").values, kFoundAAndB);
}

TEST(WordVectors, ALineFarBehindIsNamed) {
  std::string content;
  for (int i = 1; i < 50000; ++i) content += "x" + std::to_string(i) + " 0.5 -1\n";
  expect_refused(content + "a 1 y\n", {"vectors:50000", "value 2", "\"y\""});
  expect_refused(content + "a 1\n", {"vectors:50000", "a word and 2 numbers"});
}

TEST(WordVectors, TheFirstOfTwoRowsCounts) {
  EXPECT_EQ(load("a 0.5 -1\na 7 7\nb 2 0.25\n").values, kFoundAAndB);
}

TEST(WordVectors, RowsSpelledLikeSpecialIdsAreNotTaken) {
  EXPECT_EQ(load("<unk> 9 9\n<pad> 9 9\na 0.5 -1\nb 2 0.25\n").values, kFoundAAndB);
}

TEST(WordVectors, ExponentsAndVanishinglySmallNumbersAreRead) {
  const WordVectors vectors = load("a 5e-1 -1e-60\n");
  EXPECT_EQ(vectors.values, (Values{0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 0}));
}

TEST(WordVectors, ATextWordMayBeABrace) {
  VocabularyBuilder builder;
  builder.add("{");
  EXPECT_EQ(load("{ 1 2\n", builder.build(1, 0)).values, (Values{0, 0, 0, 0, 1, 2}));
}

TEST(WordVectors, WrongColumnsAreNamed) {
  expect_refused("a 1 2\nx 1\n", {"vectors:2", "a word and 2 numbers", "2 columns"});
  expect_refused("a 1 2\nx 1 2 3\n", {"vectors:2", "a word and 2 numbers", "4 columns"});
  expect_refused("2 3\na 1 2\n", {"vectors:2", "a word and 3 numbers"});
  expect_refused("2 1\na 1 2\n", {"vectors:2", "a word and 1 numbers"});
  expect_refused("1 99999999999999\na 1 2\n", {"vectors:2", "99999999999999 numbers"});
}

TEST(WordVectors, WhatIsNotAFiniteNumberIsNamed) {
  expect_refused("a 1 x\n", {"vectors:1", "value 2", "\"x\""});
  expect_refused("x 1 2\na 1 2y\n", {"vectors:2", "value 2", "\"2y\""});
  expect_refused("x 1 2\na  2\n", {"vectors:2", "value 1", "\"\""});
  expect_refused("x 1 2\na nan 2\n", {"vectors:2", "value 1", "nan"});
  expect_refused("x 1 2\na 1 -inf\n", {"vectors:2", "value 2", "-inf"});
  expect_refused("x 1 2\na 1 1e60\n", {"vectors:2", "value 2", "1e60"});
}

TEST(WordVectors, FilesWithoutVectorsAreRefused) {
  expect_refused("", {"empty"});
  expect_refused("\n \n", {"empty"});
  expect_refused("3 2\n", {"empty"});
  expect_refused("word\n", {"vectors:1", "no number"});
  expect_refused("1 0\na\n", {"no number"});
  expect_refused(std::string("PK\x03\x04 \0\xFF \x01\n", 11), {"vectors:1", "GloVe"});
}

TEST(WordVectors, AMissingFileIsAnIoError) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"none.txt"},
               [&] { load_word_vectors((directory.path() / "none.txt").string(), abc()); });
  expect_error(ErrorKind::kIo, {"cannot read"},
               [&] { load_word_vectors(directory.path().string(), abc()); });
}

TEST(WordVectors, AStreamIsRefused) {  // it would have to be read twice
  const TemporaryDirectory directory;
  const std::filesystem::path fifo = directory.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_error(ErrorKind::kUsage, {"fifo", "read twice"},
               [&] { load_word_vectors(fifo.string(), abc()); });
}

TEST(WordVectorsJson, NormAndIndexAreLeftOut) {
  const WordVectors vectors = load(
      R"({"dimensions":2,"words":["x","b","a"],)"
      R"("vectors":{"x":[9,9,12.7,0],"b":[2,0.25,2.02,1],"a":[0.5,-1,1.12,2]},"unkVector":[0,0,0,-1]})");
  EXPECT_EQ(vectors.width, 2U);
  EXPECT_EQ(vectors.values, kFoundAAndB);
  EXPECT_EQ(vectors.file_words, 3U);
  EXPECT_EQ(vectors.words_found, 2U);
}

TEST(WordVectorsJson, DimensionsMayFollowOrBeAbsent) {
  EXPECT_EQ(load(R"( { "vectors":{"b":[2,0.25,0,1],"a":[0.5,-1,0,2]}})").values, kFoundAAndB);
  EXPECT_EQ(load(R"({"vectors":{"b":[2,0.25,0,1],"a":[0.5,-1,0,2]},"dimensions":2})").values,
            kFoundAAndB);
}

TEST(WordVectorsJson, KeysMayBeEscaped) {
  EXPECT_EQ(load(R"({"vectors":{"\u0062":[2,0.25,0,1],"a":[0.5,-1,0,2]}})").values, kFoundAAndB);
}

TEST(WordVectorsJson, WrongColumnsAndNumbersAreNamed) {
  expect_refused(R"({"dimensions":3,"vectors":{"a":[1,2,0,0]}})",
                 {"3 numbers", "4 numbers", "\"a\""});
  expect_refused(R"({"vectors":{"x":[1,2,0,0],"a":[1,0,0]}})", {"2 numbers", "3 numbers", "\"a\""});
  expect_refused(R"({"vectors":{"a":[1,0]}})", {"at least one number", "2 numbers"});
  expect_refused(R"({"vectors":{"a":[1e300,1,1]}})", {"finite", "\"a\"", "value 1"});
  expect_refused(R"({"vectors":{"a":["1",1,1]}})", {"vectors"});
  expect_refused(R"({"dimensions":"2","vectors":{"a":[1,2,0,0]}})", {"vectors"});
}

TEST(WordVectorsJson, OtherJsonAndDamagedJsonIsRefused) {
  expect_refused(R"({"vectors":{}})", {"empty"});
  expect_refused(R"({"words":["a"]})", {"vectors"});
  expect_refused(R"({"vectors":[1,2]})", {"vectors"});
  expect_refused(R"({"vectors":{"a":[1,2,0,0])", {"vectors"});
  expect_refused(R"({"vectors":{"a":[1,2,0)", {"vectors"});
  expect_refused(R"({"vec)", {"vectors"});
}

}  // namespace
}  // namespace hmtc
