#include "learn/adam.h"

#include <cmath>
#include <numeric>
#include <span>

#include "base/parallel.h"
#include "kernels/sums.h"
#include "model/parameters.h"

namespace hmtc {
namespace {

constexpr const char* kFirstMoment = "adam.first_moment/";
constexpr const char* kSecondMoment = "adam.second_moment/";
constexpr const char* kSteps = "adam.steps/";

std::span<float> elements(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

/// The gradient of some rows of a parameter, or of all.
struct Adam::Gradient {
  std::vector<std::size_t> rows;  ///< of a sparse gradient, each once
  std::vector<float> row_values;
  torch::Tensor dense;
  bool is_given = false;

  std::span<const float> values() const {
    return dense.defined() ? elements(dense) : std::span<const float>(row_values);
  }
  /// Of a sparse gradient; pieces are whole rows.
  std::size_t row_width() const { return rows.empty() ? 1 : row_values.size() / rows.size(); }
};

Adam::Adam(const torch::nn::Module& model, int threads) : threads_(threads) {
  for (const auto& parameter : model.named_parameters()) {
    if (!parameter.value().requires_grad()) continue;
    const torch::Tensor zeros = torch::zeros_like(parameter.value().detach());
    slots_.push_back({parameter.key(), parameter.value(), zeros, zeros.clone()});
  }
}

/// Adds up what a sparse gradient has for the same row, in the order in which it stands there.
Adam::Gradient Adam::merge_rows(const torch::Tensor& gradient) {
  const torch::Tensor indices = gradient._indices()[0].contiguous();
  const torch::Tensor values = gradient._values().contiguous();
  const auto width = static_cast<std::size_t>(values.size(1));
  Gradient merged;
  place_of_row_.resize(static_cast<std::size_t>(gradient.size(0)), kNoPlace);
  for (std::int64_t i = 0; i < indices.numel(); ++i) {
    const auto row = static_cast<std::size_t>(indices.data_ptr<std::int64_t>()[i]);
    const auto from = elements(values).subspan(static_cast<std::size_t>(i) * width, width);
    if (place_of_row_[row] == kNoPlace) {
      place_of_row_[row] = merged.rows.size();
      merged.rows.push_back(row);
      merged.row_values.insert(merged.row_values.end(), from.begin(), from.end());
    } else {
      add_to(from, merged.row_values.data() + place_of_row_[row] * width);
    }
  }
  for (const std::size_t row : merged.rows) place_of_row_[row] = kNoPlace;
  return merged;
}

std::vector<Adam::Gradient> Adam::take_gradients() {
  std::vector<Gradient> gradients(slots_.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    torch::Tensor& gradient = slots_[i].parameter.mutable_grad();
    if (!gradient.defined()) continue;
    if (gradient.is_sparse()) {
      gradients[i] = merge_rows(gradient);
    } else {
      gradients[i].dense = gradient.contiguous();
    }
    gradients[i].is_given = true;
    gradient.reset();
  }
  return gradients;
}

std::vector<Piece> Adam::pieces_of(const std::vector<Gradient>& gradients) {
  std::vector<Piece> pieces;
  for (std::size_t slot = 0; slot < gradients.size(); ++slot) {
    cut_into_pieces(slot, gradients[slot].values().size(), gradients[slot].row_width(), pieces);
  }
  return pieces;
}

double Adam::norm_of(const std::vector<Gradient>& gradients,
                     const std::vector<Piece>& pieces) const {
  std::vector<double> squares(pieces.size());
  parallel_for(pieces.size(), threads_, [&](std::size_t i) {
    const Piece& piece = pieces[i];
    squares[i] = sum_of_squares(gradients[piece.tensor].values().subspan(piece.begin, piece.count));
  });
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

double Adam::step(double learning_rate, double clip_norm, double weight_decay) {
  const std::vector<Gradient> gradients = take_gradients();
  const std::vector<Piece> pieces = pieces_of(gradients);
  const double norm = norm_of(gradients, pieces);
  if (!std::isfinite(norm)) return norm;

  for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].num_steps += gradients[i].is_given;
  const auto scale = static_cast<float>(std::min(1.0, clip_norm / (norm + 1e-6)));
  parallel_for(pieces.size(), threads_, [&](std::size_t i) {
    const Piece& piece = pieces[i];
    Slot& slot = slots_[piece.tensor];
    const Gradient& gradient = gradients[piece.tensor];
    const bool decays = gradient.dense.defined() && slot.parameter.dim() > 1;
    const AdamStep step{.learning_rate = learning_rate,
                        .weight_decay = decays ? weight_decay : 0,
                        .number = slot.num_steps};
    // `count` numbers of the gradient from `from` on belong at `place` of the parameter.
    const auto update = [&](std::size_t from, std::size_t count, std::size_t place) {
      adam_update(step, scale, gradient.values().subspan(from, count),
                  slot.parameter.data_ptr<float>() + place,
                  slot.first_moment.data_ptr<float>() + place,
                  slot.second_moment.data_ptr<float>() + place);
    };
    if (gradient.dense.defined()) return update(piece.begin, piece.count, piece.begin);
    const std::size_t width = gradient.row_width();
    for (std::size_t at = piece.begin; at < piece.begin + piece.count; at += width) {
      update(at, width, gradient.rows[at / width] * width);
    }
  });
  return norm;
}

void Adam::store(TensorFile& file) const {
  for (const Slot& slot : slots_) {
    file.tensors[kFirstMoment + slot.name] = to_stored(slot.first_moment);
    file.tensors[kSecondMoment + slot.name] = to_stored(slot.second_moment);
    file.tensors[kSteps + slot.name] = int_tensor({1}, std::span(&slot.num_steps, 1));
  }
}

void Adam::load(const TensorFile& file, const std::string& file_name) {
  for (Slot& slot : slots_) {
    const auto shape = slot.parameter.sizes().vec();
    slot.first_moment = to_torch(require_tensor(file, kFirstMoment + slot.name, shape, file_name));
    slot.second_moment =
        to_torch(require_tensor(file, kSecondMoment + slot.name, shape, file_name));
    const StoredTensor& steps =
        require_tensor(file, kSteps + slot.name, {1}, file_name, ElementType::kInt64);
    slot.num_steps = int_values(steps).front();
  }
}

}  // namespace hmtc
