#include "train/trainer_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/targets.h>
#include <unistd.h>

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/error.h"
#include "base/install_folders.h"
#include "base/version.h"

namespace hmtc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "hmtc-trainer";
constexpr const char* kVersionVariable = "HMTC_TRAINER_FOR";
constexpr const char* kKernelsVariable = "OPENBLAS_CORETYPE";

/// The program or shared library that this function is part of; empty where that cannot be told.
fs::path this_module() {
  const auto address = reinterpret_cast<std::uintptr_t>(&this_module);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
    const std::size_t path = line.find('/');
    if (address >= begin && address < end && path != std::string::npos) return line.substr(path);
  }
  return {};
}

/// None where this module cannot be told: never a place that depends on the working directory.
std::vector<fs::path> trainer_places() {
  const fs::path folder = this_module().parent_path();
  if (!folder.is_absolute()) return {};
  std::vector<fs::path> places = {folder / kName};
  for (const char* libexec : {kLibexecFromPrograms, kLibexecFromLibraries}) {
    const fs::path place = (folder / libexec / kName).lexically_normal();
    if (place != places.back()) places.push_back(place);
  }
  return places;
}

/// OpenBLAS's name of its kernels for the vector instructions that this processor has. Of a
/// processor that it does not know by name it takes those of the oldest.
const char* fitting_kernels() {
  const auto supported = hwy::SupportedTargets();
  if (supported & HWY_AVX3) return "SkylakeX";
  if (supported & HWY_AVX2) return "Haswell";
  return nullptr;
}

[[noreturn]] void become(const fs::path& program, char* const* arguments) {
  for (const std::string& variable : trainer_environment()) {
    const std::size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, /*overwrite=*/1);
  }
  ::execv(program.c_str(), arguments);
  throw io_error("start", program.string());
}

}  // namespace

std::optional<fs::path> find_trainer_program() {
  for (const fs::path& place : trainer_places()) {
    if (::access(place.c_str(), X_OK) == 0) return place;
  }
  return std::nullopt;
}

fs::path require_trainer_program() {
  if (std::optional<fs::path> found = find_trainer_program()) return *std::move(found);
  std::vector<std::string> folders;
  for (const fs::path& place : trainer_places()) folders.push_back(place.parent_path().string());
  throw Error(ErrorKind::kUsage,
              fmt::format("training a network takes {} {}, found none in {}; install it (it is "
                          "built where LibTorch is), or train --model linear",
                          kName, kVersion,
                          folders.empty() ? "any place, as there is no /proc to tell them by"
                                          : fmt::format("{}", fmt::join(folders, ", "))));
}

void become_trainer_program(char* const* arguments) {
  const fs::path program = require_trainer_program();
  sigset_t finish;  // waits until the other program can hear it
  ::sigemptyset(&finish);
  ::sigaddset(&finish, SIGUSR1);
  ::sigprocmask(SIG_BLOCK, &finish, nullptr);
  become(program, arguments);
}

void begin_as_trainer_program(char* const* arguments) {
  const char* const expected = std::getenv(kVersionVariable);
  if (expected == nullptr) become("/proc/self/exe", arguments);
  if (std::string(expected) != kVersion) {
    throw Error(ErrorKind::kUsage, fmt::format("expected {} of version {} beside hmtc, found {}; "
                                               "install both of one version",
                                               kName, expected, kVersion));
  }
  ::unsetenv(kVersionVariable);
}

std::vector<std::string> trainer_environment() {
  std::vector<std::string> variables = {fmt::format("{}={}", kVersionVariable, kVersion),
                                        "OPENBLAS_NUM_THREADS=1"};
  const char* const kernels = fitting_kernels();
  if (kernels != nullptr && std::getenv(kKernelsVariable) == nullptr) {
    variables.push_back(fmt::format("{}={}", kKernelsVariable, kernels));
  }
  return variables;
}

}  // namespace hmtc
