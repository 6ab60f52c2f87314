#include "config/options.h"

namespace hmtc {
namespace {

constexpr double kMany = 1e9;

}  // namespace

std::vector<Field> TextOptions::fields() {
  return {
      {"text.numbers", choice(numbers, {"keep", "mask", "drop"}), 0, 0,
       "numbers: as they are, every digit as 0, or left out"},
      {"text.punctuation", choice(punctuation, {"drop", "keep"}), 0, 0,
       "punctuation and symbols: left out, or words of their own"},
      {"text.stop_words", &stop_words, 0, 0,
       "words to leave out; at training also `english` or `@FILE` with one word per line"},
      {"text.min_count", &min_count, 1, kMany, "rarer words of the training split are unknown"},
      {"text.max_vocabulary", &max_vocabulary, 3, kMany,
       "size of the vocabulary at most, padding and unknown included; the most frequent words "
       "stay"},
  };
}

std::vector<Field> DataOptions::fields() {
  return {
      {"data.strict", &strict, 0, 0,
       "a label that the hierarchy does not have: an error, or (false) left out with a warning"},
  };
}

std::vector<Field> EncoderOptions::fields() {
  return {
      {"encoder.kind", choice(kind, {"auto", "embedding", "bilstm"}), 0, 0,
       "word vectors alone, or a Bi-LSTM over them; auto: bilstm for text, embedding for tokens"},
      {"encoder.embedding_width", &embedding_width, 1, 65536,
       "width of a word vector; --embeddings sets it to the file's"},
      {"encoder.lstm_width", &lstm_width, 1, 65536, "width of the LSTM, per direction"},
      {"encoder.residual", &residual, 0, 0,
       "Bi-LSTM: each word's own vector stands behind the LSTM's output"},
      {"encoder.dropout", &dropout, 0, 0.99, "dropout on the encoder's word vectors"},
      {"encoder.dropout_place", choice(dropout_place, {"output", "embedding"}), 0, 0,
       "Bi-LSTM: where encoder.dropout acts, on its output or on the word vectors before it"},
      {"encoder.train_embeddings", &train_embeddings, 0, 0, "whether word vectors are trained"},
      {"encoder.subword_vectors", &subword_vectors, 0, 0,
       "whether words that --embeddings does not have get a vector made from those of words with "
       "the same pieces"},
  };
}

std::vector<Field> ModelOptions::fields() {
  return {
      {"model.profile", choice(profile, {"paper", "reference", "plus"}), 0, 0,
       "LA-HCN as its equations are printed, as its authors' code has it (docs/paper_map.md), or "
       "that with all of LA-HCN+ (docs/models.md): other defaults of encoder.*, train.* and "
       "fusion.*, which a profile brings to every network"},
      {"model.components", &components, 1, 65536, "LA-HCN: components per level, |C^h|"},
      {"model.attention_width", &attention_width, 1, 65536,
       "LA-HCN: width of a component; HARNN: width of the attention"},
      {"model.document_width", &document_width, 1, 65536,
       "LA-HCN: width d of documents and labels; HARNN: of a level's document"},
      {"model.global_width", &global_width, 1, 65536,
       "LA-HCN, HARNN: width of the global classifier's hidden layer"},
      {"model.global_dropout", &global_dropout, 0, 0.99,
       "LA-HCN, HARNN: dropout before the global output"},
      {"model.local_weight", &local_weight, 0, 1,
       "share of the local scores in the result: alpha of LA-HCN and HARNN, beta of HMCN; with "
       "fusion.* only while it trains, since weights of that follow"},
      {"model.rarity", &rarity, 0, 0, "LA-HCN: rare words get more attention, learned per level"},
      {"model.label_sharing", &label_sharing, 0, 0,
       "LA-HCN: a label's vector is the sum of its own and its parent's"},
      {"model.parent_prior", &parent_prior, 0, 0,
       "LA-HCN: a label's local logit starts from the log-probability of its parent"},
      {"model.max_constraint", &max_constraint, 0, 0,
       "LA-HCN: a label scores as the best of its subtree, in the loss too"},
      {"model.label_names", &label_names, 0, 0,
       "LA-HCN: label vectors start from the names in the third column of hierarchy.tsv"},
  };
}

std::vector<Field> HmcnOptions::fields() {
  return {
      {"hmcn.width", &width, 1, 65536, "units of each layer"},
      {"hmcn.dropout", &dropout, 0, 0.99, "dropout behind each layer"},
      {"hmcn.violation_weight", &violation_weight, 0, 1e6,
       "lambda: what it costs that a child scores above its parent"},
  };
}

std::vector<Field> CapsuleOptions::fields() {
  return {
      {"capsule.window", &window, 1, 65536, "words under the convolution"},
      {"capsule.kinds", &kinds, 1, 65536, "kinds of capsules at each place"},
      {"capsule.size", &size, 1, 65536, "size of a capsule of the text"},
      {"capsule.label_size", &label_size, 1, 65536, "size of a label's capsule"},
      {"capsule.routings", &routings, 1, 100, "rounds of routing"},
      {"capsule.max_norm", &max_norm, 1e-6, kMany, "upper bound of the norm of each filter"},
      {"capsule.transform_deviation", &transform_deviation, 1e-9, 100,
       "standard deviation of the transforms' start values"},
  };
}

std::vector<Field> HanOptions::fields() {
  return {
      {"han.gru_width", &gru_width, 1, 65536, "width of both GRUs, per direction"},
      {"han.attention_width", &attention_width, 1, 65536, "width of the context vectors"},
      {"han.block_words", &block_words, 1, kMany,
       "words of a block, which takes the place of a sentence where there are only tokens"},
  };
}

std::vector<Field> TrainOptions::fields() {
  return {
      {"train.members", &members, 1, 100,
       "networks that learn from different seeds; the model takes the mean of their logits"},
      {"train.teacher_weight", &teacher_weight, 0, 1,
       "with --teacher: the weight of its probabilities beside the labels"},
      {"train.teacher_splices", &teacher_splices, 0, 1000,
       "with --teacher: documents for each of the training split that are spliced from two of them "
       "and learnt with its probabilities alone; 0: none"},
      {"train.epochs", &epochs, 1, kMany,
       "passes over what is learnt from at most: the training split, with --teacher the splices "
       "too"},
      {"train.patience", &patience, 1, kMany,
       "validations without a better AU(PRC) before it stops"},
      {"train.refit", &refit, 0, 0,
       "without a val.jsonl: once validation has chosen, learn again from all documents, also "
       "those held out for it"},
      {"train.batch_size", &batch_size, 1, 65536, "documents per step"},
      {"train.learning_rate", &learning_rate, 1e-9, 10, "Adam's learning rate at the start"},
      {"train.decay", &decay, 1e-3, 1, "factor on the learning rate every train.decay_steps"},
      {"train.decay_steps", &decay_steps, 1, kMany, "steps between two decays"},
      {"train.schedule", choice(schedule, {"steps", "cosine"}), 0, 0,
       "the learning rate falls by train.decay and train.decay_steps, or along half a cosine to 0 "
       "at the end of train.epochs"},
      {"train.warmup_steps", &warmup_steps, 0, kMany,
       "first steps, over which the learning rate rises evenly from 0; 0: none"},
      {"train.clip_norm", &clip_norm, 1e-6, kMany, "the gradient's norm is cut to this"},
      {"train.weight_decay", &weight_decay, 0, 1,
       "decoupled weight decay, times the learning rate, of matrices (not of biases and word "
       "vectors); 0: none"},
      {"train.average", &average, 0, 0.999999,
       "decay of a moving average of the parameters, which is validated and kept in their place; "
       "0: none"},
      {"train.word_dropout", &word_dropout, 0, 0.99,
       "probability that a word of a training document is taken for the unknown one"},
      {"train.frozen_epochs", &frozen_epochs, 0, kMany,
       "first epochs, in which word vectors stay as they are"},
      {"train.loss", choice(loss.kind, {"cross-entropy", "focal", "asymmetric"}), 0, 0,
       "what is minimised for every label (not for capsule, which has its own)"},
      {"train.loss_gamma_positive", &loss.gamma_positive, 0, 10,
       "asymmetric: how little a label that is there counts when it is found"},
      {"train.loss_gamma_negative", &loss.gamma_negative, 0, 10,
       "asymmetric: how little a label that is not there counts when it is not found; focal: gamma "
       "of both"},
      {"train.loss_margin", &loss.margin, 0, 0.5,
       "asymmetric: probability below which a label that is not there does not count"},
      {"train.max_words", &max_words, 1, kMany,
       "longer documents are cut to their first words (not for the linear model)"},
      {"train.validate_steps", &validate_steps, 0, kMany,
       "steps between validations; 0: after each epoch"},
      {"train.checkpoint_minutes", &checkpoint_minutes, 0, kMany,
       "minutes between checkpoints; 0: after every step"},
      {"train.seed", &seed, 0, 9e15, "seed of all random numbers"},
      {"train.threads", &threads, 0, 256, "threads; 0: as many as the machine has"},
  };
}

std::vector<Field> LinearOptions::fields() {
  return {
      {"linear.term_frequency", choice(term_frequency, {"binary", "sublinear"}), 0, 0,
       "a word counts once per document, or 1 + ln(its count)"},
      {"linear.word_pairs", &word_pairs, 0, kMany,
       "pairs of neighbouring words that are features besides the words, at most: the most "
       "frequent ones of those in two or more training documents; auto: 100000 for 3000 or more "
       "texts, less with very many labels; 0 for fewer texts and for tokens"},
      {"linear.strengths", &strengths, 1e-6, 1e6,
       "inverse regularisation strengths C to try; validation chooses"},
  };
}

std::vector<Field> FusionOptions::fields() {
  return {
      {"fusion.wide", &wide, 0, 0,
       "whether a linear model (linear.*) is fitted beside the network and its logits added"},
      {"fusion.calibrate", &calibrate, 0, 0,
       "whether validation gives the classifiers' weights and a shift, level by level"},
      {"fusion.by_frequency", &by_frequency, 0, 0,
       "whether fusion.calibrate also minds how many training documents a label has"},
  };
}

}  // namespace hmtc
