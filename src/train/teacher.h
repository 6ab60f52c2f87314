#pragma once

#include <filesystem>
#include <vector>

#include "data/corpus_reader.h"
#include "data/data_directory.h"

namespace hmtc {

/// The probabilities that a model gives the training documents, (documents, labels). `held_out`
/// says which documents of the file train. Throws kUsage when it was trained for other labels, and
/// what loading a model throws.
std::vector<float> ask_teacher(const std::filesystem::path& model, const DataDirectory& directory,
                               const HeldOut& held_out, int threads);

}  // namespace hmtc
