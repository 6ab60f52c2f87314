#!/usr/bin/python3
"""Prints expected_values.h: a small score matrix and what scikit-learn says about it.

    /usr/bin/python3 make_expected.py | clang-format --assume-filename=x.h > expected_values.h

Scores are multiples of 1/16, so that ties are many and float and double agree. What scikit-learn
does not have (CLUS's area, hierarchical F1, precision at k) is written out here naively, from its
definition and not from the C++ code.
"""
import warnings

import numpy as np
import sklearn
from sklearn.metrics import average_precision_score, precision_recall_fscore_support

warnings.filterwarnings("ignore")

LEVEL_BEGIN = [0, 2, 5, 8]
PARENTS = [[], [], [0], [0], [1], [2], [3, 4], [4]]  # label 6 has two parents
DOCUMENTS, LABELS = 14, 8
NEVER = 7  # a label that no document has
THRESHOLD = 0.5
LABEL_THRESHOLDS = np.array([0.5, 0.25, 0.4375, 0.75, 0.3, 0.5, 0.6, 0.9])


def closed(labels):
    result = set()
    for label in labels:
        result |= {label} | closed(PARENTS[label])
    return result


def clus_area(truth, scores):
    """Points (recall, precision) over all distinct scores, interpolated, then trapezia."""
    points, previous = [], None
    for threshold in sorted(set(scores), reverse=True):
        tp = int(((scores >= threshold) & (truth == 1)).sum())
        fp = int(((scores >= threshold) & (truth == 0)).sum())
        if previous is None:
            points.append((0.0, tp / (tp + fp)))
        else:
            for t in range(previous[0] + 1, tp):
                f = previous[1] + (fp - previous[1]) / (tp - previous[0]) * (t - previous[0])
                points.append((t / truth.sum(), t / (t + f)))
        points.append((tp / truth.sum(), tp / (tp + fp)))
        previous = (tp, fp)
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:]))


def hierarchical(truth, scores, thresholds):
    both = predicted_size = true_size = 0
    for row, wanted in zip(scores, truth):
        predicted = closed(np.flatnonzero(row >= thresholds))
        positive = set(np.flatnonzero(wanted))
        both += len(predicted & positive)
        predicted_size += len(predicted)
        true_size += len(positive)
    precision, recall = both / predicted_size, both / true_size
    return precision, recall, 2 * precision * recall / (precision + recall)


def precision_at(truth, scores, k):
    hits = 0
    for row, wanted in zip(scores, truth):
        best = sorted(range(LABELS), key=lambda label: (-row[label], label))[:k]
        hits += sum(wanted[label] for label in best)
    return hits / (k * len(scores))


def array(kind, name, values):
    print(f"inline constexpr {kind} {name}[] = {{{', '.join(map(str, values))}}};")


def number(name, value):
    print(f"inline constexpr double {name} = {float(value)!r};")


def triple(name, values):
    precision, recall, f1 = (float(value) for value in values[:3])
    print(f"inline constexpr PrecisionRecallF1 {name} = {{{precision!r}, {recall!r}, {f1!r}}};")


def decisions(name, truth, scores, thresholds):
    predicted = (scores >= thresholds).astype(int)
    seen = truth.sum(axis=0) > 0
    triple(f"kMicro{name}", precision_recall_fscore_support(truth, predicted, average="micro"))
    triple(f"kMacro{name}", precision_recall_fscore_support(truth[:, seen], predicted[:, seen],
                                                            average="macro"))
    triple(f"kSamples{name}", precision_recall_fscore_support(truth, predicted, average="samples"))
    triple(f"kHierarchical{name}", hierarchical(truth, scores, thresholds))


def main():
    random = np.random.RandomState(7)
    truth = np.zeros((DOCUMENTS, LABELS), dtype=int)
    for document in range(1, DOCUMENTS):  # document 0 has no label
        for label in closed(random.choice([2, 3, 4, 5, 6, 0], size=random.randint(1, 3))):
            truth[document, label] = 1
    scores = np.clip(np.round(16 * (0.3 * truth + 0.7 * random.rand(DOCUMENTS, LABELS))), 0, 16) / 16
    assert truth[:, NEVER].sum() == 0 and truth[0].sum() == 0

    print("#pragma once\n")
    print(f"// Written by make_expected.py with scikit-learn {sklearn.__version__}; do not edit.\n")
    print("#include <cstddef>\n#include <cstdint>\n")
    print('#include "metrics/f_score.h"\n')
    print("namespace hmtc::expected {\n")
    print(f"inline constexpr std::size_t kNumDocuments = {DOCUMENTS};")
    print(f"inline constexpr std::size_t kNumLabels = {LABELS};")
    array("std::int32_t", "kLevelBegin", LEVEL_BEGIN)
    array("std::size_t", "kParentOffsets", np.cumsum([0] + [len(p) for p in PARENTS]))
    array("std::int32_t", "kParents", sum(PARENTS, []))
    array("std::size_t", "kTruthOffsets", np.cumsum([0] + list(truth.sum(axis=1))))
    array("std::int32_t", "kTruth", np.nonzero(truth)[1])
    array("float", "kScores", [f"{score}F" for score in scores.ravel()])
    array("float", "kLabelThresholds", [f"{threshold}F" for threshold in LABEL_THRESHOLDS])
    print()
    seen = truth.sum(axis=0) > 0
    print(f"inline constexpr std::size_t kLabelsWithPositives = {seen.sum()};")
    number("kMicroArea", average_precision_score(truth, scores, average="micro"))
    number("kMacroArea", average_precision_score(truth[:, seen], scores[:, seen], average="macro"))
    number("kWeightedArea", average_precision_score(truth[:, seen], scores[:, seen],
                                                    average="weighted"))
    number("kClusArea", clus_area(truth.ravel(), scores.ravel()))
    levels = [slice(a, b) for a, b in zip(LEVEL_BEGIN, LEVEL_BEGIN[1:])]
    array("double", "kLevelAreas", [repr(float(average_precision_score(
        truth[:, level], scores[:, level], average="micro"))) for level in levels])
    print()
    decisions("AtHalf", truth, scores, THRESHOLD)
    decisions("AtLabelThresholds", truth, scores, LABEL_THRESHOLDS.astype(np.float32))
    print()
    array("double", "kPrecisionAt", [repr(float(precision_at(truth, scores, k))) for k in (1, 3, 5)])
    edges = [(child, parent) for child in range(LABELS) for parent in PARENTS[child]]
    violated = np.array([[row[c] > row[p] + 1e-6 for c, p in edges] for row in scores])
    print(f"inline constexpr std::size_t kViolatedEdges = {violated.sum()};")
    print(f"inline constexpr std::size_t kViolatedDocuments = {violated.any(axis=1).sum()};")
    print("\n}  // namespace hmtc::expected")


if __name__ == "__main__":
    main()
