#include "support/golden.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/files.h"
#include "network/network_table.h"

namespace hmtc {
namespace {

nlohmann::json description_of(const TensorFile& file) {
  return nlohmann::json::parse(file.metadata.at("config"));
}

std::vector<std::int64_t> integers(const TensorFile& file, const std::string& name) {
  return int_values(file.tensors.at(name));
}

/// The labels' numbers are their names, level by level. Without edges every label below the top has
/// the first one above it for a parent.
Hierarchy hierarchy_of(const std::vector<std::int64_t>& level_sizes, const TensorFile& file) {
  const bool has_edges = file.tensors.contains("input.edges");
  std::vector<HierarchyEdge> edges;
  std::int64_t label = 0, above = 0;
  for (std::size_t h = 0; h < level_sizes.size(); ++h) {
    const std::int64_t begin = label;
    for (; label < begin + level_sizes[h]; ++label) {
      if (h == 0) {
        edges.push_back({std::to_string(label), "", "", {}});
      } else if (!has_edges) {
        edges.push_back({std::to_string(label), std::to_string(above), "", {}});
      }
    }
    above = begin;
  }
  const std::vector<std::int64_t> given =
      has_edges ? integers(file, "input.edges") : std::vector<std::int64_t>{};
  for (std::size_t i = 0; i < given.size(); i += 2) {
    edges.push_back({std::to_string(given[i]), std::to_string(given[i + 1]), "", {}});
  }
  return Hierarchy(edges);
}

Config config_of(const nlohmann::json& golden) {
  const auto& sizes = golden["sizes"];
  const auto size = [&](const char* letter, std::int64_t& width) {
    if (sizes.contains(letter)) width = sizes[letter];
  };
  Config config;
  config.model.name = golden["model"].value("name", "la-hcn");
  config.model.local_weight = golden["model"].value("local_weight", 0.5);
  config.model.profile =
      golden["model"].value("profile", "paper") == "paper" ? Profile::kPaper : Profile::kReference;
  config.hmcn.violation_weight = golden["model"].value("violation_weight", 0.0);
  config.encoder.kind =
      golden["encoder"]["kind"] == "bilstm" ? EncoderKind::kBiLstm : EncoderKind::kEmbedding;
  size("e", config.encoder.embedding_width);
  size("lstm", config.encoder.lstm_width);
  size("C", config.model.components);
  size("a", config.model.attention_width);
  size("d", config.model.document_width);
  size("g", config.model.global_width);
  size("u", config.hmcn.width);
  size("u", config.han.gru_width);
  size("c", config.han.attention_width);
  size("F", config.capsule.kinds);
  size("k", config.capsule.window);
  size("max_words", config.train.max_words);
  config.encoder.dropout = config.hmcn.dropout = config.model.global_dropout = 0;
  return config;
}

Corpus corpus_of(const TensorFile& file) {
  const std::vector<std::int64_t> ids = integers(file, "input.ids");
  const std::vector<std::int64_t> lengths = integers(file, "input.lengths");
  std::vector<std::int64_t> sentences;
  if (file.tensors.contains("input.sentence_lengths")) {
    sentences = integers(file, "input.sentence_lengths");
  }
  const auto part = [&](const std::vector<std::int64_t>& of, std::size_t document) {
    const auto width = static_cast<std::ptrdiff_t>(of.size() / lengths.size());
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(document) * width;
    return std::vector<std::int32_t>(begin, begin + width);
  };
  Corpus corpus;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::vector<std::int32_t> words = part(ids, i);
    words.resize(static_cast<std::size_t>(lengths[i]));
    std::vector<std::int32_t> own_sentences = part(sentences, i);
    std::erase(own_sentences, 0);
    corpus.append(std::to_string(i), words, {}, own_sentences);
  }
  return corpus;
}

}  // namespace

std::vector<std::string> golden_names() {
  return {"flat",          "harnn",     "hmcn_f",       "hmcn_r",
          "capsule",       "han",       "la_hcn_paper", "la_hcn_reference",
          "la_hcn_bilstm", "la_hcn_nc", "la_hcn_l",     "la_hcn_g"};
}

GoldenFile::GoldenFile(const std::string& name)
    : path(std::string(HMTC_TEST_DATA) + "/golden/" + name + ".safetensors"),
      file(parse_tensor_file(read_file(path), path)),
      config(config_of(description_of(file))),
      vocabulary(description_of(file)["sizes"]["vocabulary"]),
      hierarchy(hierarchy_of(description_of(file)["sizes"]["levels"], file)),
      corpus(corpus_of(file)) {}

std::unique_ptr<const Network> GoldenFile::network() const {
  return make_network(config, hierarchy, vocabulary, Weights(file, path, "weights/"));
}

TensorFile GoldenFile::weights() const {
  const std::string prefix = "weights/";
  TensorFile weights;
  for (const auto& [name, tensor] : file.tensors) {
    if (name.starts_with(prefix)) weights.tensors[name.substr(prefix.size())] = tensor;
  }
  return weights;
}

DocumentBatch GoldenFile::batch() const {
  std::vector<std::size_t> all(corpus.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return make_document_batch(corpus, all);
}

std::vector<double> GoldenFile::expected(const std::string& name) const {
  const StoredTensor& tensor = file.tensors.at("expected/" + name);
  std::vector<double> values(tensor.num_elements());
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

std::vector<double> GoldenFile::expected_local_logits() const {
  if (has("local_logits")) return expected("local_logits");
  std::vector<double> all(corpus.size() * num_labels());
  for (std::size_t h = 0; h < hierarchy.num_levels(); ++h) {
    const std::vector<double> level = expected("level_" + std::to_string(h + 1) + ".local_logits");
    const std::size_t L = hierarchy.level_size(h);
    const auto begin = static_cast<std::size_t>(hierarchy.level_begin(h));
    for (std::size_t i = 0; i < level.size(); ++i) {
      all[i / L * num_labels() + begin + i % L] = level[i];
    }
  }
  return all;
}

}  // namespace hmtc
