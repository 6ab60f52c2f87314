#include "import/record_reader.h"

namespace hmtc {

RecordReader::RecordReader(const std::string& path, const std::string& element)
    : reader_(path), start_tag_("<" + element), end_tag_("</" + element + ">"), place_{path, 0} {}

bool RecordReader::read_line() {
  std::string_view line;
  if (!reader_.next(line)) return false;
  rest_.append(line).append("\n");
  return true;
}

std::size_t RecordReader::find_start(std::size_t from) const {
  for (;;) {
    const std::size_t start = rest_.find(start_tag_, from);
    if (start == std::string::npos) return start;
    from = start + start_tag_.size();
    if (from < rest_.size() && std::string_view(" \t\n>").find(rest_[from]) != std::string::npos) {
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
  while ((start = find_start(0)) == std::string::npos) {
    rest_.clear();  // a tag's name and the character after it stand on one line
    if (!read_line()) return false;
  }
  place_ = reader_.place();
  rest_.erase(0, start);

  std::size_t searched = start_tag_.size();
  std::size_t end;
  while ((end = rest_.find(end_tag_, searched)) == std::string::npos) {
    if (find_start(searched) != std::string::npos) throw unfinished("the next " + start_tag_ + ">");
    searched = rest_.size();
    if (!read_line()) throw unfinished("the end of the file");
  }
  if (find_start(searched) < end) throw unfinished("the next " + start_tag_ + ">");
  end += end_tag_.size();
  record = rest_.substr(0, end);
  rest_.erase(0, end);
  return true;
}

}  // namespace hmtc
