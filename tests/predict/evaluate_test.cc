#include "predict/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/fake_model.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

class EvaluateTest : public testing::Test {
 protected:
  Evaluation measure(const std::string& content, const EvaluateOptions& options = {}) {
    LoadedModel model = fake_model();
    return evaluate(model, directory_.write("test.jsonl", content), options);
  }

  TemporaryDirectory directory_;
};

/// Truth, ancestors included: {a, a1} and {a, a1}.
constexpr const char* kTwoDocuments =
    "{\"tokens\": [\"one\"], \"labels\": [\"a1\"]}\n{\"tokens\": [\"two\"], \"labels\": "
    "[\"a1\"]}\n";

TEST_F(EvaluateTest, EqualsTheComputationByHand) {
  // one: a 0.9 +, b 0.2 -, a1 0.6 +; two, made coherent: a 0.3 +, b 0.8 -, a1 0.3 +.
  // Pooled: 0.9 +, 0.8 -, 0.6 +, 0.3 ++, 0.2 -. Four positives:
  //   1/4 * 1 + 1/4 * 2/3 + 2/4 * 4/5 = 0.25 + 0.166667 + 0.4 = 0.816667.
  const Evaluation found = measure(kTwoDocuments);
  ASSERT_EQ(found.reports.size(), 1U);
  const EvaluationReport& report = found.reports[0].report;
  EXPECT_NEAR(report.areas.micro, 0.8166667, 1e-6);
  // Level 1: 0.9 +, 0.8 -, 0.3 +, 0.2 -: 1/2 + 1/2 * 2/3. Level 2: both positive, 1.
  ASSERT_EQ(report.areas.per_level.size(), 2U);
  EXPECT_NEAR(report.areas.per_level[0], 0.8333333, 1e-6);
  EXPECT_NEAR(report.areas.per_level[1], 1, 1e-9);
  // At 0.5: a, a1 of `one` are right, b of `two` is wrong, a and a1 of `two` are missed:
  //   precision 2/3, recall 2/4, F1 4/7.
  EXPECT_NEAR(report.at_half.flat.micro.f1, 4.0 / 7, 1e-6);
  EXPECT_NEAR(report.precision_at[0], 0.5, 1e-9);
  EXPECT_EQ(report.num_documents, 2U);
  // No bin has scores of both kinds, so that every pair is off by |score - 1 or 0|:
  //   (0.1 + 0.2 + 0.4 + 0.7 + 0.8 + 0.7) / 6; level 1 (0.1 + 0.2 + 0.7 + 0.8) / 4, level 2
  //   (0.4 + 0.7) / 2. Squares: 0.01 + 0.04 + 0.16 + 0.49 + 0.64 + 0.49 = 1.83.
  EXPECT_NEAR(report.calibration.error, 2.9 / 6, 1e-6);
  EXPECT_NEAR(report.calibration.equal_mass_error, 2.9 / 6, 1e-6);
  EXPECT_NEAR(report.calibration.brier, 1.83 / 6, 1e-6);
  ASSERT_EQ(report.calibration_per_level.size(), 2U);
  EXPECT_NEAR(report.calibration_per_level[0].error, 0.45, 1e-6);
  EXPECT_NEAR(report.calibration_per_level[1].error, 0.55, 1e-6);
}

TEST_F(EvaluateTest, TellsOfTheScoresBeforeTheyAreMadeCoherent) {
  // The one edge a - a1 is violated in `two` alone. a of `two` stands at 0.1, below b of `one`:
  //   0.9 +, 0.8 -, 0.6 +, 0.3 +, 0.2 -, 0.1 +: (1 + 2/3 + 3/4 + 4/6) / 4 = 3.083333 / 4.
  for (const bool coherent : {true, false}) {
    const Evaluation found = measure(kTwoDocuments, {.coherent = coherent});
    EXPECT_EQ(found.reports[0].report.violations.edges, 1U);
    EXPECT_NEAR(found.reports[0].report.violations.edge_rate, 0.5, 1e-9);
    EXPECT_NEAR(found.reports[0].report.raw_micro, 0.7708333, 1e-6);
  }
}

TEST_F(EvaluateTest, RawScoresCanBeMeasured) {
  const EvaluationReport report = measure(kTwoDocuments, {.coherent = false}).reports[0].report;
  EXPECT_EQ(report.areas.micro, report.raw_micro);
}

TEST_F(EvaluateTest, AnUnknownLabelIsAnErrorOrAWarning) {
  const std::string content =
      std::string(kTwoDocuments) + "{\"tokens\": [\"one\"], \"labels\": [\"new\"]}\n";
  expect_error(ErrorKind::kInput, {"test.jsonl:3:", "new"}, [&] { measure(content); });
  const Evaluation found = measure(content, {.strict = false});
  EXPECT_THAT(found.warnings, testing::ElementsAre(testing::HasSubstr("\"new\"")));
  EXPECT_EQ(found.reports[0].report.num_documents, 3U);
}

}  // namespace
}  // namespace hmtc
