#include "serve/model_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "serve/fake_served_model.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Its models are what manifest.json says; "corrupt" cannot be loaded.
class ModelStoreTest : public testing::Test {
 protected:
  ModelStoreTest() { directory_.write("m/manifest.json", "first"); }

  std::shared_ptr<ServedModel> load(const std::filesystem::path& path) {
    ++loads_;
    const std::string mark = read_file(path / "manifest.json");
    if (mark == "corrupt") throw Error(ErrorKind::kModel, "a corrupt model");
    return std::make_shared<FakeServedModel>(mark);
  }

  ModelStore store(const std::vector<std::string>& names = {"m"}) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) paths.push_back(directory_.path() / name);
    return ModelStore(
        paths, [this](const std::filesystem::path& path) { return load(path); }, metrics_);
  }

  static std::string mark_of(const std::shared_ptr<const StoredModel>& stored) {
    const Document document{"1", "a", std::nullopt, {}};
    const PredictAnswer answer;
    const PredictItem item{&document, &answer};
    return json::parse(stored->model->predict({&item, 1})[0])["labels"][0]["label"];
  }

  TemporaryDirectory directory_;
  Metrics metrics_;
  int loads_ = 0;
};

TEST_F(ModelStoreTest, HasNoModelsBeforeTheyAreLoaded) {
  ModelStore models = store();
  EXPECT_FALSE(models.is_ready());
  EXPECT_EQ(models.find(""), nullptr);
  EXPECT_TRUE(models.all().empty());
}

TEST_F(ModelStoreTest, FindsModelsByTheNameOfTheirDirectory) {
  directory_.write("n/manifest.json", "other");
  ModelStore models = store({"m", "n/"});
  models.load();
  EXPECT_TRUE(models.is_ready());
  EXPECT_EQ(mark_of(models.find("")), "first");
  EXPECT_EQ(mark_of(models.find("n")), "other");
  EXPECT_EQ(models.find("o"), nullptr);
  EXPECT_EQ(models.all().size(), 2U);
  EXPECT_THAT(models.find("n")->loaded, testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST_F(ModelStoreTest, GivesTheLabelsAsJson) {
  ModelStore models = store();
  models.load();
  EXPECT_EQ(json::parse(models.find("m")->labels_json), json::parse(R"({"model": "m", "labels": [
      {"label": "top", "level": 1, "parents": []},
      {"label": "leaf", "name": "a leaf", "level": 2, "parents": ["top"]}]})"));
}

TEST_F(ModelStoreTest, TwoDirectoriesOfOneNameAreAnError) {
  expect_error(ErrorKind::kUsage, {"\"m\"", "twice"}, [&] { store({"m", "n/../x/m"}); });
}

TEST_F(ModelStoreTest, AModelThatIsCorruptFromTheStartIsAnError) {
  directory_.write("m/manifest.json", "corrupt");
  ModelStore models = store();
  expect_error(ErrorKind::kModel, {"corrupt"}, [&] { models.load(); });
  EXPECT_FALSE(models.is_ready());
}

TEST_F(ModelStoreTest, LooksAtUnchangedDirectoriesWithoutLoading) {
  ModelStore models = store();
  models.load();
  for (int i = 0; i < 3; ++i) models.look_for_changes();
  EXPECT_EQ(loads_, 1);
}

TEST_F(ModelStoreTest, LoadsAChangedDirectoryWhenItHasSettled) {
  ModelStore models = store();
  models.load();
  models.look_for_changes();
  const auto old = models.find("m");
  directory_.write("m/manifest.json", "second!");
  models.look_for_changes();
  EXPECT_EQ(mark_of(models.find("m")), "first");  // it may be changing still
  models.look_for_changes();
  EXPECT_EQ(mark_of(models.find("m")), "second!");
  EXPECT_EQ(mark_of(old), "first");  // who has it keeps it
  models.look_for_changes();
  EXPECT_EQ(loads_, 2);
}

TEST_F(ModelStoreTest, KeepsTheOldModelWhenTheNewOneIsBadAndTriesTheNext) {
  spdlog::set_level(spdlog::level::off);
  ModelStore models = store();
  models.load();
  directory_.write("m/manifest.json", "corrupt");
  for (int i = 0; i < 4; ++i) models.look_for_changes();
  EXPECT_EQ(mark_of(models.find("m")), "first");
  EXPECT_EQ(loads_, 2);  // it is not tried again and again
  EXPECT_THAT(metrics_.text({}), HasSubstr("{model=\"m\",result=\"failed\"} 1"));
  directory_.write("m/manifest.json", "second!");
  for (int i = 0; i < 2; ++i) models.look_for_changes();
  EXPECT_EQ(mark_of(models.find("m")), "second!");
  EXPECT_THAT(metrics_.text({}), HasSubstr("{model=\"m\",result=\"ok\"} 2"));
  spdlog::set_level(spdlog::level::info);
}

TEST_F(ModelStoreTest, KeepsTheOldModelWhenTheDirectoryGoes) {
  spdlog::set_level(spdlog::level::off);
  ModelStore models = store();
  models.load();
  std::filesystem::remove_all(directory_.path() / "m");
  for (int i = 0; i < 3; ++i) models.look_for_changes();
  EXPECT_EQ(mark_of(models.find("m")), "first");
  spdlog::set_level(spdlog::level::info);
}

TEST_F(ModelStoreTest, LoadsAllAnewWhenAsked) {
  ModelStore models = store();
  models.load();
  models.reload();
  EXPECT_EQ(loads_, 2);
}

TEST_F(ModelStoreTest, FoldersInADirectoryDoNotCount) {
  ModelStore models = store();
  models.load();
  models.look_for_changes();
  directory_.write("m/run/checkpoint", "x");
  for (int i = 0; i < 3; ++i) models.look_for_changes();
  EXPECT_EQ(loads_, 1);
}

}  // namespace
}  // namespace hmtc
