#include "import/apt_lists.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/line_reader.h"
#include "base/strings.h"

namespace hmtc {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAptHelper = "/usr/lib/apt/apt-helper";
constexpr std::string_view kHelperSuffixes[] = {".lz4", ".xz", ".zst", ".bz2", ".lzma"};

std::string_view without_compression(std::string_view name) {
  for (const std::string_view suffix : kHelperSuffixes) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

bool needs_helper(const std::string& path) {
  return std::any_of(std::begin(kHelperSuffixes), std::end(kHelperSuffixes),
                     [&](std::string_view suffix) { return path.ends_with(suffix); });
}

bool add_list(const fs::path& path, AptLists& lists) {
  const std::string name = path.filename().string();
  const std::string_view plain = without_compression(name);
  if (plain.ends_with("Packages")) {
    lists.packages.push_back(path.string());
  } else if (plain.ends_with("Translation-en")) {
    lists.translations.push_back(path.string());
  } else {
    return false;
  }
  return true;
}

class DirectLines : public AptLines {
 public:
  explicit DirectLines(const std::string& path) : reader_(path) {}
  bool next(std::string_view& line) override { return reader_.next(line); }
  Place place() const override { return reader_.place(); }

 private:
  LineReader reader_;
};

/// Lines that apt's helper prints: "apt-helper cat-file FILE".
class HelperLines : public AptLines {
 public:
  explicit HelperLines(const std::string& path) : path_(path) {
    if (!fs::exists(kAptHelper)) {
      throw Error(ErrorKind::kIo, fmt::format("cannot read {}: apt's helper program is not on this "
                                              "machine; decompress the list or convert it to gzip",
                                              path));
    }
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw io_error("open a pipe for", path);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    // Its exit status tells enough; our error names the file.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::string program = kAptHelper;
    std::string verb = "cat-file";
    char* arguments[] = {program.data(), verb.data(), path_.data(), nullptr};
    const int code = ::posix_spawn(&child_, kAptHelper, &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (code != 0) {
      ::close(ends[0]);
      errno = code;
      throw io_error("start apt's helper for", path);
    }
    stream_ = ::fdopen(ends[0], "r");
  }

  HelperLines(const HelperLines&) = delete;
  HelperLines& operator=(const HelperLines&) = delete;
  ~HelperLines() override {
    finish();
    std::free(buffer_);
  }

  bool next(std::string_view& line) override {
    if (stream_ == nullptr) return false;
    const ssize_t length = ::getline(&buffer_, &capacity_, stream_);
    if (length < 0) {
      if (finish() != 0) {
        throw input_error(
            {path_}, {"a list that apt can decompress", "a damaged one", "fetch the list again"});
      }
      return false;
    }
    line = std::string_view(buffer_, static_cast<std::size_t>(length));
    if (line.ends_with('\n')) line.remove_suffix(1);
    ++line_;
    return true;
  }

  Place place() const override { return {path_, line_}; }

 private:
  /// Closes the pipe and waits for the helper; gives its exit status.
  int finish() {
    if (stream_ != nullptr) ::fclose(stream_);
    stream_ = nullptr;
    int status = 0;
    if (child_ > 0) ::waitpid(child_, &status, 0);
    child_ = 0;
    return status;
  }

  std::string path_;
  pid_t child_ = 0;
  std::FILE* stream_ = nullptr;
  char* buffer_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t line_ = 0;
};

}  // namespace

AptLists find_apt_lists(const std::vector<std::string>& inputs) {
  AptLists lists;
  for (const std::string& input : inputs) {
    if (!fs::is_directory(input)) {
      if (add_list(input, lists)) continue;
      throw input_error({input}, {"a list named …Packages or …Translation-en, perhaps compressed",
                                  "another name", "name apt lists or a directory of them"});
    }
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(input)) {
      if (entry.is_regular_file()) entries.push_back(entry.path());
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) add_list(entry, lists);
  }
  if (lists.packages.empty()) {
    throw input_error({inputs.front()}, {"a list named …Packages", "none",
                                         "fetch the lists with scripts/fetch_debtags_lists"});
  }
  return lists;
}

std::unique_ptr<AptLines> open_apt_list(const std::string& path) {
  if (needs_helper(path)) return std::make_unique<HelperLines>(path);
  return std::make_unique<DirectLines>(path);
}

bool StanzaReader::next(Stanza& stanza) {
  stanza.clear();
  std::string* field = nullptr;
  std::string_view line;
  while (lines_->next(line)) {
    if (line.starts_with('#')) continue;
    if (trim(line).empty()) {
      if (stanza.empty()) continue;
      return true;
    }
    if (line.front() == ' ' || line.front() == '\t') {
      if (field != nullptr) {
        field->append("\n").append(line.substr(1));
        continue;
      }
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
      if (stanza.empty()) place_ = lines_->place();
      field = &stanza[lower_ascii(line.substr(0, colon))];
      *field = trim(line.substr(colon + 1));
      continue;
    }
    throw input_error(lines_->place(),
                      {"Field: value, or a blank and the rest of a field",
                       in_quotes(std::string(line)), "fetch the list again; it seems damaged"});
  }
  return !stanza.empty();
}

}  // namespace hmtc
