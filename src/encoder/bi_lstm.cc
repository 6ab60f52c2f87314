#include "encoder/bi_lstm.h"

#include "base/parallel.h"
#include "kernels/lstm.h"

namespace hmtc {

struct PackedBiLstm {
  std::vector<PackedLstm> directions;
};

namespace {

constexpr std::size_t kDirections = 2;
constexpr std::size_t kParametersPerDirection = 4;

/// One direction's parameters within the list of both.
LstmWeights weights_of(const torch::Tensor* parameters) {
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
  std::vector<LstmTrace> of_direction;
};

/// Each direction on a thread of its own when there are two.
torch::Tensor run(const torch::Tensor& vectors, const torch::Tensor& lengths,
                  const PackedBiLstm& parameters, int threads, std::vector<LstmTrace>& traces) {
  const std::size_t width = parameters.directions.front().width;
  torch::Tensor out = torch::zeros(
      {vectors.size(0), vectors.size(1), static_cast<std::int64_t>(kDirections * width)});
  traces.resize(kDirections);
  parallel_for(kDirections, threads, [&](std::size_t direction) {
    traces[direction] = lstm_forward(
        parameters.directions[direction], order_of(vectors, lengths, direction),
        vectors.data_ptr<float>(), out.data_ptr<float>() + direction * width, kDirections * width);
  });
  return out;
}

/// Autograd sees the tensors among the arguments of apply(), but not those inside of a vector.
class BiLstmFunction : public torch::autograd::Function<BiLstmFunction> {
 public:
  template <typename... Parameters>
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& vectors, const torch::Tensor& lengths,
                               const Parameters&... parameters) {
    const torch::autograd::variable_list saved = {vectors, lengths, parameters...};
    auto traces = c10::make_intrusive<Traces>();
    torch::Tensor out =
        run(vectors, lengths, *pack_bi_lstm({parameters...}), /*threads=*/1, traces->of_direction);
    context->save_for_backward(saved);
    context->saved_data["traces"] = c10::IValue::make_capsule(traces);
    return out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outputs) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    const torch::Tensor& vectors = saved[0];
    const torch::Tensor& lengths = saved[1];
    const torch::Tensor* parameters = saved.data() + 2;
    auto& traces =
        *c10::static_intrusive_pointer_cast<Traces>(context->saved_data["traces"].toCapsule());
    const torch::Tensor gradient = outputs[0].contiguous();
    const auto row = static_cast<std::size_t>(gradient.size(2));

    torch::autograd::variable_list gradients = {torch::zeros_like(vectors), torch::Tensor()};
    for (std::size_t direction = 0; direction < kDirections; ++direction) {
      const torch::Tensor* own = parameters + direction * kParametersPerDirection;
      const torch::Tensor input = torch::zeros_like(own[0]);
      const torch::Tensor recurrent = torch::zeros_like(own[1]);
      const torch::Tensor bias = torch::zeros_like(own[2]);
      lstm_backward(weights_of(own), order_of(vectors, lengths, direction),
                    std::move(traces.of_direction[direction]),
                    gradient.data_ptr<float>() + direction * row / 2, row,
                    {gradients[0].data_ptr<float>(), input.data_ptr<float>(),
                     recurrent.data_ptr<float>(), bias.data_ptr<float>()});
      gradients.insert(gradients.end(), {input, recurrent, bias, bias.clone()});
    }
    return gradients;
  }
};

}  // namespace

bool bi_lstm_kernel_applies(const torch::Tensor& vectors) {
  return vectors.is_cpu() && vectors.scalar_type() == torch::kFloat32;
}

std::shared_ptr<const PackedBiLstm> pack_bi_lstm(const std::vector<torch::Tensor>& parameters) {
  auto packed = std::make_shared<PackedBiLstm>();
  for (std::size_t direction = 0; direction < kDirections; ++direction) {
    packed->directions.emplace_back(
        weights_of(parameters.data() + direction * kParametersPerDirection));
  }
  return packed;
}

torch::Tensor bi_lstm(const torch::Tensor& vectors, const torch::Tensor& lengths,
                      const std::vector<torch::Tensor>& p) {
  return BiLstmFunction::apply(vectors.contiguous(), lengths, p[0], p[1], p[2], p[3], p[4], p[5],
                               p[6], p[7]);
}

torch::Tensor bi_lstm(const torch::Tensor& vectors, const torch::Tensor& lengths,
                      const PackedBiLstm& parameters, int threads) {
  std::vector<LstmTrace> unused;
  return run(vectors.contiguous(), lengths, parameters, threads, unused);
}

}  // namespace hmtc
