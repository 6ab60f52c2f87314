#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <functional>

namespace hmtc {

/// Calls the check once for every instruction set that the kernels are built for and this machine
/// has, with the kernels made to use it.
inline void for_each_instruction_set(const std::function<void()>& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace hmtc
