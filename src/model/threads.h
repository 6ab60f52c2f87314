#pragma once

namespace hmtc {

/// Sets how many threads the tensor operations of this process use.
void set_threads(int threads);

}  // namespace hmtc
