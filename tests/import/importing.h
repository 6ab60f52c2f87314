#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "import/import.h"
#include "support/expect_error.h"
#include "support/temporary_directory.h"

namespace hmtc {

/// A test that writes small inputs, imports them and looks at the data directory.
class Importing : public testing::Test {
 protected:
  explicit Importing(const std::string& format) {
    options_.format = format;
    options_.out = directory_.path() / "out";
  }

  /// Writes an input and adds it to the options.
  void input(const std::string& name, std::string_view content) {
    options_.inputs.push_back(directory_.write(name, content));
  }

  /// Everything goes to train, so that one small input is enough.
  ImportReport import_all_as_train() {
    options_.split = {{100, 0, 0}};
    return import_data(options_);
  }

  /// Replaces the inputs by one with this content and expects it to be refused.
  void expect_refused(const std::string& name, std::string_view content,
                      const std::vector<std::string>& parts) {
    options_.inputs.clear();
    input(name, content);
    expect_error(ErrorKind::kInput, parts, [&] { import_all_as_train(); });
  }

  std::string out(const std::string& file) const { return read_file(options_.out / file); }

  std::vector<std::string> out_lines(const std::string& file) const {
    std::istringstream stream(out(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  /// How often the report says this, 0 when it does not.
  static std::size_t noted(const ImportReport& report, ImportNote::Kind kind,
                           const std::string& what) {
    std::size_t count = 0;
    for (const ImportNote& note : report.notes) {
      if (note.kind == kind && note.what.find(what) != std::string::npos) count += note.count;
    }
    return count;
  }

  TemporaryDirectory directory_;
  ImportOptions options_;
};

}  // namespace hmtc
