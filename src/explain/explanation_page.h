#pragma once

#include <string>
#include <vector>

#include "explain/explanation.h"
#include "hierarchy/hierarchy.h"

namespace hmtc {

/// What a model says of some documents.
struct ExplainedModel {
  std::string name;
  std::vector<Explanation> explanations;  ///< of every model the same documents in the same order
};

/// A page of its own, without script or outside resource: for every document the tree of its
/// labels, and for every label a copy of the text with its words lit up; several models side by
/// side. `hierarchy` is that of the first model.
std::string explanation_page(const std::vector<ExplainedModel>& models, const Hierarchy& hierarchy);

}  // namespace hmtc
