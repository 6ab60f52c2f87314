#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/field.h"

namespace hmtc {

/// Each struct: plain members with their defaults, and fields(), the one list that gives every
/// member its key, range and meaning.

enum class Numbers {
  kKeep,        ///< as they stand
  kMaskDigits,  ///< every decimal digit becomes 0: "1,250" is "0,000", "covid19" is "covid00"
  kDrop,        ///< tokens with digits and no letter go; "covid19" stays
};

enum class Punctuation {
  kDrop,  ///< punctuation and symbols go
  kKeep,  ///< each is a token of its own
};

/// What a text's words are, and which of them a model knows.
struct TextOptions {
  /// Years, sizes and versions tell topics apart, and rare numbers fall to the minimum count
  /// anyway.
  Numbers numbers = Numbers::kKeep;
  /// Topics do not hang on commas, and a document's first words are all that a model reads.
  Punctuation punctuation = Punctuation::kDrop;
  /// Folded words to leave out. None: attention learns what to skip, and an explanation should show
  /// the text's own words. Lists are expanded at training, so that a model needs no file.
  std::vector<std::string> stop_words = {};
  std::int64_t min_count = 2;  ///< a word seen once teaches nothing about the next text
  std::int64_t max_vocabulary = 200'000;

  std::vector<Field> fields();
};

struct DataOptions {
  bool strict = true;  // a mistyped label should be seen, not lost

  std::vector<Field> fields();
};

enum class EncoderKind { kAuto, kEmbedding, kBiLstm };

enum class DropoutPlace {
  kOutput,     ///< on the encoder's output
  kEmbedding,  ///< on the word vectors that go into the LSTM, and beside it
};

struct EncoderOptions {
  EncoderKind kind = EncoderKind::kAuto;
  std::int64_t embedding_width = 100;  // GloVe 6B as the authors use it
  std::int64_t lstm_width = 256;       // per direction
  bool residual = false;               // not the paper's: the word's own vector beside the LSTM's
  double dropout = 0.5;
  DropoutPlace dropout_place = DropoutPlace::kOutput;
  bool train_embeddings = true;
  bool subword_vectors = false;

  std::vector<Field> fields();
};

enum class Profile {
  kPaper,      ///< LA-HCN as its equations are printed
  kReference,  ///< as its authors' code has it
  kPlus,       ///< as it does best: see default_config()
};

struct ModelOptions {
  std::string name = "la-hcn";  // chosen by --model
  Profile profile = Profile::kPaper;
  std::int64_t components = 50;
  std::int64_t attention_width = 200;
  std::int64_t document_width = 512;
  std::int64_t global_width = 512;
  double global_dropout = 0.5;
  double local_weight = 0.5;  // alpha of Eq. 17
  // The ingredients of LA-HCN+ (docs/models.md), none of them the paper's.
  bool rarity = false;
  bool label_sharing = false;
  bool parent_prior = false;
  bool max_constraint = false;
  bool label_names = false;

  /// Whose equations LA-HCN follows: plus builds on the authors' code.
  Profile equations() const { return profile == Profile::kPlus ? Profile::kReference : profile; }

  std::vector<Field> fields();
};

struct HmcnOptions {
  std::int64_t width = 384;
  double dropout = 0.5;
  double violation_weight = 0.1;  // lambda of the hierarchical violation

  std::vector<Field> fields();
};

struct CapsuleOptions {
  std::int64_t window = 50;  // words under the convolution
  std::int64_t kinds = 55;   // of capsules at each place
  std::int64_t size = 8;
  std::int64_t label_size = 16;
  std::int64_t routings = 3;
  double max_norm = 3;
  double transform_deviation = 0.1;

  std::vector<Field> fields();
};

struct HanOptions {
  std::int64_t gru_width = 50;  // per direction
  std::int64_t attention_width = 100;
  std::int64_t block_words = 20;

  std::vector<Field> fields();
};

enum class Loss { kCrossEntropy, kFocal, kAsymmetric };

/// What a classifier's logits are judged by (docs/models.md has the formulas).
struct LossOptions {
  Loss kind = Loss::kCrossEntropy;
  double gamma_positive = 0;
  double gamma_negative = 2;  // Lin et al.'s; Ridnik et al. use 4 for 80 labels of images
  double margin = 0.05;
};

enum class Schedule { kSteps, kCosine };

struct TrainOptions {
  std::int64_t members = 1;
  double teacher_weight = 0.5;
  std::int64_t teacher_splices = 4;
  std::int64_t epochs = 100;
  std::int64_t patience = 6;
  bool refit = false;
  std::int64_t batch_size = 32;
  double learning_rate = 1e-3;
  double decay = 0.95;
  std::int64_t decay_steps = 5000;
  Schedule schedule = Schedule::kSteps;
  std::int64_t warmup_steps = 0;
  double clip_norm = 2.0;
  double weight_decay = 0;
  double average = 0;
  double word_dropout = 0;
  std::int64_t frozen_epochs = 0;
  LossOptions loss;
  std::int64_t max_words = 250;
  std::int64_t validate_steps = 0;
  double checkpoint_minutes = 1;
  std::int64_t seed = 0;
  std::int64_t threads = 0;  // 0: all the machine has; resolved at the start of a run

  std::vector<Field> fields();
};

enum class TermFrequencyRule { kBinary, kSublinear };

struct LinearOptions {
  TermFrequencyRule term_frequency = TermFrequencyRule::kSublinear;
  std::optional<std::int64_t> word_pairs = {};  // from the data, at the start of a run
  std::vector<double> strengths = {1, 2, 4, 8, 16, 32, 64, 128};

  std::vector<Field> fields();
};

/// What stands over a network.
struct FusionOptions {
  bool wide = false;
  bool calibrate = false;
  bool by_frequency = false;

  std::vector<Field> fields();
};

}  // namespace hmtc
