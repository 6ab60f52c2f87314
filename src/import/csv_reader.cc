#include "import/csv_reader.h"

#include "base/strings.h"

namespace hmtc {

CsvReader::CsvReader(const std::string& path, char delimiter)
    : reader_(path), delimiter_(delimiter), place_{path, 0} {}

/// `line` begins after the opening quote; afterwards it begins after the closing one. The field
/// may take further lines from the file.
void CsvReader::read_quoted(std::string_view& line, std::string& field) {
  for (;;) {
    const std::size_t quote = line.find('"');
    field += line.substr(0, quote);
    if (quote == std::string_view::npos) {
      field += '\n';
      if (reader_.next(line)) continue;
      throw input_error(place_,
                        {"a closing quote in the row that begins here", "the end of the file",
                         "close the quote, or double it inside a field"});
    }
    line.remove_prefix(quote + 1);
    if (!line.starts_with('"')) return;
    field += '"';
    line.remove_prefix(1);
  }
}

bool CsvReader::next(std::vector<std::string>& fields) {
  fields.clear();
  std::string_view line;
  do {
    if (!reader_.next(line)) return false;
  } while (line.empty());
  place_ = reader_.place();

  for (;;) {
    std::string& field = fields.emplace_back();
    if (line.starts_with('"')) {
      line.remove_prefix(1);
      read_quoted(line, field);
      if (!line.empty() && line.front() != delimiter_) {
        throw input_error(
            reader_.place(),
            {"a delimiter or the end of the line after a closing quote",
             in_quotes(std::string(line)), "double the quotes inside a quoted field"});
      }
    } else {
      field = line.substr(0, line.find(delimiter_));
      line.remove_prefix(field.size());
    }
    if (line.empty()) return true;
    line.remove_prefix(1);
  }
}

}  // namespace hmtc
