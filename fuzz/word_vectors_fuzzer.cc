// Files of word vectors: GloVe, word2vec, gzip of these, wink JSON.
#include "fuzz.h"
#include "support/temporary_directory.h"
#include "text/word_vectors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  static const hmtc::Vocabulary vocabulary = [] {
    hmtc::VocabularyBuilder words;
    for (const char* word : {"pan", "fire", "camp", "campfire"}) words.add(word);
    return words.build(1, 0);
  }();
  const std::string file = directory.write("vectors", hmtc::as_text(data, size));
  hmtc::read_or_refuse({hmtc::ErrorKind::kInput},
                       [&] { hmtc::load_word_vectors(file, vocabulary, /*subwords=*/true); });
  return 0;
}
