#include <gtest/gtest.h>

#include "api/eight_threads.h"
#include "api/tiny_documents.h"

namespace hmtc {
namespace {

TEST(ClassifierThreads, EightThreadsGetFromOneModelWhatOneGets) {
  const Classifier& classifier = tiny_classifier();
  const std::vector<Document> documents = tiny_documents().train;
  const ScoreTable alone = classifier.scores(documents);
  const std::string explained = to_json(classifier.explain(documents[0]));
  on_eight_threads([&] {
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(classifier.scores(documents).values, alone.values);
      EXPECT_EQ(classifier.predict("rye loaf").front().label, "bakery");
      EXPECT_EQ(to_json(classifier.explain(documents[0])), explained);
      EXPECT_DOUBLE_EQ(classifier.evaluate(documents).micro_au_prc, 1);
    }
  });
}

TEST(ClassifierThreads, AModelMayHaveThreadsOfItsOwnBeside) {
  const ModelFolder folder;
  const auto classifier = Classifier::load(folder.train_linear(), 4);
  std::vector<Document> documents;
  for (int i = 0; i < 10; ++i) {
    for (const Document& one : tiny_documents().train) documents.push_back(one);
  }
  const ScoreTable alone = classifier.scores(documents);
  on_eight_threads([&] {
    for (int round = 0; round < 5; ++round) {
      EXPECT_EQ(classifier.scores(documents).values, alone.values);
    }
  });
}

}  // namespace
}  // namespace hmtc
