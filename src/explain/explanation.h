#pragma once

#include <string>

#include "base/error.h"
#include "hmtc/explanation.h"

namespace hmtc {

/// An explanation would have more weights than its options allow.
class TooManyWeights : public Error {
 public:
  using Error::Error;
};

/// One line of JSON, without the line's end (docs/formats.md). It begins with the name of the
/// model, if there is one.
std::string explanation_json(const Explanation& explanation, const std::string& model = {});

}  // namespace hmtc
