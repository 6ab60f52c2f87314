#include "artifact/model_directory.h"

#include <gtest/gtest.h>

#include <fstream>

#include "artifact/checksum.h"
#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

ModelParts tiny_parts(float weight = 1.5F) {
  Config config;
  config.set("train.epochs=7");
  config.model.name = "linear";
  VocabularyBuilder words;
  words.add("tea", 3);
  words.add("a\tb", 2);
  ModelParts parts{config,
                   Hierarchy({{"drink", "", "", {}}, {"tea", "drink", "hot", {}}}),
                   words.build(1, 0),
                   {}};
  parts.tensors.tensors["w"] = float_tensor({1}, &weight);
  return parts;
}

class ModelDirectory : public testing::Test {
 protected:
  ModelDirectory() { save_model(model_, tiny_parts()); }

  void replace_in(const std::string& part, const std::string& old, const std::string& by) const {
    std::string content = read_file(model_ / part);
    const std::size_t at = content.find(old);
    ASSERT_NE(at, std::string::npos) << content;
    write_file_atomically(model_ / part, content.replace(at, old.size(), by));
  }

  /// Changes a part and makes the manifest agree with it.
  void forge(const std::string& part, const std::string& content) const {
    const std::string before = sha256_hex(read_file(model_ / part));
    write_file_atomically(model_ / part, content);
    replace_in("manifest.json", before, sha256_hex(content));
  }

  void expect_refused(const std::vector<std::string>& parts) const {
    expect_error(ErrorKind::kModel, parts, [&] { load_model(model_); });
  }

  TemporaryDirectory directory_;
  fs::path model_ = directory_.path() / "model";
};

TEST_F(ModelDirectory, GivesBackWhatWasSaved) {
  EXPECT_TRUE(is_model_directory(model_));
  const ModelParts read = load_model(model_);
  EXPECT_EQ(read.config.train.epochs, 7);
  EXPECT_EQ(read.config.model.name, "linear");
  ASSERT_EQ(read.hierarchy.num_labels(), 2U);
  EXPECT_EQ(read.hierarchy.name(1), "tea");
  EXPECT_EQ(read.hierarchy.description(1), "hot");
  EXPECT_EQ(read.vocabulary.find("tea"), 2);
  EXPECT_EQ(read.vocabulary.find("a\tb"), 3);
  EXPECT_EQ(float_values(read.tensors.tensors.at("w")), std::vector<float>{1.5F});
}

TEST_F(ModelDirectory, ALoadedModelIsSavedWithTheSameBytes) {
  save_model(directory_.path() / "again", load_model(model_));
  for (const char* part :
       {"manifest.json", "config.json", "hierarchy.tsv", "vocabulary.txt", "model.safetensors"}) {
    EXPECT_EQ(read_file(directory_.path() / "again" / part), read_file(model_ / part)) << part;
  }
}

TEST_F(ModelDirectory, ReplacingKeepsTheRunFolderAndNothingElse) {
  directory_.write("model/run/metrics.jsonl", "{}\n");
  directory_.write("model/notes.txt", "mine");
  save_model(model_, tiny_parts(2.5F));
  EXPECT_EQ(float_values(load_model(model_).tensors.tensors.at("w")), std::vector<float>{2.5F});
  EXPECT_EQ(read_file(model_ / "run" / "metrics.jsonl"), "{}\n");
  EXPECT_FALSE(fs::exists(model_ / "notes.txt"));
}

TEST_F(ModelDirectory, AMissingDirectoryAndAFileAreIoErrors) {
  expect_error(ErrorKind::kIo, {"nothing"}, [&] { load_model(directory_.path() / "none"); });
  expect_error(ErrorKind::kIo, {"a file"}, [&] { load_model(directory_.write("f", "")); });
}

TEST_F(ModelDirectory, ADirectoryWithoutAManifestIsNoModel) {
  fs::remove(model_ / "manifest.json");
  EXPECT_FALSE(is_model_directory(model_));
  expect_refused({"manifest.json"});
}

TEST_F(ModelDirectory, EveryMissingPartIsNamed) {
  for (const char* part : {"config.json", "hierarchy.tsv", "vocabulary.txt", "model.safetensors"}) {
    save_model(model_, tiny_parts());
    fs::remove(model_ / part);
    expect_refused({part, "no such file"});
  }
}

TEST_F(ModelDirectory, EveryChangedPartIsNamed) {
  for (const char* part : {"config.json", "hierarchy.tsv", "vocabulary.txt", "model.safetensors"}) {
    save_model(model_, tiny_parts());
    std::ofstream(model_ / part, std::ios::app) << ' ';
    expect_refused({part, "sha256"});
  }
}

TEST_F(ModelDirectory, AnotherFormatVersionIsNamed) {
  replace_in("manifest.json", "\"format_version\": 1", "\"format_version\": 2");
  expect_refused({"format version 1", "found 2"});
}

TEST_F(ModelDirectory, AManifestThatIsNoneIsDamage) {
  for (const char* manifest :
       {"", "{", "[]", "{}", "5", R"({"format": 5})", R"({"format": "other"})",
        R"({"format": "hmtc-model"})", R"({"format": "hmtc-model", "format_version": "1"})",
        R"({"format": "hmtc-model", "format_version": 1})",
        R"({"format": "hmtc-model", "format_version": 1, "sha256": []})",
        R"({"format": "hmtc-model", "format_version": 1, "sha256": {}})",
        R"({"format": "hmtc-model", "format_version": 1, "sha256": {"config.json": 5}})"}) {
    SCOPED_TRACE(manifest);
    write_file_atomically(model_ / "manifest.json", manifest);
    expect_refused({model_.string()});
  }
}

TEST_F(ModelDirectory, AManifestWithoutEndIsDamage) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  write_file_atomically(model_ / "manifest.json",
                        R"({"format": "hmtc-model", "format_version": )" + deep + "}");
  expect_refused({model_.string(), "nested too deeply"});
}

// Someone edits a part and the manifest with it: the parts' own checks are all that is left.
TEST_F(ModelDirectory, AForgedPartIsDamageAndNotBadUsageOrInput) {
  const auto refused = [&](const char* part, const std::string& content) {
    SCOPED_TRACE(part);
    save_model(model_, tiny_parts());
    forge(part, content);
    expect_refused({part});
  };
  refused("config.json", "{");
  refused("config.json", R"({"train": {"epoch": 3}})");
  refused("config.json", R"({"train": {"epochs": -3}})");
  refused("hierarchy.tsv", "a\tb\nb\ta\n");
  refused("hierarchy.tsv", "");
  refused("vocabulary.txt", "tea\t3\n");
  refused("vocabulary.txt", "");
  refused("model.safetensors", "");
}

}  // namespace
}  // namespace hmtc
