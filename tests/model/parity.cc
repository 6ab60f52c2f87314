#include "model/parity.h"

#include <fmt/format.h>

#include "base/random.h"
#include "model/model_table.h"
#include "model/parameters.h"
#include "network/network_table.h"

namespace hmtc {
namespace {

constexpr std::uint64_t kDraws = 32;

class RandomSizes {
 public:
  explicit RandomSizes(std::uint64_t seed) : random_(seed) {}

  /// From `least` to `most`.
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
  }

 private:
  Random random_;
};

/// A hierarchy where some labels have several parents, some of them more than one level up.
Hierarchy random_hierarchy(const std::vector<std::int64_t>& level_sizes, RandomSizes& size) {
  std::vector<std::string> above;
  std::vector<HierarchyEdge> edges;
  for (std::size_t h = 0; h < level_sizes.size(); ++h) {
    std::vector<std::string> level;
    for (std::int64_t i = 0; i < level_sizes[h]; ++i) {
      level.push_back(std::to_string(h) + "." + std::to_string(i));
      if (h == 0) {
        edges.push_back({level.back(), "", "", {}});
        continue;
      }
      // A label's level is one below its deepest parent's.
      const std::string parent =
          std::to_string(h - 1) + "." + std::to_string(size(0, level_sizes[h - 1] - 1));
      edges.push_back({level.back(), parent, "", {}});
      const std::string& other =
          above[static_cast<std::size_t>(size(0, static_cast<std::int64_t>(above.size()) - 1))];
      if (size(0, 3) == 0 && other != parent) edges.push_back({level.back(), other, "", {}});
    }
    above.insert(above.end(), level.begin(), level.end());
  }
  return Hierarchy(edges);
}

/// Many labels over short documents, or few over long ones, so that products are made in either
/// order; widths that fill no vector among them.
struct Sizes {
  Sizes(std::uint64_t draw, RandomSizes& size) {
    const bool many_labels = draw % 2 == 0;
    const std::int64_t num_levels = size(1, 4);
    for (std::int64_t h = 0; h < num_levels; ++h) {
      levels.push_back(many_labels ? size(20, 70) : size(1, 4));
    }
    const std::int64_t longest = many_labels ? 5 : size(40, 90);
    lengths = {0, 1, longest, size(2, longest), 0, size(2, longest)};
    if (draw % 4 > 1) lengths = {lengths[2]};  // one document takes another way
  }

  std::vector<std::int64_t> levels;
  std::vector<std::int64_t> lengths;
};

constexpr std::int64_t kVocabulary = 23;

Corpus random_corpus(const Sizes& sizes, bool with_sentences, RandomSizes& size) {
  Corpus corpus;
  for (const std::int64_t length : sizes.lengths) {
    std::vector<std::int32_t> words, sentences;
    for (std::int64_t i = 0; i < length; ++i) {
      words.push_back(static_cast<std::int32_t>(size(1, kVocabulary - 1)));
    }
    for (std::int64_t left = with_sentences ? length : 0; left > 0; left -= sentences.back()) {
      sentences.push_back(static_cast<std::int32_t>(size(1, left)));
    }
    corpus.append(std::to_string(corpus.size()), words, {}, sentences);
  }
  return corpus;
}

Config random_config(Config config, RandomSizes& size) {
  config.encoder.embedding_width = size(1, 37);
  config.encoder.lstm_width = size(1, 19);
  config.model.components = size(1, 40);
  config.model.attention_width = size(1, 40);
  config.model.document_width = size(1, 45);
  config.model.global_width = size(1, 40);
  config.model.local_weight = static_cast<double>(size(0, 4)) / 4;
  config.hmcn.width = size(1, 40);
  config.capsule.window = size(1, 5);
  config.capsule.kinds = size(1, 9);
  config.capsule.size = size(1, 9);
  config.capsule.label_size = size(1, 17);
  config.capsule.routings = size(1, 4);
  config.han.gru_width = size(1, 19);
  config.han.attention_width = size(1, 30);
  config.han.block_words = size(1, 7);
  config.train.max_words = size(6, 60);
  return config;
}

/// Numbers that are large enough to tell right from wrong: start values give scores near 0.5.
void draw_tensors(Model& model) {
  const torch::NoGradGuard no_grad;
  for (auto& entry : tensors_of(model)) {
    torch::Tensor& tensor = entry.value();
    if (entry.key().ends_with("running_var")) {
      tensor.uniform_(0.5, 2);
    } else if (tensor.dim() == 1) {
      tensor.normal_(0, 0.4);
    } else if (entry.key().ends_with("embedding.weight")) {
      tensor.normal_(0, 1);
    } else {
      tensor.normal_(0, 1.5 / std::sqrt(static_cast<double>(tensor.size(-1))));
    }
  }
}

Config config_of(const ParityCase& tested, RandomSizes& size) {
  Config config = tiny_config({tested.profile, tested.encoder, ""});
  if (tested.has_everything) {
    config = with_everything(config);
    config.encoder.kind = tested.encoder;
    config.encoder.residual = tested.encoder == EncoderKind::kBiLstm;
    config.model.parent_prior = tested.name != "la-hcn-g";
  }
  config.model.name = tested.name;
  return random_config(config, size);
}

}  // namespace

std::vector<ParityCase> all_parity_cases() {
  std::vector<ParityCase> all;
  for (const std::string& name : neural_model_names()) {
    const bool is_la_hcn = name.starts_with("la-hcn");
    for (const Profile profile : {Profile::kPaper, Profile::kReference}) {
      if (profile == Profile::kReference && !is_la_hcn) continue;
      for (const EncoderKind encoder : {EncoderKind::kEmbedding, EncoderKind::kBiLstm}) {
        all.push_back({name, encoder, profile, false});
        if (is_la_hcn) all.push_back({name, encoder, profile, true});
      }
    }
  }
  return all;
}

std::vector<ParityCase> parity_cases_of(const std::string& beginning) {
  std::vector<ParityCase> found;
  for (const ParityCase& tested : all_parity_cases()) {
    if (tested.name.starts_with(beginning)) found.push_back(tested);
  }
  return found;
}

std::string name_of(const ParityCase& tested) {
  std::string text = tested.name;
  std::replace(text.begin(), text.end(), '-', '_');
  if (tested.profile == Profile::kReference) text += "_reference";
  if (tested.encoder == EncoderKind::kBiLstm) text += "_bilstm";
  if (tested.has_everything) text += "_with_everything";
  return text;
}

void Parity::for_each_draw(const std::function<void()>& check) {
  const torch::NoGradGuard no_grad;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    SCOPED_TRACE("draw " + std::to_string(draw));
    RandomSizes size(draw + 1);
    const Sizes sizes(draw, size);
    const Hierarchy hierarchy = random_hierarchy(sizes.levels, size);
    ASSERT_EQ(hierarchy.num_levels(), sizes.levels.size());
    const Config config = config_of(GetParam(), size);
    torch::manual_seed(draw);
    model_ = make_model(config, hierarchy, kVocabulary);
    model_->eval();
    draw_tensors(*model_);
    TensorFile tensors;
    store_parameters(*model_, tensors);
    network_ = make_network(config, hierarchy, kVocabulary, Weights(tensors, "memory"));
    hierarchy_ = hierarchy;
    corpus_ = random_corpus(sizes, draw % 2 == 0, size);
    check();
  }
  RecordProperty("largest_difference", fmt::format("{:.2g}", largest_));
}

void Parity::expect_close(const Matrix& actual, const torch::Tensor& expected,
                          const std::string& name, double tolerance) {
  const torch::Tensor flat = expected.contiguous().flatten();
  ASSERT_EQ(static_cast<std::int64_t>(actual.size()), flat.numel()) << name;
  const auto* values = flat.data_ptr<float>();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double difference = std::abs(static_cast<double>(actual.values()[i]) - values[i]);
    largest_ = std::max(largest_, difference);
    ASSERT_LE(difference, tolerance) << name << ", number " << i << ": " << actual.values()[i];
  }
}

std::vector<std::size_t> Parity::all_documents() const {
  std::vector<std::size_t> all(corpus_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace hmtc
