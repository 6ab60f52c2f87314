#pragma once

#include <span>

#include "kernels/gram_product.h"

namespace hmtc {

/// What belongs to one row of X in up to eight logistic regressions side by side, a lane each. A
/// vector of a search stands here twice: as the weight a_i of the row and as (X Xᵀ a)_i, what it
/// adds to the row's logit.
struct SolverRow {
  LaneRow weight, weight_logit;      ///< where the search is
  LaneRow step, step_logit;          ///< from there, as far as conjugate gradients have come
  LaneRow residual, residual_logit;  ///< minus the gradient of the step's model
  LaneRow search, search_logit;      ///< the direction of conjugate gradients
  LaneRow curvature;                 ///< the second derivative of the loss by the row's logit
};

// An iteration of conjugate gradients, in two passes over the rows. No lane has an influence on
// another; in lanes that wait for something else nothing that they need is changed.

/// `length` times the search direction is added to the step, 0 in lanes that do not search.
/// `input` and `product` are what choose_search() left and X Xᵀ times it. Gives the product of the
/// residual with its logits.
LaneRow step_along_search(std::span<SolverRow> rows, std::span<const LaneRow> input,
                          std::span<const LaneRow> product, const LaneRow& length);

struct SearchChoice {
  LaneRow keep;       ///< share of the last direction in the next
  LaneRow bias;       ///< the direction's part for the bias
  LaneRow searching;  ///< 1 or 0: whether the lane is to have a new direction at all
};

struct SearchSums {
  LaneRow curvature;  ///< of the step's model along the direction
  LaneRow input;      ///< of `input`: what the Hessian makes of the direction, the bias's part
};

/// The next direction; leaves in `input` the row weights whose product with X Xᵀ the next step
/// needs: curvature times the direction's logit.
SearchSums choose_search(std::span<SolverRow> rows, const SearchChoice& choice,
                         std::span<LaneRow> input);

}  // namespace hmtc
