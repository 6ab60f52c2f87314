#include "import/record_reader.h"

namespace hmtc {

RecordReader::RecordReader(const std::string& path, const std::string& element)
    : reader_(path), start_tag_("<" + element), end_tag_("</" + element + ">"), place_{path, 0} {}

bool RecordReader::read_line() {
  std::string_view line;
  if (!reader_.next(line)) return false;
  text_.append(line).append("\n");
  return true;
}

std::size_t RecordReader::find_start(std::size_t from) const {
  for (;;) {
    const std::size_t start = text_.find(start_tag_, from);
    if (start == std::string::npos) return start;
    from = start + start_tag_.size();
    if (from < text_.size() && std::string_view(" \t\n>").find(text_[from]) != std::string::npos) {
      return start;
    }
  }
}

Error RecordReader::unfinished(const std::string& found) const {
  return input_error(place_, {end_tag_ + " to close the element that begins here", found,
                              "check that the file is whole"});
}

bool RecordReader::next(std::string& record) {
  std::size_t start;
  while ((start = find_start(begin_)) == std::string::npos) {
    text_.clear();  // a tag's name and the character after it stand on one line
    begin_ = 0;
    if (!read_line()) return false;
  }
  place_ = reader_.place();

  // A line may hold many records, so a record that ends on its line moves nothing.
  std::size_t searched = start + start_tag_.size();
  std::size_t end;
  while ((end = text_.find(end_tag_, searched)) == std::string::npos) {
    if (find_start(searched) != std::string::npos) throw unfinished("the next " + start_tag_ + ">");
    text_.erase(0, start);
    start = 0;
    searched = text_.size();
    if (!read_line()) throw unfinished("the end of the file");
  }
  if (find_start(searched) < end) throw unfinished("the next " + start_tag_ + ">");
  begin_ = end + end_tag_.size();
  record.assign(text_, start, begin_ - start);
  return true;
}

}  // namespace hmtc
