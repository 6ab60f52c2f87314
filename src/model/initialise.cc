#include "model/initialise.h"

#include <cmath>
#include <string>

namespace hmtc {
namespace {

bool ends_with(const std::string& name, const std::string& ending) {
  return name.size() >= ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

/// Normal, values beyond two standard deviations drawn again.
void truncated_normal(torch::Tensor& values, double deviation) {
  torch::Tensor drawn = torch::randn_like(values);
  for (torch::Tensor beyond = drawn.abs() > 2; beyond.any().item<bool>();
       beyond = drawn.abs() > 2) {
    drawn = torch::where(beyond, torch::randn_like(values), drawn);
  }
  values.copy_(drawn * deviation);
}

/// D9, profile reference.
void initialise_as_reference(const std::string& name, torch::Tensor& values) {
  if (ends_with(name, ".labels")) {
    values.uniform_(-1, 1);
  } else if (values.dim() == 1) {
    values.fill_(0.1);
  } else {
    truncated_normal(values, 0.1);
  }
}

/// D9, profile paper.
void initialise_as_paper(const std::string& name, torch::Tensor& values) {
  if (ends_with(name, ".labels") || ends_with(name, ".components")) {
    values.normal_(0, 1 / std::sqrt(static_cast<double>(values.size(1))));
  } else if (ends_with(name, "_context")) {
    values.normal_(0, 1 / std::sqrt(static_cast<double>(values.size(0))));
  } else if (values.dim() == 1) {
    values.zero_();
  } else {
    torch::nn::init::xavier_uniform_(values);
  }
}

}  // namespace

void initialise(torch::nn::Module& model, Profile profile) {
  const torch::NoGradGuard no_grad;
  for (auto& parameter : model.named_parameters()) {
    if (parameter.key().rfind("encoder.", 0) == 0) continue;
    if (parameter.key().find("_norm.") != std::string::npos) continue;
    if (profile == Profile::kReference) {
      initialise_as_reference(parameter.key(), parameter.value());
    } else {
      initialise_as_paper(parameter.key(), parameter.value());
    }
  }
}

}  // namespace hmtc
