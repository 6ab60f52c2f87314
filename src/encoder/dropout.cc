#include "encoder/dropout.h"

#include "kernels/dropout.h"

namespace hmtc {
namespace {

torch::Tensor run(const torch::Tensor& values, double rate, std::int64_t seed) {
  const torch::Tensor from = values.contiguous();
  torch::Tensor out = torch::empty_like(from);
  drop_out({from.data_ptr<float>(), static_cast<std::size_t>(from.numel())}, rate,
           static_cast<std::uint64_t>(seed), out.data_ptr<float>());
  return out;
}

/// Keeps the seed for the backward pass, not the elements.
class DropoutFunction : public torch::autograd::Function<DropoutFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& values, double rate, std::int64_t seed) {
    context->saved_data["rate"] = rate;
    context->saved_data["seed"] = seed;
    return run(values, rate, seed);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outputs) {
    return {run(outputs[0], context->saved_data["rate"].to<double>(),
                context->saved_data["seed"].to<std::int64_t>()),
            torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor dropout(const torch::Tensor& values, double rate, bool is_training,
                      std::uint64_t seed) {
  if (!is_training || rate == 0) return values;
  const auto signed_seed = static_cast<std::int64_t>(seed);
  if (values.is_cpu() && values.scalar_type() == torch::kFloat32) {
    return DropoutFunction::apply(values, rate, signed_seed);
  }
  return values * run(torch::ones(values.sizes()), rate, signed_seed).to(values.options());
}

}  // namespace hmtc
