#include "data/data_directory_writer.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace hmtc {

std::string to_json_line(const Document& document) {
  nlohmann::ordered_json json;
  json["id"] = document.id;
  if (document.text) json["text"] = *document.text;
  if (document.tokens) json["tokens"] = *document.tokens;
  json["labels"] = document.labels;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::strict);
}

SplitWriter::SplitWriter(const std::filesystem::path& path)
    : path_(path), temporary_(path.string() + ".tmp"), out_(temporary_, std::ios::binary) {
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
