#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hmtc/error.h"
#include "hmtc/export.h"

namespace hmtc {

struct LabelScore {
  std::string label;
  double score = 0;
};

/// Which labels a prediction gives.
struct PredictOptions {
  /// Labels that score at least this; without it the threshold that was tuned on validation.
  std::optional<double> threshold;
  /// At most so many labels, the best ones; without a threshold of its own exactly so many.
  std::optional<std::size_t> top;
  /// A parent never scores below its child.
  bool coherent = true;
};

/// A trained model, ready to classify. Not for several threads at once: load one each, or guard it.
class HMTC_API Classifier {
 public:
  /// Reads a model directory. `threads` 0: as many as the machine has.
  /// Throws Error: kIo when there is no such directory, kModel when it is damaged.
  static Classifier load(const std::filesystem::path& directory, int threads = 0);

  Classifier(Classifier&&) noexcept;
  Classifier& operator=(Classifier&&) noexcept;
  ~Classifier();

  /// All labels, level by level.
  const std::vector<std::string>& labels() const;

  /// The labels of each text (UTF-8; bytes that are not count as punctuation), best first.
  /// Throws Error kInput for a text of 2 GiB or more.
  std::vector<std::vector<LabelScore>> predict(const std::vector<std::string>& texts,
                                               const PredictOptions& options = {});

  /// The same of documents that are lists of words, as "tokens" has them in JSON lines.
  std::vector<std::vector<LabelScore>> predict_words(
      const std::vector<std::vector<std::string>>& documents, const PredictOptions& options = {});

 private:
  struct Implementation;
  explicit Classifier(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmtc
