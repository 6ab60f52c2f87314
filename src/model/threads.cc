#include "model/threads.h"

#include <dlfcn.h>
#include <torch/torch.h>

namespace hmtc {

void set_threads(int threads) {
  torch::set_num_threads(threads);
  // OpenBLAS has threads of its own, which wait in loops beside LibTorch's: on a busy machine that
  // cost a factor of 15. One thread each for its products, and LibTorch splits what is worth it.
  // It is reached by name because LibTorch may be linked with another BLAS.
  using SetThreads = void (*)(int);
  if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
    reinterpret_cast<SetThreads>(symbol)(1);
  }
}

}  // namespace hmtc
