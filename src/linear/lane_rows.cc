#include "linear/lane_rows.h"

namespace hmtc {

LaneRow step_along_search(std::span<SolverRow> rows, std::span<const LaneRow> input,
                          std::span<const LaneRow> product, const LaneRow& length) {
  const LaneRow by = length;  // copies and local sums may stay in registers
  LaneRow squares;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SolverRow& row = rows[i];
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      row.step.lane[lane] += by.lane[lane] * row.search.lane[lane];
      row.step_logit.lane[lane] += by.lane[lane] * row.search_logit.lane[lane];
      const double change = row.search.lane[lane] + input[i].lane[lane];
      const double change_logit = row.search_logit.lane[lane] + product[i].lane[lane];
      const double residual = row.residual.lane[lane] - by.lane[lane] * change;
      const double logit = row.residual_logit.lane[lane] - by.lane[lane] * change_logit;
      row.residual.lane[lane] = residual;
      row.residual_logit.lane[lane] = logit;
      squares.lane[lane] += residual * logit;
    }
  }
  return squares;
}

SearchSums choose_search(std::span<SolverRow> rows, const SearchChoice& choice,
                         std::span<LaneRow> input) {
  const SearchChoice to = choice;
  SearchSums sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SolverRow& row = rows[i];
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
      const double keep = to.keep.lane[lane];
      const double search = row.residual.lane[lane] + keep * row.search.lane[lane];
      const double logit = row.residual_logit.lane[lane] + keep * row.search_logit.lane[lane];
      const double change = logit + to.bias.lane[lane];
      const double bent = row.curvature.lane[lane] * change;
      row.search.lane[lane] = search;
      row.search_logit.lane[lane] = logit;
      sums.curvature.lane[lane] += search * logit + change * bent;
      sums.input.lane[lane] += bent;
      const double before = input[i].lane[lane];
      input[i].lane[lane] = to.searching.lane[lane] != 0 ? bent : before;
    }
  }
  return sums;
}

}  // namespace hmtc
