// How fast inputs are read: word vectors, documents, a model. Makes its inputs in a directory that
// exists, of the sizes asked for, reads each several times and prints the best, as from the page
// cache.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "artifact/model_directory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "text/word_vectors.h"

namespace {

namespace fs = std::filesystem;

constexpr double kMegabyte = 1e6;
constexpr std::size_t kVocabularyWords = 30000;
constexpr int kRepetitions = 3;

struct Options {
  fs::path directory;
  std::size_t vectors = 300;  // megabytes, as the next two
  std::size_t documents = 42;
  std::size_t model = 100;
  std::size_t columns = 100;
  std::string data;  // a data directory to read as well
  int threads = hmtc::hardware_threads();
};

/// Runs of letters, short ones more often, all different because the number is spelt in them.
std::string make_word(std::size_t number) {
  std::string word;
  do {
    word += static_cast<char>('a' + number % 26);
    number /= 26;
  } while (number > 0);
  return word;
}

double uniform(hmtc::Random& random) {
  return static_cast<double>(random.below(1 << 30)) / (1 << 30);
}

/// Zipf's law: the word of rank n is n times rarer than the first.
std::size_t draw_word(hmtc::Random& random) {
  return static_cast<std::size_t>(std::pow(kVocabularyWords, uniform(random))) - 1;
}

hmtc::Vocabulary make_vocabulary() {
  hmtc::VocabularyBuilder builder;
  for (std::size_t i = 0; i < kVocabularyWords; ++i) builder.add(make_word(i));
  return builder.build(1, 0);
}

/// `word -0.038194 0.24487 …`: the words of the vocabulary among ten times as many others.
std::string make_vectors(const Options& options) {
  const std::string path = (options.directory / "vectors.txt").string();
  std::ofstream out(path, std::ios::binary);
  hmtc::Random random(0);
  std::string line;
  for (std::size_t size = 0, row = 0; size < options.vectors * std::size_t{1000000}; ++row) {
    line = row % 10 == 0 ? make_word(row / 10) : fmt::format("other{}", row);
    for (std::size_t i = 0; i < options.columns; ++i) {
      fmt::format_to(std::back_inserter(line), " {:.5g}", 2 * uniform(random) - 1);
    }
    line += '\n';
    out << line;
    size += line.size();
  }
  return path;
}

/// Sentences of words of the vocabulary, with a capital and a full stop.
void make_documents(const fs::path& path, std::size_t megabytes) {
  std::ofstream out(path, std::ios::binary);
  hmtc::Random random(1);
  std::string text;
  for (std::size_t size = 0, number = 0; size < megabytes * 1000000; ++number) {
    text.clear();
    for (int word = 0; word < 130; ++word) {
      if (word > 0) text += word % 13 == 0 ? ". " : " ";
      const std::size_t begin = text.size();
      text += make_word(draw_word(random));
      if (word % 13 == 0) text[begin] = static_cast<char>(text[begin] - 'a' + 'A');
    }
    const std::string line = fmt::format(
        R"({{"id": "{}", "text": "{}.", "labels": ["a", "a/b{}"]}})", number, text, number % 100);
    out << line << '\n';
    size += line.size() + 1;
  }
}

void make_model(const fs::path& path, std::size_t megabytes) {
  const std::size_t count = megabytes * 1000000 / sizeof(float);
  const std::vector<float> values(count, 0.25F);
  hmtc::TensorFile tensors;
  tensors.tensors["weight"] = hmtc::float_tensor({static_cast<std::int64_t>(count)}, values.data());
  hmtc::save_model(path, {{}, hmtc::Hierarchy({{"a", "", "", {}}}), {}, std::move(tensors)});
}

void print_row(const char* what, double bytes, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto begin = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  const double megabytes = bytes / kMegabyte;
  fmt::print("{:<28} {:>8.1f} {:>8.3f} {:>8.1f}\n", what, megabytes, best, megabytes / best);
}

double size_of_splits(const hmtc::DataDirectory& data) {
  double size = static_cast<double>(fs::file_size(data.train));
  if (data.validation) size += static_cast<double>(fs::file_size(*data.validation));
  return size;
}

/// What training reads before its first step.
void read_splits(const fs::path& path, int threads) {
  const hmtc::DataDirectory data = hmtc::open_data_directory(path);
  hmtc::LabelResolver labels(data.hierarchy, true);
  hmtc::ReadOptions options;
  options.threads = threads;
  const hmtc::TrainingCorpus train = hmtc::read_training_corpus(data.train, labels, options);
  if (data.validation) hmtc::read_corpus(*data.validation, train.vocabulary, labels, options);
}

void run(const Options& options) {
  fmt::print("{:<28} {:>8} {:>8} {:>8}\n", "what", "MB", "seconds", "MB/s");
  const std::string vectors = make_vectors(options);
  const hmtc::Vocabulary vocabulary = make_vocabulary();
  print_row("GloVe text", static_cast<double>(fs::file_size(vectors)),
            [&] { hmtc::load_word_vectors(vectors, vocabulary); });

  const fs::path documents = options.directory / "data";
  fs::create_directories(documents);
  make_documents(documents / "train.jsonl", options.documents);
  for (const fs::path& data : {documents, fs::path(options.data)}) {
    if (data.empty()) continue;
    const double size = size_of_splits(hmtc::open_data_directory(data));
    const char* what = data == documents ? "JSONL read and tokenised" : "the given data directory";
    print_row(what, size, [&] { read_splits(data, options.threads); });
  }

  const fs::path model = options.directory / "model";
  make_model(model, options.model);
  print_row("model file", static_cast<double>(fs::file_size(model / "model.safetensors")),
            [&] { hmtc::load_model(model); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("How fast inputs are read");
  Options options;
  program.add_option("directory", options.directory, "where the inputs are made")
      ->required()
      ->check(CLI::ExistingDirectory);
  program.add_option("--vectors", options.vectors, "MB of GloVe text");
  program.add_option("--columns", options.columns, "numbers per word");
  program.add_option("--documents", options.documents, "MB of JSON lines");
  program.add_option("--model", options.model, "MB of tensors");
  program.add_option("--data", options.data, "a data directory to read as well");
  program.add_option("--threads", options.threads);
  CLI11_PARSE(program, argc, argv);
  run(options);
}
