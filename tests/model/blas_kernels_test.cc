#include "model/blas_kernels.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <torch/torch.h>

#include <cstdlib>
#include <string>

namespace hmtc {
namespace {

/// With OpenBLAS's oldest kernels in the place of those that it chose; the end gives these back.
class BlasKernels : public testing::Test {
 protected:
  void SetUp() override {
    forget_ = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit"));
    choose_ = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init"));
    name_ = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
    if (!forget_ || !choose_ || !name_) GTEST_SKIP() << "LibTorch's BLAS is not OpenBLAS";
    if (!(hwy::SupportedTargets() & HWY_AVX2)) GTEST_SKIP() << "no AVX2";
    at_first_ = name_();
    choose("Prescott");
  }

  void TearDown() override {
    if (!at_first_.empty()) choose(at_first_);
    unsetenv("OPENBLAS_CORETYPE");
  }

  void choose(const std::string& kernels) {
    setenv("OPENBLAS_CORETYPE", kernels.c_str(), 1);
    forget_();
    choose_();
  }

  std::string name() const { return name_(); }

 private:
  void (*forget_)() = nullptr;
  void (*choose_)() = nullptr;
  char* (*name_)() = nullptr;
  std::string at_first_;
};

TEST_F(BlasKernels, OfAnUnknownProcessorAreReplacedByThoseOfItsInstructions) {
  unsetenv("OPENBLAS_CORETYPE");
  fit_blas_to_processor();
  EXPECT_EQ(name(), hwy::SupportedTargets() & HWY_AVX3 ? "SkylakeX" : "Haswell");
}

TEST_F(BlasKernels, ThatTheUserChoseStay) {
  fit_blas_to_processor();
  EXPECT_EQ(name(), "Prescott");
}

TEST_F(BlasKernels, ThatOpenBlasChoseForAKnownProcessorStay) {
  choose("Sandybridge");
  unsetenv("OPENBLAS_CORETYPE");
  fit_blas_to_processor();
  EXPECT_EQ(name(), "Sandybridge");
}

// Row i of the left factor holds i, the right one ones: row i of the product holds 300 i.
TEST_F(BlasKernels, MultiplyAsBefore) {
  unsetenv("OPENBLAS_CORETYPE");
  fit_blas_to_processor();
  const auto rows = torch::arange(200, torch::kFloat).unsqueeze(1);
  const auto product = torch::matmul(rows.expand({200, 300}).contiguous(), torch::ones({300, 100}));
  EXPECT_TRUE(torch::equal(product, (300 * rows).expand({200, 100})));
}

}  // namespace
}  // namespace hmtc
