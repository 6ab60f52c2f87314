#include "learn/engine.h"

#include <fmt/format.h>
#include <torch/version.h>

namespace hmtc {

const char* const kEngine = "LibTorch " TORCH_VERSION;

void warn_of_another_engine(const std::string& engine, TrainObserver& observer) {
  if (engine == kEngine) return;
  observer.on_message(
      fmt::format("warning: the run was begun with {}, and goes on with {}: the model's bytes may "
                  "differ from those of a run without a break",
                  engine.empty() ? "an unknown version of LibTorch" : engine, kEngine));
}

}  // namespace hmtc
