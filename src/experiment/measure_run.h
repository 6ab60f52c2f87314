#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "predict/evaluate.h"
#include "report/run_result.h"

namespace hmtc {

/// Of a data directory without val.jsonl: the documents that training holds out.
inline constexpr const char* kHeldOutFile = "held_out.jsonl";

/// Test is read once, at the end: a run that only helps to choose settings does not read it.
enum class MeasuredSplits { kValidation, kValidationAndTest };

/// What a model gave on a test split.
RunResult test_result(const Evaluation& test);

/// What a trained model gives on the splits of its data directory, its size and how it was learned.
/// Validation is undefined for a model that learnt from the held out documents in the end.
/// Throws kInput, kIo, kModel.
RunResult measure_run(const std::filesystem::path& model, const std::filesystem::path& data,
                      std::int64_t threads, MeasuredSplits splits);

/// The last line of a run's learning curve, while it trains or after; nothing before the first.
std::optional<ValidationPoint> last_validation(const std::filesystem::path& model);

}  // namespace hmtc
