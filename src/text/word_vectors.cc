#include "text/word_vectors.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "base/line_reader.h"
#include "text/subword_vectors.h"
#include "text/word_vector_rows.h"

namespace hmtc {

void WordVectorRows::begin(std::size_t width) {
  vectors_.width = width;
  vectors_.values.resize(vocabulary_.size() * width);
  vectors_.found.resize(vocabulary_.size());
}

std::span<float> WordVectorRows::claim(std::string_view word) {
  ++vectors_.file_words;
  const std::int32_t id = vocabulary_.find(word);
  if (id == Vocabulary::kUnknown) return {};
  const auto row = static_cast<std::size_t>(id);
  if (vectors_.found[row] != 0) return {};
  vectors_.found[row] = 1;
  return std::span(vectors_.values).subspan(row * vectors_.width, vectors_.width);
}

WordVectors WordVectorRows::finish() && {
  double occurrences = 0.0;
  double covered = 0.0;
  for (std::size_t id = Vocabulary::kNumSpecial; id < vocabulary_.size(); ++id) {
    const auto count = static_cast<double>(vocabulary_.count(static_cast<std::int32_t>(id)));
    occurrences += count;
    if (vectors_.found[id] == 0) continue;
    covered += count;
    ++vectors_.words_found;
  }
  vectors_.vocabulary_words = vocabulary_.size() - Vocabulary::kNumSpecial;
  vectors_.occurrence_share =
      occurrences > 0.0 ? covered / occurrences : std::numeric_limits<double>::quiet_NaN();
  return std::move(vectors_);
}

namespace {

constexpr const char* kFormats =
    "give GloVe or word2vec text, a gzip of it, or the wink-embeddings JSON";

/// The number that fills the whole field, if there is one and a float can hold it.
std::optional<float> parse_number(std::string_view field) {
  float value = 0.0F;
  const auto [end, code] = std::from_chars(field.begin(), field.end(), value);
  if (end != field.end() || code == std::errc::invalid_argument) return std::nullopt;
  if (code == std::errc::result_out_of_range) {  // too large, or so small that zero is right
    double wide = std::numeric_limits<double>::infinity();
    std::from_chars(field.begin(), field.end(), wide);
    value = static_cast<float>(wide);
  }
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::size_t count_columns(std::string_view line) {
  return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), ' '));
}

/// Takes the text up to the next space off the front.
std::string_view take_field(std::string_view& rest) {
  const std::size_t space = rest.find(' ');
  const std::string_view field = rest.substr(0, space);
  rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  return field;
}

struct Header {
  std::size_t rows = 0;
  std::size_t width = 0;
};

/// `rows width`: a first line of just two whole numbers.
std::optional<Header> parse_header(std::string_view line) {
  Header header;
  if (count_columns(line) != 2) return std::nullopt;
  for (std::size_t* value : {&header.rows, &header.width}) {
    const std::string_view field = take_field(line);
    const auto [end, code] = std::from_chars(field.begin(), field.end(), *value);
    if (code != std::errc() || end != field.end()) return std::nullopt;
  }
  return header;
}

class TextVectorReader {
 public:
  explicit TextVectorReader(const std::string& path) : path_(path), reader_(path) {}

  void read(WordVectorSink& sink) {
    if (!next_row()) throw empty_file();
    header_ = parse_header(line_);
    if (header_ && !next_row()) throw empty_file();
    width_ = header_ ? header_->width : count_columns(line_) - 1;
    if (width_ == 0) {
      throw input_error(reader_.place(),
                        {"a word and its numbers on every line",
                         "no number in " + in_quotes(std::string(line_)), kFormats});
    }
    check_first_row();
    sink.begin(width_);
    do {
      ++num_rows_;
      const Row row = split_row();
      const std::span<float> to = sink.claim(row.word);
      if (to.empty()) continue;
      parse(row.numbers, to);
      sink.filled();
    } while (next_row());
  }

  void warn_of_other_rows() const {
    if (!header_ || num_rows_ == header_->rows) return;
    spdlog::warn("{}: the first line promises {} words, the file has {}; it may be cut off", path_,
                 header_->rows, num_rows_);
  }

 private:
  struct Row {
    std::string_view word;
    std::string_view numbers;
  };

  /// The next line that is not blank; word2vec and fastText end each with a space.
  bool next_row() {
    while (reader_.next(line_)) {
      while (!line_.empty() && line_.back() == ' ') line_.remove_suffix(1);
      if (!line_.empty()) return true;
    }
    return false;
  }

  /// The numbers of most rows are never looked at; those of the first tell whether this is a file
  /// of vectors at all.
  void check_first_row() {
    const Row row = split_row();
    std::vector<float> ignored(width_);
    parse(row.numbers, ignored);
  }

  Row split_row() const {
    if (count_columns(line_) == width_ + 1) {  // most rows, and counting is fast
      const std::size_t space = line_.find(' ');
      return {line_.substr(0, space), line_.substr(space + 1)};
    }
    std::size_t missing = width_;
    std::size_t at = line_.size();
    while (missing > 0 && at > 0) {
      if (line_[--at] == ' ') --missing;
    }
    if (missing > 0) throw wrong_columns();
    const Row row = {line_.substr(0, at), line_.substr(at + 1)};
    if (row.word.find(' ') != std::string_view::npos) check_word_with_spaces(row.word);
    return row;
  }

  /// "new york" is a word; "york 0.25" is a word followed by a column too many.
  void check_word_with_spaces(std::string_view word) const {
    take_field(word);
    while (!word.empty()) {
      if (!parse_number(take_field(word))) return;
    }
    throw wrong_columns();
  }

  void parse(std::string_view numbers, std::span<float> to) const {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::string_view field = take_field(numbers);
      const std::optional<float> value = parse_number(field);
      if (!value) {
        throw input_error(reader_.place(), {fmt::format("a finite number as value {}", i + 1),
                                            in_quotes(std::string(field)), kFormats});
      }
      to[i] = *value;
    }
  }

  Error wrong_columns() const {
    return input_error(
        reader_.place(),
        {fmt::format("a word and {} numbers", width_),
         fmt::format("{} columns in {}", count_columns(line_), in_quotes(std::string(line_))),
         "mend or remove the line; all words must have as many numbers"});
  }

  Error empty_file() const {
    return input_error({path_}, {"word vectors", "none: the file is empty", kFormats});
  }

  std::string path_;
  LineReader reader_;
  std::string_view line_;
  std::optional<Header> header_;
  std::size_t width_ = 0;
  std::size_t num_rows_ = 0;
};

/// A JSON object begins with a brace and a quotation mark; in a text file a word "{" would be
/// followed by a number.
bool looks_like_json(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char first = 0;
  char second = 0;
  in >> first >> second;  // skips white space
  return first == '{' && second == '"';
}

}  // namespace

WordVectors load_word_vectors(const std::string& path, const Vocabulary& vocabulary,
                              bool subwords) {
  const auto type = std::filesystem::status(path).type();
  if (type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--embeddings: expected a file, found {}, which cannot be read twice; "
                            "save the stream to a file first",
                            in_quotes(path)));
  }
  const bool is_json = looks_like_json(path);
  WordVectorRows rows(vocabulary);
  if (is_json) {
    read_json_word_vectors(path, rows);
  } else {
    TextVectorReader reader(path);
    reader.read(rows);
    reader.warn_of_other_rows();
  }
  WordVectors vectors = std::move(rows).finish();
  if (!subwords || vectors.words_found == vectors.vocabulary_words) return vectors;
  SubwordVectors composer(vocabulary, vectors);
  if (is_json) {
    read_json_word_vectors(path, composer);
  } else {
    TextVectorReader(path).read(composer);
  }
  composer.compose();
  return vectors;
}

}  // namespace hmtc
