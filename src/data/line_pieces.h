#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/line_reader.h"
#include "base/parallel.h"

namespace hmtc {

/// Consecutive lines of a file, blank ones left out.
struct LinePiece {
  std::span<const Line> lines;
  std::size_t first = 0;  ///< how many lines stand before them, blank ones not counted
};

/// Works on the lines of a file on several threads: `work` turns a piece into a result, `take` gets
/// the results one by one in the order of the lines. Some rounds of pieces are in memory at a time,
/// whatever the size of the file; while one is worked on, the next is read.
template <typename Result>
void for_each_piece(const std::string& path, int threads,
                    const std::function<Result(const LinePiece&)>& work,
                    const std::function<void(Result&&)>& take) {
  constexpr std::size_t kLinesPerPiece = 128;
  const std::size_t lines_per_round =
      4 * kLinesPerPiece * static_cast<std::size_t>(std::max(threads, 1));
  LineReader reader(path);
  std::vector<Line> lines = read_lines(reader, lines_per_round, BlankLines::kPassOver);
  for (std::size_t first = 0; !lines.empty();) {
    const std::size_t num_pieces = (lines.size() + kLinesPerPiece - 1) / kLinesPerPiece;
    std::vector<Result> results(num_pieces);
    std::vector<Line> next;
    std::exception_ptr unreadable;  // reported when the lines before have been taken
    parallel_for(num_pieces + 1, threads, [&](std::size_t i) {
      if (i < num_pieces) {
        const std::size_t begin = i * kLinesPerPiece;
        const std::size_t count = std::min(kLinesPerPiece, lines.size() - begin);
        results[i] = work({std::span(lines).subspan(begin, count), first + begin});
        return;
      }
      try {
        next = read_lines(reader, lines_per_round, BlankLines::kPassOver);
      } catch (...) {
        unreadable = std::current_exception();
      }
    });
    for (Result& result : results) take(std::move(result));
    if (unreadable) std::rethrow_exception(unreadable);
    first += lines.size();
    lines = std::move(next);
  }
}

}  // namespace hmtc
