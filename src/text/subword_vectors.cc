#include "text/subword_vectors.h"

#include <algorithm>
#include <cmath>

namespace hmtc {
namespace {

constexpr std::size_t kShortest = 3;  // code points, marks included
constexpr std::size_t kLongest = 6;

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t num_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
}

double norm(std::span<const float> vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

/// The mean length of the vectors that were found.
double mean_norm(const WordVectors& vectors) {
  double sum = 0;
  for (std::size_t id = 0; id < vectors.found.size(); ++id) {
    if (vectors.found[id] == 0) continue;
    sum += norm(std::span(vectors.values).subspan(id * vectors.width, vectors.width));
  }
  return sum / static_cast<double>(vectors.words_found);
}

}  // namespace

std::vector<std::string_view> pieces_of(std::string_view marked) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (begins_code_point(marked[i])) begins.push_back(i);
  }
  begins.push_back(marked.size());
  std::vector<std::string_view> pieces;
  for (std::size_t size = kShortest; size <= kLongest; ++size) {
    for (std::size_t i = 0; i + size < begins.size(); ++i) {
      pieces.push_back(marked.substr(begins[i], begins[i + size] - begins[i]));
    }
  }
  return pieces;
}

double piece_weight(std::size_t length, std::size_t frequency, std::size_t num_words) {
  const double rarity =
      std::log((1 + static_cast<double>(num_words)) / (1 + static_cast<double>(frequency)));
  const auto count = static_cast<double>(frequency);
  return std::pow(static_cast<double>(length), 4) * rarity * rarity * count / (count + 3);
}

SubwordVectors::SubwordVectors(const Vocabulary& vocabulary, WordVectors& vectors)
    : vocabulary_(vocabulary), vectors_(vectors) {
  for (std::size_t id = Vocabulary::kNumSpecial; id < vocabulary.size(); ++id) {
    if (vectors.found[id] != 0) continue;
    marked_ = "<" + vocabulary.word(static_cast<std::int32_t>(id)) + ">";
    for (const std::string_view piece : pieces_of(marked_)) pieces_.add(piece);
  }
}

void SubwordVectors::begin(std::size_t width) {
  row_.resize(width);
  sums_.resize(pieces_.size() * width);
  frequencies_.resize(pieces_.size());
}

/// Each piece once, in the order of their numbers.
void SubwordVectors::find_pieces(std::string_view word) {
  marked_.assign("<").append(word).append(">");
  its_pieces_.clear();
  for (const std::string_view piece : pieces_of(marked_)) {
    const std::int32_t number = pieces_.find(piece);
    if (number != WordTable::kNone) its_pieces_.push_back(number);
  }
  std::sort(its_pieces_.begin(), its_pieces_.end());
  its_pieces_.erase(std::unique(its_pieces_.begin(), its_pieces_.end()), its_pieces_.end());
}

std::span<float> SubwordVectors::claim(std::string_view word) {
  ++num_rows_;
  find_pieces(word);
  return its_pieces_.empty() ? std::span<float>() : std::span(row_);
}

void SubwordVectors::filled() {
  for (const std::int32_t piece : its_pieces_) {
    const auto number = static_cast<std::size_t>(piece);
    ++frequencies_[number];
    float* const sum = sums_.data() + number * row_.size();
    for (std::size_t i = 0; i < row_.size(); ++i) sum[i] += row_[i];
  }
}

void SubwordVectors::compose() {
  if (vectors_.words_found == 0) return;  // nothing says how long a vector should be
  const double length = mean_norm(vectors_);
  double occurrences = 0;
  double composed = 0;
  for (std::size_t id = Vocabulary::kNumSpecial; id < vocabulary_.size(); ++id) {
    const auto count = static_cast<double>(vocabulary_.count(static_cast<std::int32_t>(id)));
    occurrences += count;
    if (vectors_.found[id] != 0 || !compose_word(id, length)) continue;
    vectors_.found[id] = 1;
    ++vectors_.words_composed;
    composed += count;
  }
  if (occurrences > 0) vectors_.composed_share = composed / occurrences;
}

bool SubwordVectors::compose_word(std::size_t id, double length) {
  const std::size_t width = vectors_.width;
  std::vector<double> mean(width);  // but for a factor, which the length takes out again
  find_pieces(vocabulary_.word(static_cast<std::int32_t>(id)));
  for (const std::int32_t piece : its_pieces_) {
    const auto number = static_cast<std::size_t>(piece);
    const std::size_t frequency = frequencies_[number];
    if (frequency == 0) continue;
    const double weight = piece_weight(num_code_points(pieces_.word(piece)), frequency, num_rows_) /
                          static_cast<double>(frequency);
    for (std::size_t i = 0; i < width; ++i) mean[i] += weight * sums_[number * width + i];
  }
  double squares = 0;
  for (const double value : mean) squares += value * value;
  if (!(squares > 0)) return false;
  for (std::size_t i = 0; i < width; ++i) {
    vectors_.values[id * width + i] = static_cast<float>(mean[i] * length / std::sqrt(squares));
  }
  return true;
}

}  // namespace hmtc
