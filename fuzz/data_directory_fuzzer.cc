// A data directory: the first file of the input is train.jsonl, the second hierarchy.tsv, which is
// left out when it is empty. The documents are also read as those to be labelled are.
#include <filesystem>

#include "data/corpus_reader.h"
#include "data/data_directory.h"
#include "data/jsonl_reader.h"
#include "fuzz.h"
#include "support/temporary_directory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  const auto [documents, hierarchy] = hmtc::two_files(hmtc::as_text(data, size));
  directory.write("train.jsonl", documents);
  std::filesystem::remove(directory.path() / "hierarchy.tsv");
  if (!hierarchy.empty()) directory.write("hierarchy.tsv", hierarchy);
  hmtc::read_or_refuse({hmtc::ErrorKind::kInput}, [&] {
    const hmtc::DataDirectory opened = hmtc::open_data_directory(directory.path());
    hmtc::LabelResolver labels(opened.hierarchy, /*strict=*/true);
    hmtc::ReadOptions options;
    options.max_words = 50;
    options.sentences = hmtc::WordSplitter::Sentences::kFind;
    hmtc::read_training_corpus(opened.train, labels, options);
  });
  hmtc::read_or_refuse({hmtc::ErrorKind::kInput}, [&] {
    hmtc::JsonlReader reader((directory.path() / "train.jsonl").string(),
                             hmtc::DocumentParser::Labels::kOptional);
    for (hmtc::Document document; reader.next(document);) {
    }
  });
  return 0;
}
