// What the kernel computes is tested against the composition of its equations in
// tests/model/fused_label_attention_test.cc; here, that what answers gives the bits of what learns.
#include "kernels/label_attention.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/instruction_sets.h"

namespace hmtc {
namespace {

std::vector<float> random_values(std::size_t size, Random& random) {
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(random.below(2001)) / 1000 - 1;
  return values;
}

/// A level with everything that it may have, or nothing of it.
struct Level {
  Level(const LabelAttentionShape& sizes, std::vector<std::int64_t> of_documents, bool with_all)
      : shape(sizes), lengths(std::move(of_documents)), has_all(with_all) {
    Random random(3);
    const auto fill = [&](std::vector<float>& values, std::size_t rows, std::size_t columns) {
      values = random_values(rows * columns, random);
    };
    if (!has_all) shape.components = shape.attention_width;
    fill(I, shape.documents * shape.words, shape.word_width);
    fill(f_w, shape.attention_width, shape.word_width);
    fill(shift, shape.documents, shape.attention_width);
    fill(v_c, shape.components, shape.attention_width);
    fill(R_tilde, shape.labels, shape.components);
    fill(W, shape.document_width, shape.word_width);
    fill(b, 1, shape.document_width);
    fill(m, shape.documents, shape.labels);
    fill(readout, shape.labels, shape.document_width);
    fill(word_bias, shape.documents, shape.words);
  }

  LabelAttentionOperands operands() const {
    return {shape,          lengths,
            I.data(),       f_w.data(),
            shift.data(),   has_all ? v_c.data() : nullptr,
            R_tilde.data(), W.data(),
            b.data(),       has_all ? m.data() : nullptr,
            readout.data(), has_all ? word_bias.data() : nullptr};
  }

  LabelAttentionShape shape;
  std::vector<std::int64_t> lengths;
  bool has_all;
  std::vector<float> I, f_w, shift, v_c, R_tilde, W, b, m, readout, word_bias;
};

struct Results {
  explicit Results(const LabelAttentionShape& shape)
      : local_logits(shape.documents * shape.labels, -1.0F),
        v_tilde(shape.documents * shape.document_width, -1.0F),
        v(v_tilde) {}

  LabelAttentionResults pointers() { return {local_logits.data(), v_tilde.data(), v.data()}; }
  bool operator==(const Results&) const = default;

  std::vector<float> local_logits, v_tilde, v;
};

TEST(LabelAttentionKernel, WhatAnswersGivesTheBitsOfWhatLearnsOnAnyNumberOfThreads) {
  const std::vector<Level> levels = {
      {{1, 1, 1, 1, 1, 1, 1}, {1}, true},
      {{2, 3, 5, 2, 4, 3, 6}, {0, 3}, true},
      {{3, 40, 7, 3, 4, 17, 9}, {40, 1, 17}, true},    // more words than labels
      {{3, 9, 130, 10, 12, 20, 33}, {9, 0, 4}, true},  // more labels than words
      {{3, 9, 130, 10, 12, 20, 33}, {9, 0, 4}, false},
      {{1, 64, 300, 50, 40, 24, 48}, {64}, true},  // one document, tiles of labels
      {{1, 64, 300, 50, 40, 24, 48}, {64}, false}};
  for_each_instruction_set([&] {
    for (const Level& level : levels) {
      const LabelAttentionOperands operands = level.operands();
      const PackedAttention packed(operands);
      Results learnt(level.shape);
      label_attention_forward(operands, packed, learnt.pointers());
      for (const int threads : {1, 2, 3, 8}) {
        Results answered(level.shape);
        label_attention_results(operands, packed, answered.pointers(), threads);
        EXPECT_TRUE(answered == learnt) << level.shape.labels << " labels, " << threads;
      }
    }
  });
}

}  // namespace
}  // namespace hmtc
