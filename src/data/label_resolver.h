#pragma once

#include <map>
#include <string>
#include <vector>

#include "hierarchy/hierarchy.h"

namespace hmtc {

/// Turns label names of a file into closed sets of ids.
class LabelResolver {
 public:
  /// `strict`: a label that the hierarchy does not have is an error; otherwise it is left out and
  /// counted.
  LabelResolver(const Hierarchy& hierarchy, bool strict) : hierarchy_(hierarchy), strict_(strict) {}

  /// Throws kInput in strict mode.
  std::vector<LabelId> resolve(const std::vector<std::string>& names, const Place& place);

  /// The unknown labels left out so far, with how often each.
  const std::map<std::string, std::size_t>& left_out() const { return left_out_; }

 private:
  const Hierarchy& hierarchy_;
  bool strict_;
  std::map<std::string, std::size_t> left_out_;
};

}  // namespace hmtc
