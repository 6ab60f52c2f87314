#include "train/trainer_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/install_folders.h"
#include "base/version.h"
#include "support/process.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kPrintsWhatItGets =
    "#!/bin/sh\necho \"$0: $* for $HMTC_TRAINER_FOR, $OPENBLAS_NUM_THREADS thread\"\n";

/// A program that looks for hmtc-trainer, in a folder of its own.
class TrainerProgram : public testing::Test {
 protected:
  TrainerProgram() {
    fs::create_directories(prefix_ / "bin");
    fs::copy_file(HMTC_TRAINER_SEARCH, program());
  }

  fs::path program() const { return prefix_ / "bin" / "hmtc"; }
  fs::path beside() const { return prefix_ / "bin" / "hmtc-trainer"; }
  /// The libexec folder as it is seen from the folder of programs, or from that of libraries.
  fs::path in_libexec(const char* from = kLibexecFromPrograms) const {
    return (prefix_ / "bin" / from / "hmtc-trainer").lexically_normal();
  }

  void put(const fs::path& trainer) const {
    fs::create_directories(trainer.parent_path());
    write_file_atomically(trainer, kPrintsWhatItGets);
    fs::permissions(trainer, fs::perms::owner_all);
  }

  ProcessResult run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> argv = {program().string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return run_process(argv);
  }

  TemporaryDirectory directory_;
  fs::path prefix_ = fs::canonical(directory_.path()) / "a" / "b" / "prefix";
};

TEST_F(TrainerProgram, IsNotFoundWhereThereIsNone) { EXPECT_EQ(run({"find"}).out, "none\n"); }

TEST_F(TrainerProgram, WithoutItTheMessageSaysWhatToInstallAndWhere) {
  for (const char* verb : {"require", "become"}) {
    const ProcessResult result = run({verb});
    EXPECT_EQ(result.exit_code, 2) << verb;  // kUsage
    EXPECT_THAT(result.err, HasSubstr(std::string("hmtc-trainer ") + kVersion));
    EXPECT_THAT(result.err, HasSubstr("install it"));
    EXPECT_THAT(result.err, HasSubstr((prefix_ / "bin").string()));
    EXPECT_THAT(result.err, HasSubstr(in_libexec().parent_path().string()));
    EXPECT_THAT(result.err, HasSubstr("--model linear"));
  }
}

TEST_F(TrainerProgram, IsFoundInTheLibexecFolderOfTheProgram) {
  put(in_libexec());
  EXPECT_EQ(run({"find"}).out, in_libexec().string() + "\n");
  EXPECT_EQ(run({"require"}).out, in_libexec().string() + "\n");
}

TEST_F(TrainerProgram, IsFoundInTheLibexecFolderOfALibrary) {
  put(in_libexec(kLibexecFromLibraries));
  EXPECT_EQ(run({"find"}).out, in_libexec(kLibexecFromLibraries).string() + "\n");
}

TEST_F(TrainerProgram, BesideTheProgramGoesFirst) {
  put(in_libexec());
  put(beside());
  EXPECT_EQ(run({"find"}).out, beside().string() + "\n");
}

TEST_F(TrainerProgram, ThatCannotBeExecutedIsNone) {
  put(in_libexec());
  write_file_atomically(beside(), "no program");
  EXPECT_EQ(run({"find"}).out, in_libexec().string() + "\n");
}

TEST_F(TrainerProgram, IsFoundThroughALinkToTheProgram) {
  put(beside());
  const fs::path link = directory_.path() / "link";
  fs::create_symlink(program(), link);
  EXPECT_EQ(run_process({link.string(), "find"}).out, beside().string() + "\n");
}

TEST_F(TrainerProgram, GetsTheSameArgumentsAndIsToldTheVersion) {
  put(beside());
  const ProcessResult result = run({"become", "--out", "a b"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, beside().string() + ": become --out a b for " + kVersion + ", 1 thread\n");
}

TEST_F(TrainerProgram, StartedByNobodyItSetsItsOwnEnvironment) {
  const ProcessResult result = run({"train"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "begun, threads 1, version none\n");
}

TEST_F(TrainerProgram, OfAnotherVersionThanHmtcIsRefused) {
  const ProcessResult result =
      run_process({"/usr/bin/env", "HMTC_TRAINER_FOR=0.0.0-other", program().string(), "train"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("0.0.0-other"));
  EXPECT_THAT(result.err, HasSubstr(kVersion));
  EXPECT_THAT(result.err, HasSubstr("of one version"));
}

}  // namespace
}  // namespace hmtc
