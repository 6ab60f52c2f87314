#include "train/teacher.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "data/truth.h"
#include "predict/loaded_model.h"

namespace hmtc {
namespace {

/// With the same ids; descriptions may differ.
bool have_same_labels(const Hierarchy& a, const Hierarchy& b) {
  if (a.num_labels() != b.num_labels()) return false;
  for (LabelId id = 0; id < static_cast<LabelId>(a.num_labels()); ++id) {
    if (a.name(id) != b.name(id) || !std::ranges::equal(a.parents(id), b.parents(id))) return false;
  }
  return true;
}

/// 0 means all words.
std::size_t fewer_words(std::size_t a, std::size_t b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

void append_answers(LoadedModel& teacher, const Corpus& documents, std::vector<float>& scores) {
  const std::vector<float> answers = teacher.scorer->score(documents).combined;
  scores.insert(scores.end(), answers.begin(), answers.end());
}

}  // namespace

Lessons ask_teacher(const std::filesystem::path& model, const DataDirectory& directory,
                    const HeldOut& held_out, int threads, const Corpus& train,
                    std::span<const Splice> splices) {
  LoadedModel teacher = load_for_prediction(model, threads);
  if (!have_same_labels(teacher.hierarchy, directory.hierarchy)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--teacher {}: expected a model with the labels and parents of the "
                            "data directory in their order, found others; train another teacher, "
                            "or, where only the order differs, put a copy of {} into the data "
                            "directory",
                            model.string(), (model / "hierarchy.tsv").string()));
  }
  ReadOptions options = teacher.read_options();
  options.held_out = held_out;
  LabelResolver labels(teacher.hierarchy, /*strict=*/false);
  const Corpus documents = read_corpus(directory.train, teacher.vocabulary, labels, options);
  if (documents.size() != train.size()) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: expected {} documents as before, found {}; do "
                                               "not change it while it is read",
                                               directory.train, train.size(), documents.size()));
  }
  const std::size_t most_words = fewer_words(documents.max_words, train.max_words);
  Lessons lessons{train, {}};
  lessons.scores.reserve((documents.size() + splices.size()) * teacher.hierarchy.num_labels());
  append_answers(teacher, documents, lessons.scores);
  // Not all at once: each network of the teacher has scores of its own.
  for (std::size_t begin = 0; begin < splices.size(); begin += documents.size()) {
    Corpus block;
    block.max_words = documents.max_words;
    const std::size_t count = std::min(documents.size(), splices.size() - begin);
    append_splices(documents, splices.subspan(begin, count), most_words, block);
    append_answers(teacher, block, lessons.scores);
  }
  append_splices(train, splices, most_words, lessons.documents);
  make_coherent(teacher.hierarchy, lessons.scores);
  return lessons;
}

}  // namespace hmtc
