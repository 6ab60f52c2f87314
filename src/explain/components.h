#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explain/explainer.h"

namespace hmtc {

/// A component of a level, as a corpus shows it.
struct ComponentReport {
  std::size_t component = 1;  ///< counted from 1
  float use = 0;  ///< its share in the labels of the documents: the mean of their associations
  std::vector<std::pair<std::string, float>> words;   ///< mean relevance above the word's own mean
  std::vector<std::pair<std::string, float>> labels;  ///< association, best first
  std::vector<std::size_t> near_copies;  ///< components that rate the words of the corpus alike
};

struct LevelComponentReport {
  std::size_t level = 1;
  std::vector<ComponentReport> components;  ///< most used first
};

struct ComponentsReport {
  std::size_t documents = 0;
  std::vector<LevelComponentReport> levels;
};

struct ComponentsOptions {
  std::size_t documents = 1000;  ///< the first so many; 0: all
  std::size_t words = 10;        ///< to be named for a component
  std::size_t labels = 5;
  std::size_t occurrences = 5;  ///< that a word needs to be named
  std::function<void(std::size_t documents)> progress = {};
};

/// What the components of a network mean: the words of the documents that are nearest to them, the
/// labels that use them. Throws kUsage for a model without components, kInput, kIo.
ComponentsReport describe_components(Explainer& explainer, const std::string& file,
                                     const ComponentsOptions& options);

std::string components_text(const ComponentsReport& report);
std::string components_json(const ComponentsReport& report);
std::string components_page(const ComponentsReport& report, const std::string& model);

}  // namespace hmtc
