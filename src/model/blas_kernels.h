#pragma once

namespace hmtc {

/// Gives LibTorch's products kernels that fit the processor. OpenBLAS chooses its own by the
/// processor's model number, and for a number that it does not know takes those of 2004, with a
/// quarter of the numbers in a register: the capsule network trains three times slower with them.
/// OPENBLAS_CORETYPE, where the user sets it, decides as ever. To be called before the process has
/// other threads; without OpenBLAS nothing happens.
void fit_blas_to_processor();

}  // namespace hmtc
