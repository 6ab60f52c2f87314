#include "model/blas_kernels.h"

#include <dlfcn.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <string_view>

namespace hmtc {
namespace {

constexpr const char* kChoice = "OPENBLAS_CORETYPE";
constexpr std::string_view kOldestKernels = "Prescott";

/// What LibTorch's BLAS calls by this name, null if it is not OpenBLAS.
template <typename Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// OpenBLAS's name of its kernels for the vector instructions that this processor has.
const char* fitting_kernels() {
  const auto supported = hwy::SupportedTargets();
  if (supported & HWY_AVX3) return "SkylakeX";
  if (supported & HWY_AVX2) return "Haswell";
  return nullptr;
}

}  // namespace

void fit_blas_to_processor() {
  auto* name_of_kernels = blas_function<char*()>("openblas_get_corename");
  auto* forget_kernels = blas_function<void()>("gotoblas_dynamic_quit");
  auto* choose_kernels = blas_function<void()>("gotoblas_dynamic_init");
  if (!name_of_kernels || !forget_kernels || !choose_kernels) return;
  if (std::getenv(kChoice) || name_of_kernels() != kOldestKernels) return;
  if (const char* kernels = fitting_kernels()) {
    setenv(kChoice, kernels, /*overwrite=*/1);  // read by the next choice, here and in children
    forget_kernels();
    choose_kernels();
  }
}

}  // namespace hmtc
