#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/score_set.h"
#include "learn/adam.h"
#include "learn/gradient_workers.h"
#include "learn/parameter_average.h"
#include "model/model.h"
#include "train/train.h"
#include "train/training_data.h"

namespace hmtc {

/// A network with all that a step of training changes: its parameters, the optimiser's moments,
/// their average over the steps.
class Learner {
 public:
  /// A network before its first step. The seed decides its start values and the dropout.
  Learner(const TrainingData& data, std::uint64_t seed);

  /// Gives a new network what it starts from beside random numbers: pretrained word vectors, the
  /// rarity of words, the names of labels.
  void start_from_training_data(TrainObserver& observer);

  /// Whether word vectors move from now on, unless the configuration says that they never do.
  void train_word_vectors(bool train);

  /// Makes the step of that number with a batch of training documents and gives the loss before it.
  /// Throws kUsage when the loss or its gradient is not finite.
  double learn(const std::vector<std::size_t>& documents, std::int64_t step, double learning_rate);

  /// The averages of the parameters, or the parameters where there are none.
  TensorFile parameters();

  /// What a network with these says of the validation documents, computed as it will answer.
  ScoreSet score_validation(const TensorFile& parameters) const;

  /// For checkpoints.
  void store(TensorFile& file) const;
  void load(const TensorFile& file, const std::string& file_name, std::int64_t num_steps);

 private:
  const TrainingData& data_;
  std::uint64_t seed_;
  std::shared_ptr<Model> model_;
  GradientWorkers workers_;
  Adam adam_;
  ParameterAverage average_;
};

}  // namespace hmtc
