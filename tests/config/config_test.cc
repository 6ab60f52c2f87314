#include "config/config.h"

#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {
namespace {

void expect_refused(const std::string& assignment, const std::vector<std::string>& parts) {
  expect_error(ErrorKind::kUsage, parts, [&] { Config().set(assignment); });
}

TEST(Config, EveryKindOfValueCanBeSet) {
  Config config;
  config.set("train.epochs=7");
  config.set("train.learning_rate = 5e-4");
  config.set("data.strict=false");
  config.set("model.profile=reference");
  config.set("text.stop_words=the, of,");
  config.set("linear.strengths=1, 2.5");
  EXPECT_EQ(config.train.epochs, 7);
  EXPECT_EQ(config.train.learning_rate, 5e-4);
  EXPECT_FALSE(config.data.strict);
  EXPECT_EQ(config.model.profile, Profile::kReference);
  EXPECT_EQ(config.text.stop_words, (std::vector<std::string>{"the", "of"}));
  EXPECT_EQ(config.linear.strengths, (std::vector<double>{1, 2.5}));
}

TEST(Config, ModelsHaveDefaultsOfTheirOwnAndLaHcnThoseOfItsProfile) {
  const Config plus = default_config("la-hcn");
  EXPECT_EQ(plus.model.profile, Profile::kPlus);
  EXPECT_EQ(plus.model.equations(), Profile::kReference);
  EXPECT_TRUE(plus.fusion.wide && plus.fusion.calibrate && plus.fusion.by_frequency &&
              plus.train.refit);
  EXPECT_TRUE(plus.encoder.residual && plus.encoder.subword_vectors);
  EXPECT_GT(plus.train.average, 0);
  EXPECT_GT(plus.train.word_dropout, 0);
  // The paper's LA-HCN has none of it.
  EXPECT_EQ(to_json(default_config("la-hcn", Profile::kPaper)), to_json([] {
              Config config;
              config.model.name = "la-hcn";
              return config;
            }()));
  EXPECT_TRUE(changed_settings(default_config("la-hcn", Profile::kPaper)).empty());
  EXPECT_EQ(changed_settings(default_config("linear")),
            std::vector<std::string>{"train.refit=true"});
  EXPECT_FALSE(default_config("linear", Profile::kPlus).fusion.wide);  // it has no network
  EXPECT_FALSE(default_config("harnn").train.refit);
  EXPECT_TRUE(default_config("harnn", Profile::kPlus).fusion.wide);
}

TEST(Config, BaselinesHaveTheSizesAndRatesOfTheirAuthors) {
  const Config harnn = default_config("harnn");
  EXPECT_EQ(harnn.model.attention_width, 200);
  EXPECT_EQ(harnn.model.document_width, 512);
  EXPECT_EQ(harnn.train.learning_rate, 1e-3);
  EXPECT_EQ(harnn.train.decay_steps, 500);
  EXPECT_EQ(harnn.train.clip_norm, 1.25);
  for (const char* hmcn : {"hmcn-f", "hmcn-r"}) {
    EXPECT_EQ(default_config(hmcn).hmcn.width, 384);
    EXPECT_EQ(default_config(hmcn).hmcn.dropout, 0.5);
    EXPECT_EQ(default_config(hmcn).hmcn.violation_weight, 0.1);
    EXPECT_EQ(default_config(hmcn).model.local_weight, 0.5);
  }
  const Config capsule = default_config("capsule");
  EXPECT_EQ(capsule.capsule.window, 50);
  EXPECT_EQ(capsule.capsule.kinds, 55);
  EXPECT_EQ(capsule.capsule.size, 8);
  EXPECT_EQ(capsule.capsule.label_size, 16);
  EXPECT_EQ(capsule.capsule.routings, 3);
  EXPECT_EQ(capsule.capsule.max_norm, 3);
  EXPECT_EQ(capsule.train.learning_rate, 5e-4);
  EXPECT_EQ(capsule.train.max_words, 100);
  EXPECT_EQ(default_config("han").han.gru_width, 50);
  EXPECT_EQ(default_config("han").han.attention_width, 100);
}

TEST(Config, ANumberMayBeLeftToTheData) {
  Config config;
  EXPECT_FALSE(config.linear.word_pairs);
  EXPECT_NE(to_json(config).find(R"("word_pairs": "auto")"), std::string::npos);
  config.set("linear.word_pairs=5");
  EXPECT_EQ(config.linear.word_pairs, 5);
  EXPECT_NE(to_json(config).find(R"("word_pairs": 5)"), std::string::npos);
  Config back;
  set_from_json(back, to_json(config), "config.json");
  EXPECT_EQ(back.linear.word_pairs, 5);
  set_from_json(back, to_json(Config()), "config.json");
  EXPECT_FALSE(back.linear.word_pairs);
}

TEST(Config, AnUnknownKeyNamesTheNearest) {
  expect_refused("train.epoch=3", {"train.epoch\"", "did you mean train.epochs?"});
}

TEST(Config, BadValuesAreRefusedWithTheirRange) {
  expect_refused("train.epochs=0", {"train.epochs", "1 to", "\"0\""});
  expect_refused("train.epochs=3x", {"\"3x\""});
  expect_refused("train.epochs=", {"\"\""});
  expect_refused("encoder.dropout=nan", {"0 to 0.99"});
  expect_refused("data.strict=maybe", {"true, false"});
  expect_refused("model.profile=papper", {"paper, reference"});
  expect_refused("linear.strengths=1,x", {"\"x\""});
  expect_refused("linear.strengths=1,,2", {"\"\""});
  expect_refused("text.stop_words=a,,b", {"\"\""});
  expect_refused("linear.word_pairs=-1", {"linear.word_pairs", "auto, 0 to", "\"-1\""});
  expect_refused("linear.word_pairs=automatic", {"\"automatic\""});
  expect_refused("train.epochs", {"key=value"});
}

TEST(Config, JsonRoundTripKeepsEveryKey) {
  Config first;
  first.set("train.epochs=9");
  first.set("text.stop_words=a,b");
  first.model.name = "linear";
  Config second;
  set_from_json(second, to_json(first), "config.json");
  EXPECT_EQ(to_json(second), to_json(first));
  EXPECT_EQ(second.train.epochs, 9);
  EXPECT_EQ(second.model.name, "linear");
}

TEST(Config, FilesMayBeJsonOrLines) {
  const TemporaryDirectory directory;
  Config config = config_from("", directory.write("a.json", R"({"train": {"epochs": 4}})"));
  EXPECT_EQ(config.train.epochs, 4);
  config = config_from("", directory.write("b.conf", "# short\ntrain.epochs = 5  # five\n\n"));
  EXPECT_EQ(config.train.epochs, 5);
}

TEST(Config, AssignmentsStandOverTheFileAndBothMayNameTheProfile) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("c.conf", "model.profile = paper\ntrain.epochs = 5\n");
  const Config config = config_from("la-hcn", file, {"train.epochs=7"});
  EXPECT_EQ(config.train.epochs, 7);
  EXPECT_FALSE(config.fusion.wide);  // a default of profile plus
  EXPECT_TRUE(config_from("la-hcn", "", {}).fusion.wide);
}

TEST(Config, AModelHasTheSameDefaultsWhereverItIsNamed) {
  const TemporaryDirectory directory;
  for (const char* model : {"flat", "la-hcn-nc", "linear", "la-hcn", "capsule"}) {
    const std::string file =
        directory.write("m.json", std::string(R"({"model": {"name": ")") + model + R"("}})");
    EXPECT_EQ(to_json(config_from("", file)), to_json(config_from(model, ""))) << model;
  }
}

TEST(Config, ErrorsInFilesNameFileAndLine) {
  const TemporaryDirectory directory;
  expect_error(ErrorKind::kUsage, {"b.conf:2", "train.epochs"}, [&] {
    config_from("", directory.write("b.conf", "train.patience=2\ntrain.epoch=1\n"));
  });
  expect_error(ErrorKind::kUsage, {"a.json", "object"},
               [&] { config_from("", directory.write("a.json", "{\"train\": 3}")); });
  expect_error(ErrorKind::kUsage, {"a.json", "1e999"}, [&] {
    config_from("", directory.write("a.json", R"({"train": {"learning_rate": 1e999}})"));
  });
  expect_error(ErrorKind::kIo, {"missing.conf"}, [&] { config_from("", "missing.conf"); });
}

TEST(Config, KeysAreUniqueAndExplained) {
  Config config;
  std::set<std::string> keys;
  for (const Field& field : config.fields()) {
    EXPECT_TRUE(keys.insert(field.key).second) << field.key;
    EXPECT_FALSE(field.meaning.empty()) << field.key;
    Field same = field;
    EXPECT_NO_THROW(set_from_text(same, to_text(field)));
  }
}

TEST(ConfigJson, WordsWithCommasSurviveTheFile) {
  Config config;
  config.set_list("text.stop_words", {"1,250", "c#"});
  Config back;
  set_from_json(back, to_json(config), "config.json");
  EXPECT_EQ(back.text.stop_words, (std::vector<std::string>{"1,250", "c#"}));
}

TEST(ConfigFile, ACommentBeginsBehindABlankAndAByteOrderMarkIsPassedOver) {
  const TemporaryDirectory directory;
  const Config config = config_from("", directory.write("c",
                                                        "\xEF\xBB\xBF# settings\n"
                                                        "text.stop_words = c#,f# # languages\n"));
  EXPECT_EQ(config.text.stop_words, (std::vector<std::string>{"c#", "f#"}));
}

}  // namespace
}  // namespace hmtc
