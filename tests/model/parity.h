#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "model/model.h"
#include "network/network.h"
#include "support/tiny_model.h"

namespace hmtc {

inline constexpr double kParityAgreement = 1e-5;  // of probabilities

/// A name, what it reads, whose equations, and whether with every ingredient of LA-HCN+.
struct ParityCase {
  std::string name;
  EncoderKind encoder;
  Profile profile;
  bool has_everything;
};

std::vector<ParityCase> all_parity_cases();
/// Those of the networks whose names begin so.
std::vector<ParityCase> parity_cases_of(const std::string& beginning);
/// For the names of tests.
std::string name_of(const ParityCase& tested);
inline std::string name_of_case(const testing::TestParamInfo<ParityCase>& tested) {
  return name_of(tested.param);
}
inline void PrintTo(const ParityCase& tested, std::ostream* out) { *out << name_of(tested); }

/// A network twice, as it learns and as it answers, of the same tensors and at random sizes.
class Parity : public testing::TestWithParam<ParityCase> {
 protected:
  /// Calls check() for each of the draws, everything in place.
  void for_each_draw(const std::function<void()>& check);

  void expect_close(const Matrix& actual, const torch::Tensor& expected, const std::string& name,
                    double tolerance = kParityAgreement);

  std::vector<std::size_t> all_documents() const;

  /// Calls check(the document alone for torch, the attention of all labels) for each document with
  /// a word.
  template <typename Check>
  void look_at_every_document(const Check& check) {
    std::vector<LabelId> labels(hierarchy_.num_labels());
    std::iota(labels.begin(), labels.end(), LabelId{0});
    for (std::size_t i = 0; i < corpus_.size(); ++i) {
      if (corpus_.words_of(i).empty()) continue;
      const std::size_t one[] = {i};
      check(make_word_batch(corpus_, one),
            network_->attention(make_document_batch(corpus_, one), labels));
    }
  }

  std::shared_ptr<Model> model_;
  std::unique_ptr<const Network> network_;
  Hierarchy hierarchy_ = tree_of({1});  // that of the draw
  Corpus corpus_;
  double largest_ = 0;
};

}  // namespace hmtc
