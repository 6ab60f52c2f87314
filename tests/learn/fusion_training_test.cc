// A linear model beside the network, and the weights of both.
#include "base/logistic.h"
#include "support/tiny_training.h"

namespace hmtc {
namespace {

using FusionTraining = TinyTraining;

TEST_F(FusionTraining, ALinearModelBesideTheNetworkTakesPartInTheScores) {
  Config config = tiny_training();
  config.fusion.wide = true;
  train_model(config, "wide");
  const ScoreSet scores = scores_of("wide");
  ASSERT_EQ(scores.wide.size(), scores.combined.size());
  for (std::size_t i = 0; i < scores.combined.size(); ++i) {
    // Without calibration: a quarter of local and of global, a half of the linear model.
    const float expected = 0.25F * bounded_logit(scores.local[i]) +
                           0.25F * bounded_logit(scores.global[i]) +
                           0.5F * bounded_logit(scores.wide[i]);
    EXPECT_NEAR(bounded_logit(scores.combined[i]), expected, 1e-4);
  }
}

TEST_F(FusionTraining, TheLinearModelReadsWhatTheNetworkDoesNot) {
  Config config = tiny_training();
  config.fusion.wide = true;
  config.train.max_words = 1;
  train_model(config, "short");
  LoadedModel model = load_for_prediction(out("short"), 1);
  Corpus corpus;
  corpus.max_words = 1;
  const std::vector<std::int32_t> words = {2, 3};
  corpus.append("one", std::span(words).first(1), {});
  corpus.append("two", words, {});
  const ScoreSet scores = model.scorer->score(corpus);
  EXPECT_EQ(scores.local[0], scores.local[scores.num_labels]);
  EXPECT_NE(scores.wide[0], scores.wide[scores.num_labels]);
}

TEST_F(FusionTraining, TheLinearModelBesideTheNetworkHasPairsOfWordsAndIsResumedToTheSameBytes) {
  write_ordered_data(data_);
  Config config = tiny_training();
  config.encoder.kind = EncoderKind::kEmbedding;  // knows no order, all of it comes from the pairs
  config.linear.word_pairs = 100;
  config.fusion.wide = true;
  config.fusion.calibrate = true;
  train_model(config, "whole");
  const ModelParts parts = load_model(out("whole"));
  EXPECT_EQ(parts.config.linear.word_pairs, 100);
  EXPECT_EQ(parts.tensors.tensors.at("linear.pairs").shape, (std::vector<std::int64_t>{2, 2}));
  LoadedModel model = load_for_prediction(out("whole"), 1);
  const Evaluation found = evaluate(model, (data_.path() / "val.jsonl").string(), {});
  EXPECT_EQ(found.reports[0].name, "combined");
  EXPECT_GT(found.reports[0].report.areas.micro, 0.99);
  train_model(config, "again");
  EXPECT_EQ(weights_of(out("again")), weights_of(out("whole")));
  RecordingObserver stopped;
  stopped.pause_after = 5;
  train_tiny(data_.path(), out("cut"), config, stopped);
  train_model(config, "cut", /*resume=*/true);
  EXPECT_EQ(weights_of(out("cut")), weights_of(out("whole")));
  config.linear.word_pairs = 0;
  train_model(config, "words");
  LoadedModel words = load_for_prediction(out("words"), 1);
  EXPECT_LT(
      evaluate(words, (data_.path() / "val.jsonl").string(), {}).reports[0].report.areas.micro,
      0.9);
}

TEST_F(FusionTraining, ByFrequencyItFollowsHowOftenTrainingDocumentsHaveALabel) {
  // Training: fruit 5, tool 3; apple, pear and hammer 2 each. Validation, which must not count
  // here: fruit 2, tool 2; apple 2, pear none.
  data_.write("val.jsonl", R"({"tokens": ["sweet", "red"], "labels": ["apple"]}
{"tokens": ["crisp", "cider"], "labels": ["apple"]}
{"tokens": ["steel", "nail"], "labels": ["hammer"]}
{"tokens": ["steel", "wood"], "labels": ["tool"]}
)");
  Config config = tiny_training();
  config.fusion.wide = true;
  config.fusion.calibrate = true;
  enum Label : std::size_t { kFruit, kTool, kApple, kPear, kHammer };
  const auto shift_and_weights = [&](const std::string& model, Label label) {
    const auto fusion = tensors_of(model, "fusion.");
    const std::vector<float> weights = float_values(fusion.at("weight"));
    const std::size_t num_classifiers = weights.size() / 5;
    std::vector<float> values = {float_values(fusion.at("shift"))[label]};
    for (std::size_t i = 0; i < num_classifiers; ++i)
      values.push_back(weights[label * num_classifiers + i]);
    return values;
  };
  train_model(config, "by_level");
  EXPECT_EQ(shift_and_weights("by_level", kFruit), shift_and_weights("by_level", kTool));
  config.fusion.by_frequency = true;
  train_model(config, "by_frequency");
  EXPECT_NE(shift_and_weights("by_frequency", kFruit), shift_and_weights("by_frequency", kTool));
  EXPECT_EQ(shift_and_weights("by_frequency", kApple), shift_and_weights("by_frequency", kPear));
  EXPECT_EQ(shift_and_weights("by_frequency", kApple), shift_and_weights("by_frequency", kHammer));
}

}  // namespace
}  // namespace hmtc
