#include "data/data_directory.h"

#include <gtest/gtest.h>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

constexpr const char* kDocument = R"({"text": "tea", "labels": ["drink/tea"]})";

TEST(OpenDataDirectory, MissingThingsAreIoErrorsThatSayWhatToDo) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kIo, {"nothing", "hmtc import"},
               [&] { open_data_directory(directory.path() / "none"); });
  expect_error(ErrorKind::kIo, {"a file"},
               [&] { open_data_directory(directory.write("file", "")); });
  expect_error(ErrorKind::kIo, {"train.jsonl"}, [&] { open_data_directory(directory.path()); });
}

TEST(OpenDataDirectory, ReadsTheHierarchyFileAndTheSplitsThatExist) {
  const TemporaryDirectory directory;
  directory.write("hierarchy.tsv", "drink\t\ntea\tdrink\tHot tea\n");
  const std::string train = directory.write("train.jsonl", kDocument);
  const std::string test = directory.write("test.jsonl", kDocument);
  const DataDirectory data = open_data_directory(directory.path());
  EXPECT_TRUE(data.has_hierarchy_file);
  EXPECT_EQ(data.hierarchy.shape(), "1/1");
  EXPECT_EQ(data.hierarchy.description(1), "Hot tea");
  EXPECT_EQ(data.train, train);
  EXPECT_FALSE(data.validation.has_value());
  EXPECT_EQ(data.test, test);
}

TEST(OpenDataDirectory, WithoutAHierarchyFileThePathsOfAllSplitsSpellIt) {
  const TemporaryDirectory directory;
  directory.write("train.jsonl", kDocument);
  directory.write("val.jsonl", R"({"text": "x", "labels": ["drink/milk"]})");
  directory.write("test.jsonl", R"({"text": "x", "labels": ["food"]})");
  const DataDirectory data = open_data_directory(directory.path());
  EXPECT_FALSE(data.has_hierarchy_file);
  EXPECT_EQ(data.hierarchy.shape(), "2/2");  // drink, food / tea, milk
  for (const char* label : {"drink", "drink/tea", "drink/milk", "food"}) {
    EXPECT_GE(data.hierarchy.find(label), 0) << label;
  }
}

TEST(OpenDataDirectory, WithoutAnyLabelThereIsNoHierarchy) {
  const TemporaryDirectory directory;
  directory.write("train.jsonl", R"({"text": "x", "labels": []})");
  expect_error(ErrorKind::kInput, {"train.jsonl", "labels"},
               [&] { open_data_directory(directory.path()); });
}

TEST(OpenDataDirectory, BadLinesAndBadTreesNameTheirPlace) {
  const TemporaryDirectory directory;
  directory.write("train.jsonl", std::string(kDocument) + "\n{\n");
  expect_error(ErrorKind::kInput, {"train.jsonl:2"},
               [&] { open_data_directory(directory.path()); });
  directory.write("hierarchy.tsv", "a\t\nb\tc\n");
  expect_error(ErrorKind::kInput, {"hierarchy.tsv:2", "\"c\""},
               [&] { open_data_directory(directory.path()); });
}

}  // namespace
}  // namespace hmtc
