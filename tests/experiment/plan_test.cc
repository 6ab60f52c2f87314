#include "experiment/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

class PlanTest : public testing::Test {
 protected:
  Plan read(const std::string& text) {
    write_file_atomically(directory_.path() / "plan.json", text);
    return read_plan(directory_.path() / "plan.json");
  }

  /// A plan with these members beside what every plan must have.
  static std::string with(const std::string& members) {
    return R"({"title": "T", "data": {"description": "d", "directory": "{data}"}, "seeds": [1, 2],
               "rows": [{"name": "LA-HCN", "model": "la-hcn"}, {"name": "linear", "model": "linear"}])" +
           members + "}";
  }

  void expect_refused(const std::string& text, const std::vector<std::string>& said) {
    expect_error(ErrorKind::kInput, said, [&] { read(text); });
  }

  TemporaryDirectory directory_;
};

TEST_F(PlanTest, WhatIsNotThereHasItsDefault) {
  const Plan plan = read("// a comment\n" + with(""));
  EXPECT_EQ(plan.title, "T");
  EXPECT_EQ(plan.data.directory, "{data}");
  EXPECT_THAT(plan.seeds, ElementsAre(1, 2));
  EXPECT_EQ(plan.threads, 1);
  EXPECT_EQ(plan.reference, "LA-HCN");
  EXPECT_FALSE(plan.wants_embeddings);
  ASSERT_EQ(plan.rows.size(), 2U);
  EXPECT_FALSE(plan.rows[0].paper.has_value());
  EXPECT_THAT(plan.rows[0].trials, IsEmpty());
}

TEST_F(PlanTest, SettingsAreTextsAsSetHasThem) {
  const Plan plan =
      read(with(R"(, "settings": {"train.epochs": 3, "encoder.train_embeddings": false,
                                                "model.profile": "paper"})"));
  EXPECT_THAT(plan.settings,
              UnorderedElementsAre(Pair("train.epochs", "3"), Pair("model.profile", "paper"),
                                   Pair("encoder.train_embeddings", "false")));
}

TEST_F(PlanTest, TrialsAreForNeuralRows) {
  const Plan plan =
      read(with(R"(, "trials": [{"train.learning_rate": 0.01}, {"train.learning_rate": 0.001}])"));
  EXPECT_EQ(plan.rows[0].trials.size(), 2U);
  EXPECT_THAT(plan.rows[1].trials, IsEmpty());
}

TEST_F(PlanTest, RowsThatWereTriedMoreOftenThanOthersAreNotFair) {
  expect_refused(R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1],
                     "rows": [{"name": "A", "model": "flat", "trials": [{"train.epochs": 1}]},
                              {"name": "B", "model": "harnn"}]})",
                 {"plan.json", "as many trials", "0 for B and 1 for A"});
}

TEST_F(PlanTest, MistakesAreNamed) {
  expect_refused("{", {"plan.json", "JSON"});
  expect_refused("[]", {"an object"});
  expect_refused(R"({"data": {}})", {"title", "no such key"});
  expect_refused(with(R"(, "sedes": [1])"), {"sedes", "seeds"});
  expect_refused(with(R"(, "minutes": "ten")"), {"minutes", "a number", "ten"});
  expect_refused(with(R"(, "threads": 0)"), {"threads", "0"});
  expect_refused(R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1, 1],
                     "rows": [{"name": "A", "model": "flat"}]})",
                 {"seeds that differ"});
  expect_refused(with(R"(, "reference": "HARNN")"), {"reference", "HARNN"});
  expect_refused(with(R"(, "settings": {"train.epoch": 3})"), {"settings", "train.epochs"});
  expect_refused(with(R"(, "settings": {"train.epochs": -3})"), {"settings", "train.epochs"});
  expect_refused(with(R"(, "settings": {"train.epochs": [3]})"), {"train.epochs", "single value"});
  expect_refused(with(R"(, "settings": {"train.seed": 3})"), {"train.seed", "\"seeds\""});
  expect_refused(with(R"(, "trials": [{"train.threads": 3}])"), {"train.threads", "\"threads\""});
}

TEST_F(PlanTest, NumbersAreOfTheRightKind) {
  expect_refused(with(R"(, "threads": 1.5)"), {"threads to be a whole number", "1.5"});
  expect_refused(with(R"(, "minutes": -3)"), {"minutes", "-3"});
  expect_refused(with(R"(, "embeddings": 1)"), {"embeddings to be true or false"});
  const auto plan = [](const std::string& seeds, const std::string& documents) {
    return R"({"title": "T", "rows": [{"name": "A", "model": "flat"}], "seeds": )" + seeds +
           R"(, "data": {"description": "d", "directory": "x", "train_documents": )" + documents +
           "}}";
  };
  EXPECT_THAT(read(plan("[0, 2]", "3")).seeds, ElementsAre(0, 2));
  expect_refused(plan("[-1, 2]", "3"), {"seeds", "train.seed", "-1"});
  expect_refused(plan("[1.7]", "3"), {"seeds to be a list of whole numbers", "1.7"});
  expect_refused(plan("[18446744073709551615]", "3"), {"seeds"});
  expect_refused(plan("[9100000000000000]", "3"), {"seeds", "train.seed"});
  expect_refused(plan("[1]", "-1"), {"data.train_documents to be a whole number", "-1"});
}

TEST_F(PlanTest, NestingWithoutEndIsRefused) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  expect_refused(R"({"title": )" + deep + "}", {"plan.json", "nested too deeply"});
}

TEST_F(PlanTest, AKeyThatComesTwiceIsRefused) {
  expect_refused(R"({"title": "T", "seeds": [1], "seeds": [2]})", {"\"seeds\" twice"});
}

TEST_F(PlanTest, TheReferenceIsTheNameOfARowToTheLetter) {
  EXPECT_EQ(read(with(R"(, "reference": "linear")")).reference, "linear");
  expect_refused(with(R"(, "reference": "Linear")"), {"the name of a row", "\"Linear\""});
}

TEST_F(PlanTest, RowsNeedNamesThatTheirFilesCanHave) {
  const auto rows = [](const std::string& list) {
    return R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1], "rows": [)" +
           list + "]}";
  };
  expect_refused(rows(""), {"at least one row"});
  expect_refused(R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1],
                     "rows": {"name": "A"}})",
                 {"rows", "a list"});
  expect_refused(rows("3"), {"rows[0]", "an object"});
  expect_refused(
      rows(R"({"name": "LA HCN", "model": "flat"}, {"name": "la-hcn", "model": "flat"})"),
      {"la-hcn", "twice"});
  expect_refused(rows(R"({"name": "…", "model": "flat"})"), {"rows[0].name"});
  expect_refused(rows(R"({"model": "flat"})"), {"rows[0].name", "no such key"});
}

TEST_F(PlanTest, ATeacherIsARowThatHasNone) {
  const auto rows = [](const std::string& teacher_of_b) {
    return R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1], "rows": [
                 {"name": "A", "model": "flat", "teacher": "B"},
                 {"name": "B", "model": "flat")" +
           teacher_of_b + "}]}";
  };
  EXPECT_EQ(read(rows("")).rows[0].teacher, "B");
  expect_refused(rows(R"(, "teacher": "A")"), {"the teacher of \"A\"", "without a teacher"});
  expect_refused(rows(R"(, "teacher": "C")"), {"the teacher of"});
  expect_refused(
      R"({"title": "T", "data": {"description": "d", "directory": "x"}, "seeds": [1], "rows": [
            {"name": "A", "model": "linear", "teacher": "B"}, {"name": "B", "model": "flat"}]})",
      {"\"A\"", "linear"});
}

TEST_F(PlanTest, DataComeFromADirectoryOrAnImport) {
  const auto data = [](const std::string& members) {
    return R"({"title": "T", "seeds": [1], "rows": [{"name": "A", "model": "flat"}],
               "data": {"description": "d")" +
           members + "}}";
  };
  expect_refused(data(""), {"data.directory or data.import", "neither"});
  expect_refused(data(R"(, "directory": "x", "import": ["csv"])"), {"both"});
  EXPECT_THAT(read(data(R"(, "import": ["csv", "a.csv"])")).data.import,
              ElementsAre("csv", "a.csv"));
}

TEST(FileNameOf, KeepsLettersAndDigits) {
  EXPECT_EQ(file_name_of("LA-HCN (paper)"), "la-hcn-paper");
  EXPECT_EQ(file_name_of("../x"), "x");
  EXPECT_EQ(file_name_of("Cap.Network"), "cap-network");
}

}  // namespace
}  // namespace hmtc
