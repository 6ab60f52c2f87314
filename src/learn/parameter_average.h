#pragma once

#include <string>
#include <vector>

#include "artifact/safetensors.h"
#include "learn/pieces.h"
#include "model/model.h"

namespace hmtc {

/// An exponential moving average over the steps of all parameters and buffers of a model:
///   average = d average + (1 - d) value,   d = min(decay, (1 + n) / (10 + n)) at step n,
/// so that the start is forgotten soon.
///
/// A step costs one pass over what moves: of the word vectors those of the batch's words. The
/// others stay, and their averages come nearer by the factor d. So what is kept of word vectors is
///   E = (average - value) / D,   D the product of all d,
/// which changes with the values only.
class ParameterAverage {
 public:
  /// The decay 0: there is no average, and nothing that is done here changes anything.
  ParameterAverage(Model& model, double decay, int threads);

  /// Begins with the values that the model has now. To be called before the first step.
  void begin();

  /// To be called around each step of the optimiser, the first while the gradients are there.
  void before_step();
  void after_step();

  /// While it lives, the model has the averages for its values; no step may be made.
  class InModel {
   public:
    explicit InModel(ParameterAverage& average);
    ~InModel();
    InModel(const InModel&) = delete;
    InModel& operator=(const InModel&) = delete;

   private:
    ParameterAverage& average_;
  };

  /// For checkpoints.
  void store(TensorFile& file) const;
  void load(const TensorFile& file, const std::string& file_name, std::int64_t num_steps);

 private:
  struct Slot {
    std::string name;
    torch::Tensor owner;    // the model's tensor
    torch::Tensor values;   // its values, also while the model has the averages
    torch::Tensor average;  // of the word vectors: E
  };

  bool is_on() const { return decay_ > 0; }
  /// Counts a step and returns its d.
  double next_decay();
  /// Multiplies D by d. When it gets too small for E in floats it is 1 again, and E has to be
  /// multiplied by what is returned.
  double advance_product(double d);

  double decay_;
  int threads_;
  std::vector<Slot> slots_;  // all but the word vectors
  std::vector<Piece> pieces_;
  Slot words_;
  torch::Tensor moving_;  // rows of the word vectors that this step moves
  torch::Tensor before_;  // their values before it
  std::int64_t num_steps_ = 0;
  double product_ = 1;  // D
};

}  // namespace hmtc
