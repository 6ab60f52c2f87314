// A program that looks for hmtc-trainer, as hmtc and hmtc-trainer do. Tests copy it to folders of
// their own.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "hmtc/error.h"
#include "train/trainer_program.h"

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  try {
    if (what == "find") {
      const auto found = hmtc::find_trainer_program();
      std::puts(found ? found->c_str() : "none");
    } else if (what == "require") {
      std::puts(hmtc::require_trainer_program().c_str());
    } else if (what == "become") {
      hmtc::become_trainer_program(argv);
    } else {
      hmtc::begin_as_trainer_program(argv);
      const char* const threads = std::getenv("OPENBLAS_NUM_THREADS");
      const char* const version = std::getenv("HMTC_TRAINER_FOR");
      std::printf("begun, threads %s, version %s\n", threads ? threads : "none",
                  version ? version : "none");
    }
  } catch (const hmtc::Error& error) {
    std::fputs(error.what(), stderr);
    return error.kind() == hmtc::ErrorKind::kUsage ? 2 : 3;
  }
  return 0;
}
