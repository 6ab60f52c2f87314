#include "predict/document_scorer.h"

#include <algorithm>

#include "base/parallel.h"

namespace hmtc {
namespace {

/// A thread that is woken for fewer costs more than it saves.
constexpr std::size_t kDocumentsPerPiece = 16;

}  // namespace

DocumentScorer::DocumentScorer(const LoadedModel& model)
    : model_(model), splitters_([&model] {
        return std::make_unique<WordSplitter>(
            model.config.text,
            [&model](std::string_view word) { return model.vocabulary.find(word); },
            model.read_options().sentences);
      }) {}

ScoreSet DocumentScorer::score(std::span<const Document* const> documents, int threads) {
  return model_.scorer->score(read(documents, threads), threads);
}

Corpus DocumentScorer::read(std::span<const Document* const> documents, int threads,
                            LabelResolver* labels) {
  const std::size_t words_kept = model_.read_options().words_kept();
  std::vector<SplitText> split(documents.size());
  const std::size_t pieces = (documents.size() + kDocumentsPerPiece - 1) / kDocumentsPerPiece;
  parallel_for(pieces, threads, [&](std::size_t piece) {
    const auto splitter = splitters_.take();
    const std::size_t begin = piece * kDocumentsPerPiece;
    const std::size_t end = std::min(begin + kDocumentsPerPiece, documents.size());
    for (std::size_t i = begin; i < end; ++i) split[i] = splitter->split(*documents[i], words_kept);
  });
  Corpus corpus;
  corpus.max_words = model_.config.words_read();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    std::vector<LabelId> truth;
    if (labels != nullptr) truth = labels->resolve(documents[i]->labels, {"documents", i + 1});
    corpus.append({}, split[i].words, truth, split[i].sentences);
  }
  return corpus;
}

}  // namespace hmtc
