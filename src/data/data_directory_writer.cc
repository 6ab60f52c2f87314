#include "data/data_directory_writer.h"

#include "base/error.h"
#include "base/files.h"
#include "base/json_text.h"

namespace hmtc {

namespace {

void append_list(std::string& out, const std::vector<std::string>& list) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    append_json_string(out, list[i]);
  }
  out += ']';
}

}  // namespace

std::string to_json_line(const Document& document) {
  std::string line = R"({"id":)";
  append_json_string(line, document.id);
  if (document.text) append_json_string(line += R"(,"text":)", *document.text);
  if (document.tokens) append_list(line += R"(,"tokens":)", *document.tokens);
  append_list(line += R"(,"labels":)", document.labels);
  line += '}';
  return line;
}

SplitWriter::SplitWriter(const std::filesystem::path& path)
    : path_(path), temporary_(temporary_beside(path)), out_(temporary_, std::ios::binary) {
  if (!out_) throw io_error("open", temporary_.string());
}

SplitWriter::~SplitWriter() {
  out_.close();
  if (temporary_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void SplitWriter::write(const Document& document) {
  out_ << to_json_line(document) << '\n';
  if (!out_) throw io_error("write", temporary_.string());
  ++count_;
}

void SplitWriter::close() {
  out_.close();
  if (!out_) throw io_error("write", temporary_.string());
  rename_synced(temporary_, path_);
  temporary_.clear();
}

}  // namespace hmtc
