#include "serve/batch.h"

#include <iterator>
#include <span>

#include "base/error.h"

namespace hmtc {
namespace {

std::vector<std::string> answers_of(std::span<const BatchPiece> pieces) {
  BatchJob& first = *pieces.front().job;
  if (first.explain) return {first.call.model->explain(first.documents.front(), *first.explain)};
  std::vector<PredictItem> items;
  for (const BatchPiece& piece : pieces) {
    for (std::size_t i = 0; i < piece.count; ++i) {
      items.push_back({&piece.job->documents[piece.begin + i], &piece.job->predict});
    }
  }
  std::vector<std::string> answers = first.call.model->predict(items);
  if (answers.size() != items.size()) {
    throw Error(ErrorKind::kInternal, "a model has not answered every document");
  }
  return answers;
}

}  // namespace

void compute_batch(std::vector<BatchPiece>& batch) {
  try {
    std::vector<std::string> answers = answers_of(batch);
    auto next = answers.begin();
    for (BatchPiece& piece : batch) {
      const auto end = next + static_cast<std::ptrdiff_t>(piece.count);
      piece.answers.assign(std::move_iterator(next), std::move_iterator(end));
      next = end;
    }
    return;
  } catch (...) {
    if (batch.size() == 1) {
      batch.front().failure = std::current_exception();
      return;
    }
  }
  for (BatchPiece& piece : batch) {
    try {
      piece.answers = answers_of({&piece, 1});
    } catch (...) {
      piece.failure = std::current_exception();
    }
  }
}

}  // namespace hmtc
