#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hmtc/error.h"

namespace hmtc {

/// Expects `action` to throw an Error of this kind whose message contains all of the parts.
template <typename Action>
void expect_error(ErrorKind kind, const std::vector<std::string>& parts, const Action& action) {
  try {
    action();
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const std::string& part : parts) EXPECT_THAT(error.what(), testing::HasSubstr(part));
  }
}

}  // namespace hmtc
