#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hmtc {

/// hmtc-trainer: a program of its own that trains networks, because LibTorch takes hundreds of
/// megabytes and half a second to load. It is looked for beside the file that this code is part of
/// (program or library) and in the libexec folder that belongs to it; never in PATH.
std::optional<std::filesystem::path> find_trainer_program();

/// The same; throws kUsage with what to install when it is not there.
std::filesystem::path require_trainer_program();

/// Becomes hmtc-trainer with the same arguments: the same process, terminal and signals. Throws
/// kUsage when it is not there, kIo when it cannot be started.
[[noreturn]] void become_trainer_program(char* const* arguments);

/// To be called by hmtc-trainer before anything else: throws kUsage when a hmtc of another version
/// has started it, and starts itself again when nobody has set its environment (BLAS reads it when
/// it is loaded).
void begin_as_trainer_program(char* const* arguments);

/// What hmtc-trainer wants of its environment, as NAME=VALUE: its BLAS on one thread, with the
/// kernels for this processor unless others are named, and the version of hmtc that starts it.
std::vector<std::string> trainer_environment();

}  // namespace hmtc
