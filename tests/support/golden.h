#pragma once

#include <memory>
#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "config/config.h"
#include "data/corpus.h"
#include "hierarchy/hierarchy.h"
#include "network/document_batch.h"
#include "network/network.h"

namespace hmtc {

/// The names of all golden files of networks (tests/golden/README.md).
std::vector<std::string> golden_names();

/// What an independent implementation made: a network, documents, and what is to come out.
struct GoldenFile {
  explicit GoldenFile(const std::string& name);

  std::unique_ptr<const Network> network() const;
  /// The tensors of the network, named as in a model.
  TensorFile weights() const;
  DocumentBatch batch() const;
  std::size_t num_labels() const { return hierarchy.num_labels(); }

  bool has(const std::string& name) const { return file.tensors.contains("expected/" + name); }
  std::vector<double> expected(const std::string& name) const;
  /// Those of all labels, (B, M): in one tensor or in one for each level.
  std::vector<double> expected_local_logits() const;

  std::string path;
  TensorFile file;
  Config config;
  std::size_t vocabulary;
  Hierarchy hierarchy;
  Corpus corpus;
};

}  // namespace hmtc
