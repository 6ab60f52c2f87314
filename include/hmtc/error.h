#pragma once

#include <stdexcept>
#include <string>

#include "hmtc/export.h"

namespace hmtc {

/// What went wrong, as the program's exit code says it.
enum class ErrorKind {
  kInternal = 1,  ///< a defect of hmtc itself
  kUsage = 2,     ///< the call or the configuration is not valid
  kInput = 3,     ///< a data file does not hold what it should
  kIo = 4,        ///< a file cannot be read or written
  kModel = 5,     ///< a model or checkpoint is damaged or from another version
};

/// The one exception type of hmtc. what() names place, expectation, finding and remedy.
class HMTC_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace hmtc
