#include "model/initialise.h"

#include <cmath>
#include <string>

namespace hmtc {
namespace {

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
  if (name.ends_with(".labels")) {
    values.uniform_(-1, 1);
  } else if (values.dim() == 1) {
    values.fill_(0.1);
  } else {
    truncated_normal(values, 0.1);
  }
}

/// D9, profile paper.
void initialise_as_paper(const std::string& name, torch::Tensor& values) {
  if (name.ends_with(".labels") || name.ends_with(".components")) {
    values.normal_(0, 1 / std::sqrt(static_cast<double>(values.size(1))));
  } else if (name.ends_with("_context")) {
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
    if (parameter.key().starts_with("encoder.")) continue;
    if (parameter.key().find("_norm.") != std::string::npos) continue;
    if (profile == Profile::kReference) {
      initialise_as_reference(parameter.key(), parameter.value());
    } else {
      initialise_as_paper(parameter.key(), parameter.value());
    }
  }
}

}  // namespace hmtc
