#include "encoder/bi_gru.h"

#include "kernels/gru.h"

namespace hmtc {
namespace {

constexpr std::size_t kDirections = 2;
constexpr std::size_t kParametersPerDirection = 4;

/// One direction's parameters within the list of both.
GruWeights weights_of(const torch::Tensor* parameters) {
  return {static_cast<std::size_t>(parameters[0].size(1)),
          static_cast<std::size_t>(parameters[1].size(1)),
          parameters[0].data_ptr<float>(),
          parameters[1].data_ptr<float>(),
          parameters[2].data_ptr<float>(),
          parameters[3].data_ptr<float>()};
}

StepOrder order_of(const torch::Tensor& vectors, const torch::Tensor& lengths,
                   std::size_t direction) {
  return {{lengths.data_ptr<std::int64_t>(), static_cast<std::size_t>(lengths.size(0))},
          static_cast<std::size_t>(vectors.size(1)),
          direction == 0 ? StepOrder::Direction::kForward : StepOrder::Direction::kBackward};
}

/// Keeps the kernels' traces with the graph.
struct Traces : torch::CustomClassHolder {
  std::vector<GruTrace> of_direction;
};

torch::Tensor run(const torch::Tensor& vectors, const torch::Tensor& lengths,
                  const torch::Tensor* parameters, std::vector<GruTrace>& traces) {
  const std::int64_t width = parameters[1].size(1);
  const auto row = static_cast<std::size_t>(2 * width);
  torch::Tensor out = torch::zeros({vectors.size(0), vectors.size(1), 2 * width});
  for (std::size_t direction = 0; direction < kDirections; ++direction) {
    traces.push_back(
        gru_forward(PackedGru(weights_of(parameters + direction * kParametersPerDirection)),
                    order_of(vectors, lengths, direction), vectors.data_ptr<float>(),
                    out.data_ptr<float>() + direction * row / 2, row));
  }
  return out;
}

/// Autograd sees the tensors among the arguments of apply(), but not those inside of a vector.
class BiGruFunction : public torch::autograd::Function<BiGruFunction> {
 public:
  template <typename... Parameters>
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& vectors, const torch::Tensor& lengths,
                               const Parameters&... parameters) {
    const torch::autograd::variable_list saved = {vectors, lengths, parameters...};
    auto traces = c10::make_intrusive<Traces>();
    torch::Tensor out = run(vectors, lengths, saved.data() + 2, traces->of_direction);
    context->save_for_backward(saved);
    context->saved_data["traces"] = c10::IValue::make_capsule(traces);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outputs) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const torch::Tensor& vectors = saved[0];
    const torch::Tensor& lengths = saved[1];
    auto& traces =
        *c10::static_intrusive_pointer_cast<Traces>(context->saved_data["traces"].toCapsule());
    const torch::Tensor gradient = outputs[0].contiguous();
    const auto row = static_cast<std::size_t>(gradient.size(2));

    torch::autograd::variable_list gradients = {torch::zeros_like(vectors), torch::Tensor()};
    for (std::size_t direction = 0; direction < kDirections; ++direction) {
      const torch::Tensor* own = saved.data() + 2 + direction * kParametersPerDirection;
      const std::size_t first = gradients.size();
      for (std::size_t i = 0; i < kParametersPerDirection; ++i) {
        gradients.push_back(torch::zeros_like(own[i]));
      }
      const auto data = [&](std::size_t i) { return gradients[i].data_ptr<float>(); };
      gru_backward(weights_of(own), order_of(vectors, lengths, direction),
                   std::move(traces.of_direction[direction]),
                   gradient.data_ptr<float>() + direction * row / 2, row,
                   {data(0), data(first), data(first + 1), data(first + 2), data(first + 3)});
    }
    return gradients;
  }
};

}  // namespace

torch::Tensor bi_gru(const torch::Tensor& vectors, const torch::Tensor& lengths,
                     const std::vector<torch::Tensor>& p) {
  if (torch::GradMode::is_enabled()) {
    return BiGruFunction::apply(vectors.contiguous(), lengths, p[0], p[1], p[2], p[3], p[4], p[5],
                                p[6], p[7]);
  }
  std::vector<GruTrace> unused;
  return run(vectors.contiguous(), lengths, p.data(), unused);
}

}  // namespace hmtc
