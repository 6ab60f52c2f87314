#include "network/ensemble.h"

#include <gtest/gtest.h>

#include "base/logistic.h"
#include "network/scoring.h"
#include "support/expect_error.h"
#include "support/golden.h"

namespace hmtc {
namespace {

/// The network of a golden file, and others whose tensors are its times 1.1, times 1.2, …
struct SeveralMembers {
  explicit SeveralMembers(const std::string& name, std::int64_t count) : golden(name) {
    golden.config.train.members = count;
    for (std::int64_t member = 0; member < count; ++member) {
      for (const auto& [tensor, value] : golden.weights().tensors) {
        std::vector<float> values = float_values(value);
        for (float& number : values) number *= 1 + 0.1F * static_cast<float>(member);
        tensors.tensors[member_prefix(member, count) + tensor] =
            float_tensor(value.shape, values.data());
      }
    }
  }

  Ensemble ensemble() const {
    return {golden.config, golden.hierarchy, golden.vocabulary, tensors, "model.safetensors"};
  }

  GoldenFile golden;
  TensorFile tensors;
};

TEST(Ensemble, OfOneIsTheNetworkBitForBit) {
  for (const std::string& name : golden_names()) {
    const SeveralMembers one(name, 1);
    const ScoreSet expected =
        score_corpus(*one.golden.network(), one.golden.corpus, one.golden.num_labels(), 1);
    const ScoreSet found = one.ensemble().score(one.golden.corpus, 1);
    EXPECT_EQ(found.combined, expected.combined) << name;
    EXPECT_EQ(found.local, expected.local) << name;
    EXPECT_EQ(found.global, expected.global) << name;
  }
}

TEST(Ensemble, ItsLogitsAreTheMeanOfTheMembersLogits) {
  for (const char* name : {"la_hcn_paper", "hmcn_f", "flat"}) {
    const SeveralMembers three(name, 3);
    const Corpus& corpus = three.golden.corpus;
    const std::size_t labels = three.golden.num_labels();
    const Ensemble ensemble = three.ensemble();
    ASSERT_EQ(ensemble.members().size(), 3U);
    const ScoreSet together = ensemble.score(corpus, 1);
    for (auto part : {&ScoreSet::combined, &ScoreSet::local, &ScoreSet::global}) {
      std::vector<double> sums((together.*part).size(), 0.0);
      for (const auto& member : ensemble.members()) {
        const ScoreSet alone = score_corpus(*member, corpus, labels, 1);
        ASSERT_EQ((alone.*part).size(), sums.size());
        if (member != ensemble.members().front() && !sums.empty()) {
          EXPECT_NE(alone.*part, together.*part) << name;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
          sums[i] += std::log((alone.*part)[i]) - std::log1p(-(alone.*part)[i]);
        }
      }
      for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_NEAR((together.*part)[i], 1 / (1 + std::exp(-sums[i] / 3)), 1e-5) << name;
      }
    }
  }
}

TEST(Ensemble, AMemberWithoutItsTensorsIsNamed) {
  SeveralMembers two("flat", 2);
  two.tensors.tensors.erase("members.1.output.bias");
  expect_error(ErrorKind::kModel, {"model.safetensors", "members.1.output.bias"},
               [&] { two.ensemble(); });
}

}  // namespace
}  // namespace hmtc
