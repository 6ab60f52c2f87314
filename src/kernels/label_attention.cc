#include "kernels/label_attention.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "kernels/attention_tile.h"
#include "kernels/sums.h"

namespace hmtc {
namespace {

/// With so many the threads have enough to do with large tiles.
constexpr std::size_t kDocumentsPerThread = 4;

/// The forward pass: the words of each document, then tile by tile to the results.
class Forward {
 public:
  Forward(const LabelAttentionOperands& operands, const PackedAttention& packed,
          const LabelAttentionResults& results, bool keeps_rows, int threads)
      : operands_(operands),
        shape_(operands.shape),
        packed_(packed),
        results_(results),
        keeps_rows_(keeps_rows),
        threads_(threads),
        documents_(operands, packed),
        S_transposed_(shape_.documents) {
    trace_.documents.resize(shape_.documents);
  }

  LabelAttentionTrace run() {
    if (shape_.documents >= static_cast<std::size_t>(threads_)) {
      parallel_for(shape_.documents, threads_,
                   [&](std::size_t document) { read_words(document, 1); });
    } else {
      for (std::size_t document = 0; document < shape_.documents; ++document) {
        read_words(document, static_cast<std::size_t>(threads_));
      }
    }
    pass_labels();
    return std::move(trace_);
  }

 private:
  /// All that is made of a document's words, by `num_threads` threads.
  void read_words(std::size_t document, std::size_t num_threads) {
    const std::size_t words = documents_.words_of(document);
    const std::size_t C = shape_.components;
    LabelAttentionTrace::OfDocument& of_document = trace_.documents[document];
    of_document.projected = Buffer(words * shape_.attention_width);
    Buffer S(operands_.v_c == nullptr ? 0 : words * C);
    if (documents_.projected_first()) {
      of_document.values = PackedMatrix(words, shape_.document_width);
    } else {
      of_document.values =
          PackedMatrix::of(documents_.I_of(document), shape_.word_width, words, shape_.word_width);
    }
    parallel_for(num_threads, static_cast<int>(num_threads), [&](std::size_t part) {
      const std::size_t begin = part * words / num_threads;
      const std::size_t end = (part + 1) * words / num_threads;
      float* projected = of_document.projected.data();
      documents_.project(document, begin, end, projected);
      if (operands_.v_c != nullptr) documents_.relate(begin, end, projected, S.data());
      if (documents_.projected_first()) {
        documents_.multiply_by_W(document, begin, end, of_document.values);
      }
    });
    if (operands_.v_c != nullptr) {
      S_transposed_[document] = PackedMatrix::of_transpose(S.data(), C, C, words);
    }
  }

  /// The sums over the labels are added up segment by segment, in the same order on any number of
  /// threads.
  void pass_labels() {
    const std::size_t d = shape_.document_width;
    const auto threads = static_cast<std::size_t>(threads_);
    // Small tiles cost more, and are for few documents: every thread is to have some.
    const bool is_small = threads > 1 && shape_.documents < kDocumentsPerThread * threads;
    const std::vector<Tile> tiles = tiles_of(shape_, is_small ? kSegmentLabels : kTileRows);
    std::vector<Buffer> sums(tiles.size());  // (segments, 2, d): of D~ and of D
    std::atomic<std::size_t> next = 0;
    parallel_for(std::min(threads, tiles.size()), threads_, [&](std::size_t /*worker*/) {
      AttentionTile attention(operands_, packed_, documents_);
      for (std::size_t i = next++; i < tiles.size(); i = next++) {
        sums[i] = Buffer(tiles[i].segments.size() * 2 * d);
        pass_tile(attention, tiles[i], sums[i].data());
      }
    });
    std::fill_n(results_.v, shape_.documents * d, 0.0F);
    std::fill_n(results_.v_tilde, shape_.documents * d, 0.0F);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const float* sum = sums[i].data();
      for (const Segment& segment : tiles[i].segments) {
        add_to({sum, d}, results_.v_tilde + segment.document * d);
        add_to({sum + d, d}, results_.v + segment.document * d);
        sum += 2 * d;
      }
    }
    const float share = 1 / static_cast<float>(shape_.labels);
    for (std::size_t i = 0; i < shape_.documents * d; ++i) {
      results_.v[i] *= share;
      results_.v_tilde[i] *= share;
    }
  }

  void pass_tile(AttentionTile& attention, const Tile& tile, float* sums) {
    const std::size_t d = shape_.document_width;
    for (const Segment& segment : tile.segments) {
      LabelAttentionTrace::OfDocument& kept = trace_.documents[segment.document];
      attention.attend(segment,
                       {kept.projected.data(), &S_transposed_[segment.document], &kept.values});
      if (keeps_rows_) attention.store(segment, kept);
    }
    attention.project(tile.rows);
    std::fill_n(sums, tile.segments.size() * 2 * d, 0.0F);
    for (const Segment& segment : tile.segments) {
      label_rows_forward(
          attention.label_rows(segment), attention.D_of(segment), d,
          results_.local_logits + segment.document * shape_.labels + segment.first_label, sums,
          sums + d);
      sums += 2 * d;
    }
  }

  const LabelAttentionOperands& operands_;
  const LabelAttentionShape& shape_;
  const PackedAttention& packed_;
  const LabelAttentionResults& results_;
  bool keeps_rows_;
  int threads_;
  DocumentWords documents_;
  std::vector<PackedMatrix> S_transposed_;
  LabelAttentionTrace trace_;
};

}  // namespace

PackedAttention::PackedAttention(const LabelAttentionOperands& operands)
    : W_transposed(PackedMatrix::of_transpose(operands.W, operands.shape.word_width,
                                              operands.shape.word_width,
                                              operands.shape.document_width)),
      f_w_transposed(PackedMatrix::of_transpose(operands.f_w, operands.shape.word_width,
                                                operands.shape.word_width,
                                                operands.shape.attention_width)) {
  const std::size_t C = operands.shape.components;
  const std::size_t a = operands.shape.attention_width;
  if (operands.v_c != nullptr) {
    v_c_transposed = PackedMatrix::of_transpose(operands.v_c, a, a, C);
  } else {
    R_tilde_transposed = PackedMatrix::of_transpose(operands.R_tilde, C, C, operands.shape.labels);
  }
}

LabelAttentionTrace label_attention_forward(const LabelAttentionOperands& operands,
                                            const PackedAttention& packed,
                                            const LabelAttentionResults& results) {
  return Forward(operands, packed, results, rows_are_kept(operands.shape), /*threads=*/1).run();
}

void label_attention_results(const LabelAttentionOperands& operands, const PackedAttention& packed,
                             const LabelAttentionResults& results, int threads) {
  Forward(operands, packed, results, /*keeps_rows=*/false, std::max(threads, 1)).run();
}

}  // namespace hmtc
