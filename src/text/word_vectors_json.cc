#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "base/error.h"
#include "text/word_vector_rows.h"

namespace hmtc {
namespace {

namespace json = simdjson::ondemand;

/// After its vector, each row has the vector's norm and the word's index.
constexpr std::size_t kExtraNumbers = 2;

class JsonVectorReader {
 public:
  explicit JsonVectorReader(const std::string& path) : path_(path) {}

  void read(WordVectorSink& sink) {
    simdjson::padded_string content;
    if (simdjson::padded_string::load(path_).get(content)) throw io_error("read", path_);
    json::parser parser;
    json::document document = parser.iterate(content);
    const std::size_t width = read_width(document);
    document.rewind();
    sink.begin(width);
    for (json::field field : json::object(document["vectors"].get_object())) {
      word_ = std::string_view(field.unescaped_key());
      const std::span<float> to = sink.claim(word_);
      if (to.empty()) continue;
      read_row(field.value(), to);
      sink.filled();
    }
  }

 private:
  /// `dimensions` as far as the first row agrees with it; without it what the first row has.
  std::size_t read_width(json::document& document) {
    const std::size_t columns = first_row_size(document);
    document.rewind();
    std::uint64_t dimensions = 0;
    const auto code = document["dimensions"].get_uint64().get(dimensions);
    if (code == simdjson::NO_SUCH_FIELD) {
      dimensions = columns > kExtraNumbers ? columns - kExtraNumbers : 0;
    } else if (code) {
      throw simdjson::simdjson_error(code);
    }
    if (dimensions == 0 || columns != dimensions + kExtraNumbers) {
      throw wrong_columns(dimensions, columns);
    }
    return dimensions;
  }

  std::size_t first_row_size(json::document& document) {
    for (json::field field : json::object(document["vectors"].get_object())) {
      word_ = std::string_view(field.unescaped_key());
      json::array row = field.value().get_array();
      return row.count_elements();
    }
    throw input_error({path_}, {"word vectors", "an empty \"vectors\"", "fetch the file again"});
  }

  void read_row(json::value row, std::span<float> to) {
    std::size_t columns = 0;
    for (auto element : json::array(row.get_array())) {
      if (columns < to.size()) {
        to[columns] = static_cast<float>(double(element.get_double()));
        if (!std::isfinite(to[columns])) {
          throw input_error({path_}, {fmt::format("finite numbers for {}", in_quotes(word_)),
                                      fmt::format("one that is not as value {}", columns + 1),
                                      "mend or remove the word"});
        }
      }
      ++columns;
    }
    if (columns != to.size() + kExtraNumbers) throw wrong_columns(to.size(), columns);
  }

  Error wrong_columns(std::size_t width, std::size_t columns) const {
    const std::string expected =
        width == 0 ? "at least one number, then the norm and the index"
                   : fmt::format("{} numbers, then the norm and the index", width);
    return input_error({path_},
                       {expected, fmt::format("{} numbers for {}", columns, in_quotes(word_)),
                        "mend or remove the word"});
  }

  std::string path_;
  std::string word_;
};

}  // namespace

void read_json_word_vectors(const std::string& path, WordVectorSink& sink) {
  try {
    JsonVectorReader(path).read(sink);
  } catch (const simdjson::simdjson_error& error) {
    throw input_error({path}, {"an object with \"vectors\": {word: [numbers]}", error.what(),
                               "fetch the file again"});
  }
}

}  // namespace hmtc
