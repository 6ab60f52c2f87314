#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/process.h"
#include "support/temporary_directory.h"

namespace hmtc {

using Arguments = std::vector<std::string>;

/// Runs the program with these arguments.
ProcessResult hmtc_program(const Arguments& arguments, const std::string& input = {},
                           const std::string& out_path = {});
Arguments hmtc_command(const Arguments& arguments);

std::vector<std::string> lines_of(const std::string& text);
std::string content_of(const std::filesystem::path& path);

/// A few dozen documents about six topics on three levels, each document with words of its topic
/// and words that all share; the same on every call.
struct TinyCorpus {
  std::vector<std::string> train;  ///< JSON lines
  std::vector<std::string> validation;
  std::vector<std::string> test;
};
TinyCorpus tiny_corpus();

/// The labels of the tiny corpus, inner ones included.
std::vector<std::string> tiny_labels();

/// A data directory with the tiny corpus, and what is trained from it.
class TinyProject {
 public:
  TinyProject();

  std::string data() const { return path("data"); }
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }
  const TemporaryDirectory& directory() const { return directory_; }

  /// `train` into `out` with sizes so small that it takes about a second.
  Arguments train_arguments(const std::string& out, const Arguments& more = {}) const;

  /// A trained model; trained when it is first asked for.
  const std::string& model();

 private:
  TemporaryDirectory directory_;
  std::string model_;
};

}  // namespace hmtc
