#include "artifact/linear_tensors.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hmtc {
namespace {

constexpr const char* kIdf = "linear.idf";
constexpr const char* kPairs = "linear.pairs";
constexpr const char* kWeight = "linear.weight";
constexpr const char* kBias = "linear.bias";

/// Models whose configuration does not say are older than pairs.
std::int64_t most_pairs(const LinearOptions& options) { return options.word_pairs.value_or(0); }

StoredTensor pairs_tensor(const std::vector<WordPair>& pairs) {
  std::vector<std::int64_t> ids;
  for (const WordPair& pair : pairs) ids.insert(ids.end(), {pair.first, pair.second});
  return int_tensor({static_cast<std::int64_t>(pairs.size()), 2}, ids);
}

/// The pairs in the order of their columns. Every id is checked before it becomes an index.
std::vector<WordPair> load_pairs(const TensorFile& file, const LinearOptions& options,
                                 std::size_t vocabulary_size, const std::string& file_name) {
  const std::int64_t most = most_pairs(options);
  if (most == 0) return {};
  const auto stored = file.tensors.find(kPairs);
  const std::vector<std::int64_t> none;
  const std::vector<std::int64_t>& shape =
      stored == file.tensors.end() ? none : stored->second.shape;
  const std::int64_t count = shape.empty() ? 0 : shape.front();
  const std::vector<std::int64_t> ids =
      int_values(require_tensor(file, kPairs, {count, 2}, file_name, ElementType::kInt64));
  const auto damaged = [&](const std::string& expected, const std::string& found) {
    return model_error({file_name}, {expected + fmt::format(" in tensor \"{}\"", kPairs), found,
                                     "restore the file or train again"});
  };
  if (count > most) {
    throw damaged(fmt::format("at most {} pairs", most), fmt::format("{}", count));
  }
  std::vector<WordPair> pairs;
  PairTable seen;
  for (const std::int64_t id : ids) {
    if (id < TfIdf::kFirstWord || id >= static_cast<std::int64_t>(vocabulary_size)) {
      throw damaged(fmt::format("word ids from {} to {}", TfIdf::kFirstWord, vocabulary_size - 1),
                    fmt::format("{}", id));
    }
  }
  for (std::size_t i = 0; i < ids.size(); i += 2) {
    const WordPair pair{static_cast<std::int32_t>(ids[i]), static_cast<std::int32_t>(ids[i + 1])};
    pairs.push_back(pair);
    if (static_cast<std::size_t>(seen.add(pair)) + 1 != pairs.size()) {
      throw damaged("every pair once", fmt::format("{} {} twice", pair.first, pair.second));
    }
  }
  return pairs;
}

}  // namespace

TfIdfOptions tf_idf_options(const LinearOptions& options) {
  return {options.term_frequency == TermFrequencyRule::kBinary
              ? TfIdfOptions::TermFrequency::kBinary
              : TfIdfOptions::TermFrequency::kSublinear,
          static_cast<std::size_t>(most_pairs(options))};
}

void store_linear(const LinearModel& model, const TfIdf& tf_idf, TensorFile& file) {
  const auto terms = static_cast<std::int64_t>(tf_idf.idf().size());
  const auto labels = static_cast<std::int64_t>(model.num_labels());
  file.tensors[kIdf] = float_tensor({terms}, tf_idf.idf().data());
  if (tf_idf.options().max_pairs > 0) file.tensors[kPairs] = pairs_tensor(tf_idf.pairs());
  file.tensors[kWeight] = float_tensor({terms, labels}, model.weights.data());
  file.tensors[kBias] = float_tensor({labels}, model.bias.data());
  file.metadata["strength"] = std::to_string(model.strength);
}

LoadedLinear load_linear(const TensorFile& file, const LinearOptions& options,
                         std::size_t vocabulary_size, std::size_t num_labels,
                         const std::string& file_name) {
  std::vector<WordPair> pairs = load_pairs(file, options, vocabulary_size, file_name);
  const auto terms = static_cast<std::int64_t>(vocabulary_size + pairs.size());
  const auto labels = static_cast<std::int64_t>(num_labels);
  return {{float_values(require_tensor(file, kWeight, {terms, labels}, file_name)),
           float_values(require_tensor(file, kBias, {labels}, file_name))},
          TfIdf(float_values(require_tensor(file, kIdf, {terms}, file_name)),
                tf_idf_options(options), std::move(pairs))};
}

}  // namespace hmtc
