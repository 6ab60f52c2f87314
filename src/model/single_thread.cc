#include "model/single_thread.h"

#include <dlfcn.h>
#include <torch/torch.h>

namespace hmtc {

void use_one_thread_per_operation() {
  torch::set_num_threads(1);
  // OpenBLAS has threads of its own, which LibTorch does not set. It is reached by name because
  // LibTorch may be linked with another BLAS.
  using SetThreads = void (*)(int);
  if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
    reinterpret_cast<SetThreads>(symbol)(1);
  }
}

}  // namespace hmtc
