#include "experiment/run_record.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

/// A trained trial, and the run that would repeat it.
class TakeOverRun : public testing::Test {
 protected:
  TakeOverRun() { write_trial({"train trial", "data", 12, 34, true}); }

  fs::path trial() const { return folder_.path() / "trial"; }
  fs::path run() const { return folder_.path() / "run"; }

  void write_trial(const RunRecord& record) const {
    fs::create_directories(trial());
    write_record(trial(), record);
    write_file_atomically(trial() / "model", "weights");
  }

  void take_over(const std::string& inputs = "data") const {
    take_over_run({trial(), "train trial"}, run(), "train run", inputs);
  }

  void expect_taken() const {
    EXPECT_FALSE(fs::exists(trial()));
    EXPECT_EQ(read_file(run() / "model"), "weights");
    const RunRecord record = open_run(run(), "train run", "data");
    EXPECT_TRUE(record.is_trained);
    EXPECT_EQ(record.seconds, 12);
    EXPECT_EQ(record.peak_mb, 34);
  }

  void expect_left() const {
    EXPECT_FALSE(fs::exists(run()));
    EXPECT_EQ(read_file(trial() / "model"), "weights");
  }

 private:
  TemporaryDirectory folder_;
};

TEST_F(TakeOverRun, NothingIsThereToTake) {
  fs::remove_all(trial());
  take_over();
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(TakeOverRun, MovesTheModelAndKeepsWhatIsKnownOfItsTraining) {
  take_over();
  expect_taken();
}

TEST_F(TakeOverRun, GoesOnWhenItWasKilledBeforeTheFolderMoved) {
  write_trial({"train run", "data", 12, 34, true});
  take_over();
  expect_taken();
}

TEST_F(TakeOverRun, LeavesWhatReadOtherData) {
  take_over("other data");
  expect_left();
}

TEST_F(TakeOverRun, LeavesWhatHadAnotherCommand) {
  write_trial({"train otherwise", "data", 12, 34, true});
  take_over();
  expect_left();
}

TEST_F(TakeOverRun, LeavesWhatIsNotTrained) {
  write_trial({"train trial", "data", 12, 34, false});
  take_over();
  expect_left();
}

}  // namespace
}  // namespace hmtc
