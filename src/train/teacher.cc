#include "train/teacher.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/truth.h"
#include "hierarchy/hierarchy_file.h"
#include "predict/loaded_model.h"

namespace hmtc {

std::vector<float> ask_teacher(const std::filesystem::path& model, const DataDirectory& directory,
                               const HeldOut& held_out, int threads) {
  LoadedModel teacher = load_for_prediction(model, threads);
  if (to_tsv(teacher.hierarchy) != to_tsv(directory.hierarchy)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--teacher {}: expected a model with the labels of the data directory, "
                            "found other labels; train a teacher on the same hierarchy",
                            model.string()));
  }
  ReadOptions options = teacher.read_options();
  options.held_out = held_out;
  LabelResolver labels(teacher.hierarchy, /*strict=*/false);
  const Corpus documents = read_corpus(directory.train, teacher.vocabulary, labels, options);
  std::vector<float> scores = teacher.scorer->score(documents).combined;
  make_coherent(teacher.hierarchy, scores);
  return scores;
}

}  // namespace hmtc
