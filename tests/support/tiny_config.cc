#include "support/tiny_config.h"

namespace hmtc {

std::vector<Variant> all_variants() {
  return {{Profile::kPaper, EncoderKind::kEmbedding, "paper, embedding"},
          {Profile::kPaper, EncoderKind::kBiLstm, "paper, bilstm"},
          {Profile::kReference, EncoderKind::kEmbedding, "reference, embedding"},
          {Profile::kReference, EncoderKind::kBiLstm, "reference, bilstm"}};
}

Config tiny_config(const Variant& variant) {
  Config config;
  config.encoder.kind = variant.encoder;
  config.encoder.embedding_width = 5;
  config.encoder.lstm_width = 3;
  config.model.profile = variant.profile;
  config.model.components = 3;
  config.model.attention_width = 4;
  config.model.document_width = 6;
  config.model.global_width = 7;
  config.hmcn.width = 6;
  config.capsule.window = 3;
  config.capsule.kinds = 3;
  config.capsule.size = 2;
  config.capsule.label_size = 4;
  config.han.gru_width = 3;
  config.han.attention_width = 4;
  config.han.block_words = 2;
  config.train.max_words = 12;
  return config;
}

Config with_everything(Config config) {
  config.encoder.kind = EncoderKind::kBiLstm;
  config.encoder.residual = true;
  config.encoder.dropout_place = DropoutPlace::kEmbedding;
  config.model.rarity = true;
  config.model.label_sharing = true;
  config.model.parent_prior = true;
  config.model.max_constraint = true;
  config.model.label_names = true;
  return config;
}

Hierarchy tree_of(const std::vector<std::int64_t>& level_sizes) {
  const auto name = [](std::size_t level, std::int64_t i) {
    return std::to_string(level) + "." + std::to_string(i);
  };
  std::vector<HierarchyEdge> edges;
  for (std::size_t h = 0; h < level_sizes.size(); ++h) {
    for (std::int64_t i = 0; i < level_sizes[h]; ++i) {
      edges.push_back({name(h, i), h == 0 ? "" : name(h - 1, i % level_sizes[h - 1]), "", {}});
    }
  }
  return Hierarchy(edges);
}

Corpus corpus_of(const std::vector<std::vector<std::int32_t>>& documents) {
  Corpus corpus;
  for (const auto& words : documents) corpus.append(std::to_string(corpus.size()), words, {});
  return corpus;
}

}  // namespace hmtc
