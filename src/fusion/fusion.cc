#include "fusion/fusion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/logistic.h"

namespace hmtc {
namespace {

constexpr double kWeightPenalty = 10;
constexpr double kShiftPenalty = 1;
/// Frequencies reach about 3: what a slope of them adds to the outermost labels is held as firmly
/// as what all labels share.
constexpr double kSlopePenalty = 10;
constexpr int kMostSteps = 100;
constexpr double kSmallStep = 1e-9;

using Vector = std::vector<double>;

/// The labels of one level, whose pairs with all documents a fit learns from.
struct Level {
  const ClassifierScores& scores;
  const LabelSets& truth;
  std::int32_t begin;
  std::int32_t end;
  std::span<const float> frequencies;  // none, or one for each label of the hierarchy

  /// The coefficients: of each classifier, and the shift; then the slopes of all these.
  std::size_t num_classifiers() const { return scores.size(); }
  std::size_t num_slopes() const { return num_classifiers() + 1; }
  std::size_t width() const { return 2 * num_slopes(); }

  float frequency(std::int32_t label) const {
    return frequencies.empty() ? 0.0F : frequencies[static_cast<std::size_t>(label)];
  }
  double penalty(std::size_t coefficient) const {
    const bool is_shift = coefficient % num_slopes() == num_classifiers();
    return (is_shift ? kShiftPenalty : kWeightPenalty) *
           (coefficient < num_slopes() ? 1 : kSlopePenalty);
  }

  /// Calls visit(x, is_positive) for each pair: x holds the classifiers' logits and the 1 that the
  /// shift is multiplied with, then all of these times the label's frequency. Logits are made anew
  /// each time: of all pairs they would take as much memory as the scores do.
  template <typename Visit>
  void visit_pairs(Visit visit) const {
    std::vector<float> x(width(), 1);
    for (std::size_t document = 0; document < scores[0].num_documents; ++document) {
      const auto positives = truth.of(document);
      for (std::int32_t label = begin; label < end; ++label) {
        for (std::size_t i = 0; i < scores.size(); ++i)
          x[i] = bounded_logit(scores[i].row(document)[static_cast<std::size_t>(label)]);
        for (std::size_t i = 0; i < num_slopes(); ++i)
          x[num_slopes() + i] = x[i] * frequency(label);
        visit(x, std::binary_search(positives.begin(), positives.end(), label));
      }
    }
  }
};

/// The penalised cross-entropy of a level, with its gradient and Hessian where `weights` are.
struct Objective {
  double value = 0;
  Vector gradient;
  Vector hessian;  // (width, width)
};

Objective objective_at(const Level& level, const Vector& weights, const Vector& start) {
  const std::size_t width = level.width();
  Objective found{0, Vector(width, 0.0), Vector(width * width, 0.0)};
  level.visit_pairs([&](const std::vector<float>& x, bool positive) {
    double z = 0;
    for (std::size_t i = 0; i < width; ++i) z += weights[i] * x[i];
    const double small = std::exp(-std::abs(z));  // never overflows
    const double p = z >= 0 ? 1 / (1 + small) : small / (1 + small);
    found.value += std::log1p(small) + std::max(positive ? -z : z, 0.0);
    const double error = p - (positive ? 1 : 0);
    const double curvature = p * (1 - p);
    for (std::size_t i = 0; i < width; ++i) {
      found.gradient[i] += error * x[i];
      for (std::size_t j = 0; j <= i; ++j) found.hessian[i * width + j] += curvature * x[i] * x[j];
    }
  });
  for (std::size_t i = 0; i < width; ++i) {
    const double distance = weights[i] - start[i];
    found.value += 0.5 * level.penalty(i) * distance * distance;
    found.gradient[i] += level.penalty(i) * distance;
    found.hessian[i * width + i] += level.penalty(i);
  }
  return found;
}

/// The x with Hessian · x = gradient, by Cholesky's method; the penalty makes the Hessian positive
/// definite. Only its lower triangle is read.
Vector newton_step(Objective objective) {
  Vector& a = objective.hessian;
  Vector& x = objective.gradient;
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
  Objective here = objective_at(level, weights, start);
  double length = 1;
  for (int step = 0; step < kMostSteps && length > kSmallStep; ++step) {
    const Vector direction = newton_step(here);
    double largest = 0;
    for (const double part : direction) largest = std::max(largest, std::abs(part));
    if (largest < kSmallStep) break;
    length = 1;
    while (length > kSmallStep) {
      Vector next = weights;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] -= length * direction[i];
      Objective there = objective_at(level, next, start);
      if (there.value <= here.value) {
        weights = std::move(next);
        here = std::move(there);
        break;
      }
      length /= 2;
    }
  }
  return weights;
}

void require_same_sizes(const ClassifierScores& scores) {
  const bool fits =
      !scores.empty() && std::all_of(scores.begin(), scores.end(), [&](const auto& s) {
        return s.num_documents == scores[0].num_documents && s.num_labels == scores[0].num_labels;
      });
  if (!fits) throw Error(ErrorKind::kInternal, "fusion: the classifiers' scores differ in size");
}

}  // namespace

Fusion same_for_each_label(std::span<const float> weights, std::size_t num_labels) {
  Fusion fusion;
  for (std::size_t label = 0; label < num_labels; ++label) {
    fusion.weights.insert(fusion.weights.end(), weights.begin(), weights.end());
    fusion.shifts.push_back(0);
  }
  return fusion;
}

std::vector<float> label_frequencies(const LabelSets& documents,
                                     std::span<const std::int32_t> level_begin) {
  std::vector<float> frequencies(static_cast<std::size_t>(level_begin.back()), 0.0F);
  for (const std::int32_t label : documents.labels) ++frequencies[static_cast<std::size_t>(label)];
  for (float& frequency : frequencies) frequency = std::log1p(frequency);
  for (std::size_t level = 0; level + 1 < level_begin.size(); ++level) {
    const auto of_level =
        std::span(frequencies)
            .subspan(static_cast<std::size_t>(level_begin[level]),
                     static_cast<std::size_t>(level_begin[level + 1] - level_begin[level]));
    const float mean = std::accumulate(of_level.begin(), of_level.end(), 0.0F) /
                       static_cast<float>(of_level.size());
    for (float& frequency : of_level) frequency -= mean;
  }
  return frequencies;
}

Fusion fit_fusion(const ClassifierScores& scores, const LabelSets& truth,
                  std::span<const std::int32_t> level_begin, std::span<const float> start,
                  std::span<const float> frequencies) {
  require_same_sizes(scores);
  check_levels(level_begin, scores[0].num_labels);
  if (start.size() != scores.size() ||
      (!frequencies.empty() && frequencies.size() != scores[0].num_labels)) {
    throw Error(ErrorKind::kInternal,
                "fusion: expected a start for each classifier, and no or all frequencies");
  }
  for (const ScoreMatrix& classifier : scores) check_predictions(classifier, truth);
  Fusion fusion;
  for (std::size_t h = 0; h + 1 < level_begin.size(); ++h) {
    const Level level{scores, truth, level_begin[h], level_begin[h + 1], frequencies};
    Vector first(level.width(), 0.0);
    std::copy(start.begin(), start.end(), first.begin());
    const Vector found = minimise(level, first);
    for (std::int32_t label = level.begin; label < level.end; ++label) {
      const auto of_label = [&](std::size_t i) {
        return static_cast<float>(found[i] +
                                  found[level.num_slopes() + i] * level.frequency(label));
      };
      for (std::size_t i = 0; i < level.num_classifiers(); ++i)
        fusion.weights.push_back(of_label(i));
      fusion.shifts.push_back(of_label(level.num_classifiers()));
    }
  }
  return fusion;
}

void fuse(const Fusion& fusion, const ClassifierScores& scores, std::span<float> fused) {
  if (fused.empty()) return;  // without documents a network does not say which parts it has
  require_same_sizes(scores);
  const std::size_t num_labels = scores[0].num_labels;
  if (fusion.num_labels() != num_labels || fusion.weights.size() != num_labels * scores.size()) {
    throw Error(ErrorKind::kInternal, "fusion: expected a weight per label and classifier");
  }
  for (std::size_t document = 0; document < scores[0].num_documents; ++document) {
    for (std::size_t label = 0; label < num_labels; ++label) {
      const auto weights = fusion.weights_of(label);
      float z = fusion.shifts[label];
      for (std::size_t i = 0; i < scores.size(); ++i)
        z += weights[i] * bounded_logit(scores[i].row(document)[label]);
      fused[document * num_labels + label] = sigmoid(z);
    }
  }
}

}  // namespace hmtc
