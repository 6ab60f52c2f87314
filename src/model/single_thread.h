#pragma once

namespace hmtc {

/// Makes every tensor operation of this process use one thread. hmtc runs several batches beside
/// each other instead: threads inside an operation wait for each other in loops, which on a busy
/// machine cost a factor of ten and more, and most operations here are too small to share.
void use_one_thread_per_operation();

}  // namespace hmtc
