// Networks are shared: what many threads get at once is, bit for bit, what one thread gets alone.
#include <gtest/gtest.h>

#include <functional>
#include <latch>
#include <numeric>
#include <thread>

#include "artifact/model_directory.h"
#include "artifact/thresholds.h"
#include "base/random.h"
#include "network/network_table.h"
#include "network/scoring.h"
#include "predict/loaded_model.h"
#include "support/golden.h"
#include "support/temporary_directory.h"
#include "support/tiny_config.h"

namespace hmtc {
namespace {

using Bits = std::vector<float>;

void append(const Matrix& matrix, Bits& bits) {
  bits.insert(bits.end(), matrix.values().begin(), matrix.values().end());
}

Bits bits_of(const ScoreSet& scores) {
  Bits bits = scores.combined;
  for (const auto* part : {&scores.local, &scores.global}) {
    bits.insert(bits.end(), part->begin(), part->end());
  }
  return bits;
}

Bits bits_of(const NetworkScores& scores) {
  Bits bits;
  for (const Matrix* part : {&scores.combined, &scores.local, &scores.global}) append(*part, bits);
  return bits;
}

Bits bits_of(const WordAttention& attention) {
  Bits bits;
  append(attention.A, bits);
  append(attention.evidence, bits);
  for (const auto& [S, R_tilde] : attention.components) {
    append(S, bits);
    append(R_tilde, bits);
  }
  return bits;
}

/// Everything that can be asked of a network, several times over: alone first, then by eight
/// threads that begin at once, each with another question.
void expect_the_same_bits(const std::vector<std::function<Bits()>>& questions) {
  constexpr std::size_t kThreads = 8;
  std::vector<Bits> expected;
  for (const auto& question : questions) expected.push_back(question());
  std::vector<std::vector<Bits>> found(kThreads);
  std::latch begin(kThreads);
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      begin.arrive_and_wait();
      for (std::size_t i = 0; i < questions.size(); ++i) {
        found[thread].push_back(questions[(thread + i) % questions.size()]());
      }
    });
  }
  threads.clear();
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::size_t question = (thread + i) % questions.size();
      EXPECT_TRUE(found[thread][i] == expected[question])
          << "thread " << thread << ", question " << question;
    }
  }
}

std::vector<std::function<Bits()>> questions_to(const Network& network, const Corpus& corpus,
                                                std::size_t num_labels) {
  std::vector<std::size_t> all(corpus.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::function<Bits()>> questions;
  for (const int threads : {1, 2}) {
    DocumentBatch batch = make_document_batch(corpus, all);
    batch.threads = threads;
    questions.emplace_back([&network, batch] { return bits_of(network.scores(batch)); });
  }
  for (const int threads : {1, 2, 3}) {
    questions.emplace_back([&network, &corpus, num_labels, threads] {
      return bits_of(score_corpus(network, corpus, num_labels, threads));
    });
  }
  std::vector<LabelId> labels(num_labels);
  std::iota(labels.begin(), labels.end(), LabelId{0});
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    if (corpus.words_of(i).empty()) continue;
    const std::size_t one[] = {i};
    questions.emplace_back([&network, labels, batch = make_document_batch(corpus, one)] {
      return bits_of(network.attention(batch, labels));
    });
  }
  return questions;
}

class SharedNetwork : public testing::TestWithParam<std::string> {};

TEST_P(SharedNetwork, AnswersEightThreadsAsItAnswersOne) {
  const GoldenFile golden(GetParam());
  const auto network = golden.network();
  expect_the_same_bits(questions_to(*network, golden.corpus, golden.num_labels()));
}

INSTANTIATE_TEST_SUITE_P(Networks, SharedNetwork, testing::ValuesIn(golden_names()),
                         [](const auto& golden) { return golden.param; });

/// LA-HCN so wide that its layers are shared among the threads of a batch.
struct WideNetwork {
  WideNetwork() {
    config.encoder.embedding_width = 40;
    config.model.components = 17;
    config.model.attention_width = 33;
    config.model.document_width = 130;
    config.model.global_width = 140;
    add("encoder.embedding.weight", {kVocabulary, 40});
    for (std::int64_t h = 1; h <= 2; ++h) {
      const std::string level = "level_" + std::to_string(h) + ".";
      add(level + "labels", {h == 1 ? 5 : 70, 130});
      add(level + "components", {17, 33});
      add(level + "f_w.weight", {33, h == 1 ? 40 : 170});
      add(level + "f_w.bias", {33});
      add(level + "f_l.weight", {33, 130});
      add(level + "f_l.bias", {33});
      add(level + "W.weight", {130, 40});
      add(level + "W.bias", {130});
    }
    add("level_2.f_m.weight", {130, 130});
    add("level_2.f_m.bias", {130});
    add("global.hidden.weight", {140, 260});
    add("global.hidden.bias", {140});
    add("global.output.weight", {75, 140});
    add("global.output.bias", {75});
  }

  void add(const std::string& name, const std::vector<std::int64_t>& shape) {
    std::size_t size = 1;
    for (const std::int64_t width : shape) size *= static_cast<std::size_t>(width);
    std::vector<float> values(size);
    for (float& value : values) value = static_cast<float>(random.below(2001)) / 5000 - 0.2F;
    tensors.tensors[name] = float_tensor(shape, values.data());
  }

  static constexpr std::int64_t kVocabulary = 50;
  Random random{5};
  Config config = tiny_config();
  Hierarchy hierarchy = tree_of({5, 70});
  TensorFile tensors;
};

TEST(SharedWideNetwork, AnswersEightThreadsAsItAnswersOne) {
  const WideNetwork wide;
  const auto network = make_network(wide.config, wide.hierarchy, WideNetwork::kVocabulary,
                                    Weights(wide.tensors, "wide"));
  Random random(9);
  std::vector<std::vector<std::int32_t>> documents(40);
  for (std::size_t i = 1; i < documents.size(); ++i) {
    documents[i].resize(1 + random.below(30));
    for (std::int32_t& word : documents[i]) word = static_cast<std::int32_t>(random.below(50));
  }
  const Corpus corpus = corpus_of(documents);
  expect_the_same_bits(questions_to(*network, corpus, wide.hierarchy.num_labels()));
}

TEST(SharedModel, AnswersEightThreadsAsItAnswersOne) {
  GoldenFile golden("la_hcn_bilstm");
  golden.config.train.members = 2;
  VocabularyBuilder builder;
  for (std::size_t word = Vocabulary::kNumSpecial; word < golden.vocabulary; ++word) {
    builder.add("word" + std::to_string(word));
  }
  ModelParts parts{golden.config, golden.hierarchy, builder.build(1, 0), {}};
  ASSERT_EQ(parts.vocabulary.size(), golden.vocabulary);
  for (const auto& [name, tensor] : golden.weights().tensors) {
    parts.tensors.tensors["members.0." + name] = tensor;
    parts.tensors.tensors["members.1." + name] = tensor;
  }
  store_thresholds({0.5F, std::vector<float>(golden.num_labels(), 0.5F)}, parts.tensors);
  TemporaryDirectory directory;
  save_model(directory.path() / "model", parts);
  const LoadedModel model = load_for_prediction(directory.path() / "model", 2);
  std::vector<std::function<Bits()>> questions;
  for (const std::optional<int> threads : {std::optional<int>(), std::optional<int>(1)}) {
    questions.emplace_back(
        [&, threads] { return bits_of(model.scorer->score(golden.corpus, threads)); });
  }
  expect_the_same_bits(questions);
}

}  // namespace
}  // namespace hmtc
