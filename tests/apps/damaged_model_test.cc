// Exit code 5: a model that is damaged is refused, never used and never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class DamagedModel : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }

  DamagedModel() { restore(); }

  void restore() const {
    fs::remove_all(model_);
    fs::copy(project_->model(), model_, fs::copy_options::recursive);
  }

  void write(const char* part, const std::string& content) const {
    std::ofstream(model_ / part, std::ios::binary | std::ios::trunc) << content;
  }

  void expect_refused(const std::string& part) const {
    const ProcessResult result = hmtc_program({"predict", model_.string()}, R"({"text": "tea"})");
    EXPECT_EQ(result.exit_code, 5) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(part));
  }

  static inline TinyProject* project_ = nullptr;
  const fs::path model_ = project_->path("damaged");
};

TEST_F(DamagedModel, TheWholeOneIsTaken) {
  EXPECT_EQ(hmtc_program({"predict", model_.string()}, R"({"text": "tea"})").exit_code, 0);
}

TEST_F(DamagedModel, TruncatedTensorsAreRefused) {
  const std::string whole = content_of(model_ / "model.safetensors");
  for (const std::size_t length : {std::size_t{0}, whole.size() / 2, whole.size() - 1}) {
    SCOPED_TRACE(length);
    write("model.safetensors", whole.substr(0, length));
    expect_refused("model.safetensors");
  }
}

TEST_F(DamagedModel, AFlippedBitInTheTensorsIsRefused) {
  const std::string whole = content_of(model_ / "model.safetensors");
  // The header's length, the header, the last number.
  for (const std::size_t at : {std::size_t{1}, std::size_t{30}, whole.size() - 1}) {
    SCOPED_TRACE(at);
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    write("model.safetensors", flipped);
    expect_refused("model.safetensors");
  }
}

TEST_F(DamagedModel, EveryVerbThatReadsAModelRefusesIt) {
  write("model.safetensors", "");
  const std::string test = project_->data() + "/test.jsonl";
  for (const Arguments& arguments : {Arguments{"evaluate", model_.string(), "--data", test},
                                     Arguments{"inspect", model_.string()}}) {
    const ProcessResult result = hmtc_program(arguments);
    EXPECT_EQ(result.exit_code, 5) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST_F(DamagedModel, EditedOrMissingPartsAreRefused) {
  write("config.json", content_of(model_ / "config.json") + "\n");
  expect_refused("config.json");
  restore();
  fs::remove(model_ / "vocabulary.txt");
  expect_refused("vocabulary.txt");
  restore();
  fs::remove(model_ / "manifest.json");
  expect_refused("manifest.json");
}

TEST_F(DamagedModel, AReplacedManifestIsRefused) {
  for (const char* manifest : {"", "{}", "null", R"({"format": 1})",
                               R"({"format": "hmtc-model", "format_version": 99})"}) {
    SCOPED_TRACE(manifest);
    write("manifest.json", manifest);
    expect_refused("manifest.json");
  }
}

TEST_F(DamagedModel, AConfigurationOfOtherSizesIsRefusedThoughItsChecksumIsRight) {
  const std::string other = project_->path("other");
  const ProcessResult train = hmtc_program(
      project_->train_arguments(other, {"--set", "model.document_width=6", "train.epochs=1"}));
  ASSERT_EQ(train.exit_code, 0) << train.err;
  fs::copy_file(other + "/config.json", model_ / "config.json",
                fs::copy_options::overwrite_existing);
  auto manifest = nlohmann::json::parse(content_of(model_ / "manifest.json"));
  manifest["sha256"]["config.json"] =
      nlohmann::json::parse(content_of(other + "/manifest.json"))["sha256"]["config.json"];
  write("manifest.json", manifest.dump());
  expect_refused("model.safetensors");
}

}  // namespace
}  // namespace hmtc
