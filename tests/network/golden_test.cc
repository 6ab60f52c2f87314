// The networks as they answer against numbers that an independent implementation made
// (tests/golden/README.md), on every instruction set.
#include "support/golden.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/instruction_sets.h"

namespace hmtc {
namespace {

constexpr double kAgreement = 1e-5;

std::vector<double> probabilities(std::vector<double> logits) {
  for (double& logit : logits) logit = 1 / (1 + std::exp(-logit));
  return logits;
}

void expect_near(std::span<const float> actual, std::span<const double> expected,
                 const std::string& name) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], kAgreement) << name << ", number " << i;
  }
}

class NetworkGolden : public testing::TestWithParam<std::string> {
 protected:
  /// Calls check(network) on every instruction set, each with a network of its own.
  template <typename Check>
  void on_every_instruction_set(const Check& check) const {
    for_each_instruction_set([&] { check(*golden_.network()); });
  }

  /// Calls check(document, its attention for all labels) for each document with a word.
  template <typename Check>
  void look_at_every_document(const Network& network, const Check& check) const {
    std::vector<LabelId> labels(golden_.num_labels());
    std::iota(labels.begin(), labels.end(), LabelId{0});
    std::size_t looked = 0;
    for (std::size_t i = 0; i < golden_.corpus.size(); ++i) {
      if (golden_.corpus.words_of(i).empty()) continue;
      const std::size_t documents[] = {i};
      check(i, network.attention(make_document_batch(golden_.corpus, documents), labels));
      ++looked;
    }
    EXPECT_GT(looked, 1U);
  }

  /// The first `count` numbers of row `row` of `rows` rows of a document in a tensor (B, rows, N).
  std::vector<double> expected_row(const std::string& name, std::size_t document, std::size_t rows,
                                   std::size_t row, std::size_t count) const {
    const std::vector<double> all = golden_.expected(name);
    const std::size_t columns = all.size() / golden_.corpus.size() / rows;
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>((document * rows + row) * columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  std::size_t words(std::size_t document) const { return golden_.corpus.words_of(document).size(); }
  std::size_t level_of(std::size_t label) const {
    return golden_.hierarchy.level_of(static_cast<LabelId>(label));
  }
  /// Its number within its level.
  std::size_t place(std::size_t label) const {
    return label - static_cast<std::size_t>(golden_.hierarchy.level_begin(level_of(label)));
  }

  const GoldenFile golden_{GetParam()};
};

TEST_P(NetworkGolden, ScoresAgree) {
  on_every_instruction_set([&](const Network& network) {
    expect_near(network.scores(golden_.batch()).combined.values(), golden_.expected("scores"),
                "combined");
  });
}

TEST_P(NetworkGolden, ScoresAgreeForEachDocumentAlone) {
  const std::vector<double> expected = golden_.expected("scores");
  on_every_instruction_set([&](const Network& network) {
    for (std::size_t i = 0; i < golden_.corpus.size(); ++i) {
      const std::size_t documents[] = {i};
      expect_near(network.scores(make_document_batch(golden_.corpus, documents)).combined.values(),
                  std::span(expected).subspan(i * golden_.num_labels(), golden_.num_labels()),
                  "document " + std::to_string(i));
    }
  });
}

TEST_P(NetworkGolden, LocalAndGlobalScoresAgreeWhereThereAreBoth) {
  const bool has_parts = golden_.has("global_logits") &&
                         (golden_.has("local_logits") || golden_.has("level_1.local_logits")) &&
                         golden_.config.model.name != "la-hcn-g";
  on_every_instruction_set([&](const Network& network) {
    EXPECT_EQ(network.has_parts(), has_parts);
    const NetworkScores scores = network.scores(golden_.batch());
    if (!has_parts) {
      EXPECT_TRUE(scores.local.empty());
      EXPECT_TRUE(scores.global.empty());
      return;
    }
    expect_near(scores.local.values(), probabilities(golden_.expected_local_logits()), "local");
    expect_near(scores.global.values(), probabilities(golden_.expected("global_logits")), "global");
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkGolden, testing::ValuesIn(golden_names()),
                         [](const auto& golden) { return golden.param; });

class LaHcnNetworkGolden : public NetworkGolden {};

TEST_P(LaHcnNetworkGolden, AttentionOfEveryLabelAgrees) {
  on_every_instruction_set([&](const Network& network) {
    look_at_every_document(network, [&](std::size_t document, const WordAttention& looked) {
      ASSERT_EQ(looked.A.rows(), golden_.num_labels());
      for (std::size_t label = 0; label < golden_.num_labels(); ++label) {
        const std::size_t h = level_of(label);
        expect_near(looked.A.row(label),
                    expected_row("level_" + std::to_string(h + 1) + ".A", document,
                                 golden_.hierarchy.level_size(h), place(label), words(document)),
                    "label " + std::to_string(label));
      }
    });
  });
}

TEST_P(LaHcnNetworkGolden, RelevanceOfComponentsAgrees) {
  on_every_instruction_set([&](const Network& network) {
    look_at_every_document(network, [&](std::size_t document, const WordAttention& looked) {
      if (!golden_.has("level_1.S")) {  // no components
        EXPECT_TRUE(looked.components.empty());
        return;
      }
      ASSERT_EQ(looked.components.size(), golden_.hierarchy.num_levels());
      for (std::size_t h = 0; h < looked.components.size(); ++h) {
        const std::string level = "level_" + std::to_string(h + 1) + ".";
        const auto& [S, R_tilde] = looked.components[h];
        ASSERT_EQ(S.rows(), words(document));
        expect_near(S.values(), expected_row(level + "S", document, 1, 0, S.size()), "S");
        expect_near(R_tilde.values(), golden_.expected(level + "R_tilde"), "R_tilde");
      }
    });
  });
}

TEST_P(LaHcnNetworkGolden, EvidenceAddsUpToTheLocalLogitWithoutItsBias) {
  const std::vector<double> logits = golden_.expected_local_logits();
  const auto bias_of = [&](std::size_t label) -> double {
    const auto found = golden_.file.tensors.find("weights/level_" +
                                                 std::to_string(level_of(label) + 1) + ".b_loc");
    return found == golden_.file.tensors.end() ? 0 : float_values(found->second)[place(label)];
  };
  on_every_instruction_set([&](const Network& network) {
    EXPECT_EQ(network.has_evidence(), golden_.config.model.name != "la-hcn-g");
    look_at_every_document(network, [&](std::size_t document, const WordAttention& looked) {
      for (std::size_t label = 0; label < looked.evidence.rows(); ++label) {
        const auto row = looked.evidence.row(label);
        EXPECT_NEAR(std::accumulate(row.begin(), row.end(), 0.0),
                    logits[document * golden_.num_labels() + label] - bias_of(label), kAgreement);
      }
      EXPECT_EQ(looked.evidence.rows(), network.has_evidence() ? golden_.num_labels() : 0U);
    });
  });
}

TEST_P(LaHcnNetworkGolden, LabelsMayBeAskedForInAnyOrderAndTwice) {
  const auto network = golden_.network();
  const std::size_t documents[] = {0};
  const DocumentBatch one = make_document_batch(golden_.corpus, documents);
  const LabelId labels[] = {7, 0, 7, 3};
  const WordAttention some = network->attention(one, labels);
  ASSERT_EQ(some.A.rows(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const WordAttention alone = network->attention(one, std::span(labels).subspan(i, 1));
    for (std::size_t n = 0; n < one.words; ++n) EXPECT_EQ(some.A.row(i)[n], alone.A.row(0)[n]);
  }
  EXPECT_TRUE(network->attention(one, {}).A.empty());
}

INSTANTIATE_TEST_SUITE_P(Networks, LaHcnNetworkGolden,
                         testing::Values("la_hcn_paper", "la_hcn_reference", "la_hcn_bilstm",
                                         "la_hcn_nc", "la_hcn_l", "la_hcn_g"),
                         [](const auto& golden) { return golden.param; });

class HarnnNetworkGolden : public NetworkGolden {};

TEST_P(HarnnNetworkGolden, AttentionOfEveryLabelAgrees) {
  // What the network tells is common to a level: the mean over its labels.
  on_every_instruction_set([&](const Network& network) {
    look_at_every_document(network, [&](std::size_t document, const WordAttention& looked) {
      for (std::size_t label = 0; label < golden_.num_labels(); ++label) {
        const std::size_t h = level_of(label);
        const std::size_t L = golden_.hierarchy.level_size(h);
        std::vector<double> mean(words(document), 0.0);
        for (std::size_t j = 0; j < L; ++j) {
          const std::vector<double> row = expected_row("level_" + std::to_string(h + 1) + ".Att",
                                                       document, L, j, words(document));
          for (std::size_t n = 0; n < row.size(); ++n) {
            mean[n] += row[n] / static_cast<double>(L);
          }
        }
        expect_near(looked.A.row(label), mean, "label " + std::to_string(label));
      }
      EXPECT_TRUE(looked.evidence.empty());
      EXPECT_TRUE(looked.components.empty());
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, HarnnNetworkGolden, testing::Values("harnn"));

class HanNetworkGolden : public NetworkGolden {};

TEST_P(HanNetworkGolden, EveryLabelHasTheAttentionOfTheDocument) {
  on_every_instruction_set([&](const Network& network) {
    look_at_every_document(network, [&](std::size_t document, const WordAttention& looked) {
      for (std::size_t label = 0; label < golden_.num_labels(); ++label) {
        expect_near(looked.A.row(label), expected_row("attention", document, 1, 0, words(document)),
                    "label " + std::to_string(label));
      }
      EXPECT_TRUE(looked.evidence.empty());
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Networks, HanNetworkGolden, testing::Values("han"));

}  // namespace
}  // namespace hmtc
