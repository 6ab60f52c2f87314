// Exit codes 3 (a file does not hold what it should) and 4 (it cannot be read or written).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "apps/tiny_project.h"

namespace hmtc {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class BadInput : public testing::Test {
 protected:
  static void SetUpTestSuite() { project_ = new TinyProject; }
  static void TearDownTestSuite() { delete project_; }

  /// A data directory with one good training document, the given tree and one more line.
  static std::string data(const std::string& hierarchy, const std::string& line = {}) {
    const TemporaryDirectory& directory = project_->directory();
    directory.write("bad/hierarchy.tsv", hierarchy);
    directory.write("bad/train.jsonl", "{\"text\": \"tea\", \"labels\": [\"a\"]}\n" + line);
    return project_->path("bad");
  }

  static void expect_failure(int exit_code, const Arguments& arguments,
                             const std::vector<std::string>& parts) {
    const ProcessResult result = hmtc_program(arguments);
    SCOPED_TRACE(testing::PrintToString(arguments));
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
    for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
  }

  static void expect_data_refused(const std::string& directory,
                                  const std::vector<std::string>& parts) {
    expect_failure(3, {"train", "--data", directory, "--out", project_->path("never")}, parts);
    EXPECT_FALSE(std::filesystem::exists(project_->path("never/manifest.json")));
  }

  static inline TinyProject* project_ = nullptr;
};

TEST_F(BadInput, ABadHierarchyIsNamedWithFileAndLine) {
  expect_data_refused(data("a\t\nb\tc\nc\tb\n"), {"hierarchy.tsv", "cycle"});
  expect_data_refused(data("a\t\nb\tnowhere\n"), {"hierarchy.tsv:2", "\"nowhere\""});
}

TEST_F(BadInput, ABadDocumentIsNamedWithFileAndLine) {
  expect_data_refused(data("a\t\n", "{\"text\": \"x\", \"labels\": [\"zzz\"]}\n"),
                      {"train.jsonl:2", "\"zzz\"", "data.strict=false"});
  expect_data_refused(data("a\t\n", "{\"text\": \"x\", \"labels\": [\n"),
                      {"train.jsonl:2", "bad JSON"});
  expect_data_refused(data("a\t\n", "{\"text\": \"\xFF\", \"labels\": []}\n"),
                      {"train.jsonl:2", "UTF-8"});
}

TEST_F(BadInput, UnknownLabelsAreLeftOutWhenToldSo) {
  const std::string unknown = project_->directory().write(
      "unknown.jsonl", R"({"text": "green leaf", "labels": ["drink/tea", "zzz"]})");
  expect_failure(3, {"evaluate", project_->model(), "--data", unknown},
                 {unknown + ":1", "\"zzz\""});
  const ProcessResult lenient =
      hmtc_program({"evaluate", project_->model(), "--data", unknown, "--lenient"});
  EXPECT_EQ(lenient.exit_code, 0) << lenient.err;
  EXPECT_THAT(lenient.err, HasSubstr("\"zzz\""));
}

TEST_F(BadInput, AnImportThatBreaksItsFormatIsNamed) {
  const std::string arff = project_->directory().write("in.arff", "@relation x\n@data\n1,2\n");
  expect_failure(3, {"import", "clus-arff", arff, arff, "--out", project_->path("i")}, {arff});
}

TEST_F(BadInput, LabelsThatNoLineOfHierarchyTsvCanHoldAreNamedWithFileAndLine) {
  for (const char* label : {R"(x\ty)", R"(x\ny)", R"(\u0000)", R"(a\r/b)", R"(\ufeffx)"}) {
    const TemporaryDirectory data;
    const std::string line = R"({"text": "red dog", "labels": [")" + std::string(label) + "\"]}\n";
    const std::string file =
        data.write("train.jsonl", "{\"text\": \"a\", \"labels\": [\"b\"]}\n" + line);
    expect_failure(3, {"train", "--data", data.path().string(), "--out", project_->path("labels")},
                   {file + ":2: expected a label without"});
  }
}

TEST_F(BadInput, ImportDoesNotWriteIntoAModel) {
  const std::string text = project_->directory().write("in.txt", "__label__a tea\n");
  expect_failure(2, {"import", "fasttext", text, text, "--out", project_->model()}, {"a model in"});
}

TEST_F(BadInput, NestingWithoutEndIsRefused) {
  std::string xml = "<record>";
  for (int i = 0; i < 50000; ++i) xml += "<a>";
  for (int i = 0; i < 50000; ++i) xml += "</a>";
  const std::string deep = project_->directory().write("deep.xml", xml + "</record>\n");
  expect_failure(3, {"import", "wipo-alpha", deep, deep, "--out", project_->path("i")},
                 {deep, "levels deep"});
  const std::string config = project_->directory().write(
      "deep.json",
      "{\"train\": {\"epochs\": " + std::string(50000, '[') + std::string(50000, ']') + "}}");
  expect_failure(2, project_->train_arguments(project_->path("i"), {"--config", config}),
                 {"deep.json", "nested too deeply"});
}

TEST_F(BadInput, ADirectoryThatIsNoModelIsLeftAsItIs) {
  const std::string file = project_->directory().write("own/.staging/file", "precious");
  const std::string ours = project_->directory().write("own/.hmtc-staging/file", "precious");
  project_->directory().write("own/other", "");
  expect_failure(2, project_->train_arguments(project_->path("own")), {"other", "--out"});
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(ours));
}

TEST_F(BadInput, SettingsThatTheModelCouldNotStoreAreRefusedBeforeTraining) {
  expect_failure(2,
                 project_->train_arguments(project_->path("s"), {"--set", "text.stop_words=\xff"}),
                 {"text.stop_words"});
  expect_failure(2, project_->train_arguments(project_->path("s"), {"--resume", "--restart"}),
                 {"--resume or --restart"});
}

TEST_F(BadInput, MissingFilesAreIoErrors) {
  const std::string none = project_->path("none");
  expect_failure(4, {"train", "--data", none, "--out", project_->path("never")}, {none});
  expect_failure(4, {"inspect", none}, {none});
  expect_failure(4, {"predict", none}, {none});
  expect_failure(4, {"predict", project_->model(), none}, {none});
  expect_failure(4, {"import", "fasttext", none, "--out", project_->path("i")}, {none});
  expect_failure(4, project_->train_arguments(project_->path("never"), {"--embeddings", none}),
                 {none});
}

TEST_F(BadInput, APlaceThatCannotBeWrittenIsAnIoError) {
  const std::string file = project_->directory().write("file", "");
  const std::string input = project_->directory().write("ft.txt", "__label__a tea\n");
  // Below a file nobody can make a directory, not even root.
  expect_failure(4, project_->train_arguments(file), {file});
  expect_failure(4, project_->train_arguments(file + "/model"), {file});
  expect_failure(4, {"import", "fasttext", input, "--split", "100/0/0", "--out", file + "/data"},
                 {file});
}

TEST_F(BadInput, AClosedStandardErrorDoesNotChangeTheExitCode) {
  const ProcessResult result =
      run_process({"/bin/sh", "-c", "\"$0\" inspect missing 2>&-", HMTC_PROGRAM}, {}, {});
  EXPECT_EQ(result.exit_code, 4);
}

TEST_F(BadInput, AFullDiskUnderStandardOutputIsAnIoError) {
  const std::string test = project_->data() + "/test.jsonl";
  for (const Arguments& arguments : {Arguments{"config"}, Arguments{"inspect", project_->data()},
                                     Arguments{"predict", project_->model(), test}}) {
    const ProcessResult result = hmtc_program(arguments, {}, "/dev/full");
    EXPECT_EQ(result.exit_code, 4) << arguments[0];
    EXPECT_THAT(result.err, HasSubstr("standard output"));
  }
}

}  // namespace
}  // namespace hmtc
