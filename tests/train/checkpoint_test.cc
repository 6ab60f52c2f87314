#include "train/checkpoint.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

Checkpoint small_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.state = {.member = 2,
                      .refit_steps = std::int64_t{1} << 40,
                      .step = 7,
                      .epoch = 1,
                      .batch = 3,
                      .validations_without_gain = 2,
                      .best_score = 0.1 + 0.2,  // no short decimal: must come back to the last bit
                      .best_step = 4,
                      .loss_sum = 1.0 / 3,
                      .loss_documents = 6};
  checkpoint.config = R"({"train": {"epochs": 3}})";
  checkpoint.fingerprint = "abc";
  checkpoint.all_documents = "def";
  const float weights[] = {1, -2, 0.5F};
  checkpoint.tensors.tensors["parameters/w"] = float_tensor({3}, weights);
  checkpoint.tensors.tensors["best/w"] = float_tensor({1, 2}, weights);
  return checkpoint;
}

class CheckpointTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.path() / "checkpoint.safetensors"; }
  void write(const std::string& bytes) const { directory_.write("checkpoint.safetensors", bytes); }

  TemporaryDirectory directory_;
};

TEST_F(CheckpointTest, ThereIsNoneWhereNoFileIs) {
  EXPECT_FALSE(load_checkpoint(path()).has_value());
}

TEST_F(CheckpointTest, ComesBackAsItWasSaved) {
  save_checkpoint(path(), small_checkpoint());
  const auto read = load_checkpoint(path());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->state.member, 2);
  EXPECT_EQ(read->state.refit_steps, std::int64_t{1} << 40);
  EXPECT_EQ(read->state.step, 7);
  EXPECT_EQ(read->state.epoch, 1);
  EXPECT_EQ(read->state.batch, 3);
  EXPECT_EQ(read->state.validations_without_gain, 2);
  EXPECT_EQ(read->state.best_score, 0.1 + 0.2);
  EXPECT_EQ(read->state.best_step, 4);
  EXPECT_EQ(read->state.loss_sum, 1.0 / 3);
  EXPECT_EQ(read->state.loss_documents, 6);
  EXPECT_EQ(read->config, small_checkpoint().config);
  EXPECT_EQ(read->fingerprint, "abc");
  EXPECT_EQ(read->all_documents, "def");
  ASSERT_EQ(read->tensors.tensors.size(), 2U);
  EXPECT_EQ(float_values(read->tensors.tensors.at("parameters/w")),
            (std::vector<float>{1, -2, 0.5F}));
  EXPECT_EQ(read->tensors.tensors.at("best/w").shape, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(CheckpointTest, TensorsBehindAPrefixComeBackWithoutItInMemoryOfTheirOwn) {
  const TensorFile& tensors = small_checkpoint().tensors;
  const TensorFile best = copy_without_prefix(tensors, "best/");
  ASSERT_EQ(best.tensors.size(), 1U);
  const StoredTensor& copy = best.tensors.at("w");
  EXPECT_EQ(copy.shape, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(float_values(copy), (std::vector<float>{1, -2}));
  TensorFile both;
  add_behind_prefix(best, "finished/", both);
  EXPECT_EQ(both.tensors.at("finished/w").bytes.data(), copy.bytes.data());
  EXPECT_NE(tensors.tensors.at("best/w").bytes.data(), copy.bytes.data());
}

TEST_F(CheckpointTest, ASecondOneReplacesTheFirstAndLeavesNoOtherFile) {
  save_checkpoint(path(), small_checkpoint());
  Checkpoint later = small_checkpoint();
  later.state.step = 8;
  save_checkpoint(path(), later);
  EXPECT_EQ(load_checkpoint(path())->state.step, 8);
  const auto files = std::filesystem::directory_iterator(directory_.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(CheckpointTest, EveryTruncationIsRefused) {
  save_checkpoint(path(), small_checkpoint());
  const std::string bytes = read_file(path());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    write(bytes.substr(0, length));
    expect_error(ErrorKind::kModel, {"checkpoint.safetensors"}, [&] { load_checkpoint(path()); });
  }
}

TEST_F(CheckpointTest, AFlippedBitInAnyByteIsRefused) {
  save_checkpoint(path(), small_checkpoint());
  const std::string bytes = read_file(path());
  for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
    // Bit 5 makes a zero byte of the blanks after the header, which a JSON parser may take for the
    // end.
    for (const std::size_t bit : {byte % 8, std::size_t{5}}) {
      std::string flipped = bytes;
      flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << bit));
      write(flipped);
      SCOPED_TRACE("bit " + std::to_string(bit) + " of byte " + std::to_string(byte));
      expect_error(ErrorKind::kModel, {"checkpoint.safetensors"}, [&] { load_checkpoint(path()); });
    }
  }
}

TEST_F(CheckpointTest, AnotherSafetensorsFileIsRefusedWithAdvice) {
  TensorFile file;
  const float one = 1;
  file.tensors["w"] = float_tensor({1}, &one);
  write(to_bytes(file));
  expect_error(ErrorKind::kModel,
               {"a checkpoint of this version of hmtc", "without a version", "--restart"},
               [&] { load_checkpoint(path()); });
}

TEST_F(CheckpointTest, OneOfAnotherVersionIsRefusedWithAdvice) {
  save_checkpoint(path(), small_checkpoint());
  TensorFile file = parse_tensor_file(read_file(path()), path().string());
  file.metadata["version"] = "1";
  write(to_bytes(file));
  expect_error(ErrorKind::kModel, {"one of another version", "--restart"},
               [&] { load_checkpoint(path()); });
}

}  // namespace
}  // namespace hmtc
