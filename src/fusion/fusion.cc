#include "fusion/fusion.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/logistic.h"

namespace hmtc {
namespace {

constexpr double kWeightPenalty = 10;
constexpr double kShiftPenalty = 1;
constexpr int kMostSteps = 100;
constexpr double kSmallStep = 1e-9;

using Vector = std::vector<double>;

/// The labels of one level, whose pairs with all documents a fit learns from.
struct Level {
  const ClassifierScores& scores;
  const LabelSets& truth;
  std::int32_t begin;
  std::int32_t end;

  std::size_t width() const { return scores.size() + 1; }

  /// Calls visit(x, is_positive) for each pair: x holds the classifiers' logits, then the 1 that
  /// the shift is multiplied with. Logits are made anew each time: of all pairs they would take
  /// as much memory as the scores do.
  template <typename Visit>
  void visit_pairs(Visit visit) const {
    std::vector<float> x(width(), 1);
    for (std::size_t document = 0; document < scores[0].num_documents; ++document) {
      const auto positives = truth.of(document);
      for (std::int32_t label = begin; label < end; ++label) {
        for (std::size_t i = 0; i < scores.size(); ++i)
          x[i] = bounded_logit(scores[i].row(document)[static_cast<std::size_t>(label)]);
        visit(x, std::binary_search(positives.begin(), positives.end(), label));
      }
    }
  }
};

/// The penalised cross-entropy of a level, with its gradient and Hessian where `weights` are.
struct Slope {
  double objective = 0;
  Vector gradient;
  Vector hessian;  // (width, width)
};

Slope slope_at(const Level& level, const Vector& weights, const Vector& start) {
  const std::size_t width = level.width();
  Slope slope{0, Vector(width, 0.0), Vector(width * width, 0.0)};
  level.visit_pairs([&](const std::vector<float>& x, bool positive) {
    double z = 0;
    for (std::size_t i = 0; i < width; ++i) z += weights[i] * x[i];
    const double small = std::exp(-std::abs(z));  // never overflows
    const double p = z >= 0 ? 1 / (1 + small) : small / (1 + small);
    slope.objective += std::log1p(small) + std::max(positive ? -z : z, 0.0);
    const double error = p - (positive ? 1 : 0);
    const double curvature = p * (1 - p);
    for (std::size_t i = 0; i < width; ++i) {
      slope.gradient[i] += error * x[i];
      for (std::size_t j = 0; j <= i; ++j) slope.hessian[i * width + j] += curvature * x[i] * x[j];
    }
  });
  for (std::size_t i = 0; i < width; ++i) {
    const double penalty = i + 1 < width ? kWeightPenalty : kShiftPenalty;
    const double distance = weights[i] - start[i];
    slope.objective += 0.5 * penalty * distance * distance;
    slope.gradient[i] += penalty * distance;
    slope.hessian[i * width + i] += penalty;
  }
  return slope;
}

/// The x with Hessian · x = gradient, by Cholesky's method; the penalty makes the Hessian positive
/// definite. Only its lower triangle is read.
Vector newton_step(Slope slope) {
  Vector& a = slope.hessian;
  Vector& x = slope.gradient;
  const std::size_t width = x.size();
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * width + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * width + k] * a[j * width + k];
      a[i * width + j] = i == j ? std::sqrt(sum) : sum / a[j * width + j];
    }
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i * width + k] * x[k];
    x[i] /= a[i * width + i];
  }
  for (std::size_t i = width; i-- > 0;) {
    for (std::size_t k = i + 1; k < width; ++k) x[i] -= a[k * width + i] * x[k];
    x[i] /= a[i * width + i];
  }
  return x;
}

/// Newton's method; a step that does not lower the objective is halved.
Vector minimise(const Level& level, const Vector& start) {
  Vector weights = start;
  Slope slope = slope_at(level, weights, start);
  double length = 1;
  for (int step = 0; step < kMostSteps && length > kSmallStep; ++step) {
    const Vector direction = newton_step(slope);
    double largest = 0;
    for (const double part : direction) largest = std::max(largest, std::abs(part));
    if (largest < kSmallStep) break;
    for (length = 1; length > kSmallStep; length /= 2) {
      Vector next = weights;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] -= length * direction[i];
      Slope there = slope_at(level, next, start);
      if (there.objective > slope.objective) continue;
      weights = std::move(next);
      slope = std::move(there);
      break;
    }
  }
  return weights;
}

void require_same_sizes(const ClassifierScores& scores, std::span<const std::int32_t> level_begin) {
  const bool fits =
      !scores.empty() && std::all_of(scores.begin(), scores.end(), [&](const auto& s) {
        return s.num_documents == scores[0].num_documents && s.num_labels == scores[0].num_labels;
      });
  if (!fits) throw Error(ErrorKind::kInternal, "fusion: the classifiers' scores differ in size");
  check_levels(level_begin, scores[0].num_labels);
}

}  // namespace

Fusion same_at_each_level(std::span<const float> weights, std::size_t num_levels) {
  Fusion fusion;
  for (std::size_t level = 0; level < num_levels; ++level) {
    fusion.weights.insert(fusion.weights.end(), weights.begin(), weights.end());
    fusion.shifts.push_back(0);
  }
  return fusion;
}

Fusion fit_fusion(const ClassifierScores& scores, const LabelSets& truth,
                  std::span<const std::int32_t> level_begin, std::span<const float> start) {
  require_same_sizes(scores, level_begin);
  for (const ScoreMatrix& classifier : scores) check_predictions(classifier, truth);
  Vector first(start.begin(), start.end());
  first.push_back(0);
  Fusion fusion;
  for (std::size_t level = 0; level + 1 < level_begin.size(); ++level) {
    const Vector found =
        minimise({scores, truth, level_begin[level], level_begin[level + 1]}, first);
    for (std::size_t i = 0; i + 1 < found.size(); ++i)
      fusion.weights.push_back(static_cast<float>(found[i]));
    fusion.shifts.push_back(static_cast<float>(found.back()));
  }
  return fusion;
}

void fuse(const Fusion& fusion, const ClassifierScores& scores,
          std::span<const std::int32_t> level_begin, std::span<float> fused) {
  if (fused.empty()) return;  // without documents a network does not say which parts it has
  require_same_sizes(scores, level_begin);
  const std::size_t num_levels = level_begin.size() - 1;
  if (fusion.num_levels() != num_levels || fusion.weights.size() != num_levels * scores.size()) {
    throw Error(ErrorKind::kInternal, "fusion: expected a weight per level and classifier");
  }
  const std::size_t num_labels = scores[0].num_labels;
  for (std::size_t document = 0; document < scores[0].num_documents; ++document) {
    for (std::size_t level = 0; level < fusion.num_levels(); ++level) {
      const float* const weights = fusion.weights.data() + level * scores.size();
      for (std::int32_t label = level_begin[level]; label < level_begin[level + 1]; ++label) {
        const auto column = static_cast<std::size_t>(label);
        float z = fusion.shifts[level];
        for (std::size_t i = 0; i < scores.size(); ++i)
          z += weights[i] * bounded_logit(scores[i].row(document)[column]);
        fused[document * num_labels + column] = sigmoid(z);
      }
    }
  }
}

}  // namespace hmtc
