#pragma once

// Written by make_expected.py with scikit-learn 1.2.1; do not edit.

#include <cstddef>
#include <cstdint>

#include "metrics/f_score.h"

namespace hmtc::expected {

inline constexpr std::size_t kNumDocuments = 14;
inline constexpr std::size_t kNumLabels = 8;
inline constexpr std::int32_t kLevelBegin[] = {0, 2, 5, 8};
inline constexpr std::size_t kParentOffsets[] = {0, 0, 0, 1, 2, 3, 4, 6, 7};
inline constexpr std::int32_t kParents[] = {0, 0, 1, 2, 3, 4, 4};
inline constexpr std::size_t kTruthOffsets[] = {0,  0,  5,  8,  13, 15, 17, 22,
                                                27, 30, 35, 40, 42, 43, 46};
inline constexpr std::int32_t kTruth[] = {0, 1, 3, 4, 6, 0, 2, 5, 0, 1, 3, 4, 6, 0, 2, 1,
                                          4, 0, 1, 3, 4, 6, 0, 1, 3, 4, 6, 0, 2, 5, 0, 1,
                                          2, 4, 5, 0, 1, 3, 4, 6, 0, 2, 0, 0, 2, 5};
inline constexpr float kScores[] = {
    0.1875F, 0.625F,  0.125F,  0.5625F, 0.6875F, 0.3125F, 0.25F,   0.25F,   0.4375F, 0.375F,
    0.3125F, 0.75F,   0.9375F, 0.25F,   0.5F,    0.3125F, 1.0F,    0.125F,  0.375F,  0.0625F,
    0.375F,  0.5F,    0.1875F, 0.625F,  0.625F,  0.5625F, 0.6875F, 0.875F,  0.5625F, 0.1875F,
    0.625F,  0.4375F, 0.75F,   0.1875F, 0.5625F, 0.4375F, 0.3125F, 0.5625F, 0.5F,    0.5F,
    0.3125F, 0.9375F, 0.125F,  0.4375F, 0.6875F, 0.625F,  0.125F,  0.3125F, 0.75F,   0.75F,
    0.5625F, 0.6875F, 0.3125F, 0.0625F, 0.875F,  0.3125F, 0.75F,   0.625F,  0.25F,   0.875F,
    0.9375F, 0.1875F, 0.6875F, 0.625F,  0.625F,  0.0625F, 0.875F,  0.375F,  0.125F,  0.9375F,
    0.1875F, 0.1875F, 0.5625F, 0.5625F, 0.4375F, 0.125F,  0.5625F, 0.875F,  0.5625F, 0.4375F,
    0.625F,  0.625F,  0.3125F, 0.9375F, 0.8125F, 0.0F,    0.8125F, 0.375F,  0.4375F, 0.25F,
    0.9375F, 0.125F,  0.5625F, 0.3125F, 0.4375F, 0.125F,  0.875F,  0.4375F, 0.3125F, 0.5625F,
    0.375F,  0.3125F, 0.0F,    0.5F,    0.625F,  0.125F,  0.6875F, 0.375F,  0.3125F, 0.5F,
    0.375F,  0.6875F};
inline constexpr float kLabelThresholds[] = {0.5F, 0.25F, 0.4375F, 0.75F, 0.3F, 0.5F, 0.6F, 0.9F};

inline constexpr std::size_t kLabelsWithPositives = 7;
inline constexpr double kMicroArea = 0.8608981485234034;
inline constexpr double kMacroArea = 0.8991490369041388;
inline constexpr double kWeightedArea = 0.9099803578064447;
inline constexpr double kClusArea = 0.8790193169152785;
inline constexpr double kLevelAreas[] = {0.9526168362081673, 0.8600802773216566,
                                         0.7703703703703704};

inline constexpr PrecisionRecallF1 kMicroAtHalf = {0.7142857142857143, 0.8695652173913043,
                                                   0.7843137254901961};
inline constexpr PrecisionRecallF1 kMacroAtHalf = {0.7670068027210885, 0.8877551020408163,
                                                   0.8142238713667284};
inline constexpr PrecisionRecallF1 kSamplesAtHalf = {0.6845238095238095, 0.8119047619047619,
                                                     0.7188157081014224};
inline constexpr PrecisionRecallF1 kHierarchicalAtHalf = {0.6052631578947368, 1.0,
                                                          0.7540983606557378};
inline constexpr PrecisionRecallF1 kMicroAtLabelThresholds = {
    0.7592592592592593, 0.8913043478260869, 0.8200000000000001};
inline constexpr PrecisionRecallF1 kMacroAtLabelThresholds = {
    0.8027734170591313, 0.8952380952380953, 0.8256612668377373};
inline constexpr PrecisionRecallF1 kSamplesAtLabelThresholds = {
    0.705952380952381, 0.8261904761904761, 0.7392547928262215};
inline constexpr PrecisionRecallF1 kHierarchicalAtLabelThresholds = {
    0.7142857142857143, 0.9782608695652174, 0.8256880733944955};

inline constexpr double kPrecisionAt[] = {0.9285714285714286, 0.7380952380952381,
                                          0.6142857142857143};
inline constexpr std::size_t kViolatedEdges = 39;
inline constexpr std::size_t kViolatedDocuments = 14;

}  // namespace hmtc::expected
