#pragma once

#include <vector>

#include "explain/explanation.h"
#include "explain/network_words.h"

namespace hmtc {

/// The components that the explained labels of each level use, most used first, with the words of
/// the text and the labels of the level that are nearest to them. A level without an explained
/// label counts all of its labels alike.
std::vector<ComponentExplanation> components_of_text(const std::vector<LevelComponents>& levels,
                                                     const Hierarchy& hierarchy,
                                                     const Explanation& explanation);

}  // namespace hmtc
