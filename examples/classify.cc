// classify MODEL: the labels of each line of standard input, and the three words that speak most
// for each.
#include <hmtc/classifier.h>

#include <algorithm>
#include <iostream>
#include <numeric>

namespace {

/// The words with the greatest weights, in the order of the text.
std::string strongest_words(const hmtc::Explanation& explanation, std::size_t label) {
  constexpr std::size_t kMost = 3;
  const std::vector<float>& weights = explanation.labels[label].weights;
  std::vector<std::size_t> words(weights.size());
  std::iota(words.begin(), words.end(), std::size_t{0});
  std::sort(words.begin(), words.end(),
            [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  words.resize(std::min(words.size(), kMost));
  std::sort(words.begin(), words.end());
  std::string text;
  for (const std::size_t word : words) text += " " + std::string(explanation.word(word));
  return text;
}

void classify(const char* model) {
  const auto classifier = hmtc::Classifier::load(model);
  for (std::string line; std::getline(std::cin, line);) {
    const auto explanation = classifier.explain(hmtc::Document::of_text(line));
    for (std::size_t i = 0; i < explanation.labels.size(); ++i) {
      const hmtc::LabelExplanation& label = explanation.labels[i];
      std::cout << label.label << '\t' << label.score << '\t' << strongest_words(explanation, i)
                << '\n';
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: classify MODEL < texts\n";
    return 2;
  }
  try {
    classify(argv[1]);
  } catch (const hmtc::Error& error) {
    std::cerr << "classify: " << error.what() << '\n';
    return static_cast<int>(error.kind());
  }
}
