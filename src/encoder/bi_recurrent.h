#pragma once

#include <torch/torch.h>

#include <memory>
#include <vector>

#include "base/error.h"
#include "kernels/step_order.h"

namespace hmtc {

/// What a bidirectional recurrent network does around the kernels of its `Cell`, which names
///   Weights, Packed, Trace     the kernels' types,
///   forward(packed, order, words, out, out_stride) -> Trace,
///   backward(weights, order, trace, out_gradient, out_stride, words, parameters)
/// where `parameters` are the gradients of the four of a direction. Parameters stand in the order
/// of torch::nn::LSTM and torch::nn::GRU.
template <typename Cell>
class BiRecurrent {
 public:
  static torch::Tensor apply(const torch::Tensor& vectors, const torch::Tensor& lengths,
                             const std::vector<torch::Tensor>& p) {
    return Function::apply(vectors.contiguous(), lengths, p[0], p[1], p[2], p[3], p[4], p[5], p[6],
                           p[7]);
  }

 private:
  static constexpr std::size_t kDirections = 2;
  static constexpr std::size_t kParameters = 4;  // of a direction

  /// Keeps the kernels' traces with the graph.
  struct Traces : torch::CustomClassHolder {
    std::vector<typename Cell::Trace> of_direction;
  };

  static typename Cell::Weights weights_of(const torch::Tensor* parameters) {
    return {static_cast<std::size_t>(parameters[0].size(1)),
            static_cast<std::size_t>(parameters[1].size(1)),
            parameters[0].data_ptr<float>(),
            parameters[1].data_ptr<float>(),
            parameters[2].data_ptr<float>(),
            parameters[3].data_ptr<float>()};
  }

  static StepOrder order_of(const torch::Tensor& vectors, const torch::Tensor& lengths,
                            std::size_t direction) {
    return {{lengths.data_ptr<std::int64_t>(), static_cast<std::size_t>(lengths.size(0))},
            static_cast<std::size_t>(vectors.size(1)),
            direction == 0 ? StepOrder::Direction::kForward : StepOrder::Direction::kBackward};
  }

  /// Autograd sees the tensors among the arguments of apply(), but not those inside of a vector.
  class Function : public torch::autograd::Function<Function> {
   public:
    template <typename... Parameters>
    static torch::Tensor forward(torch::autograd::AutogradContext* context,
                                 const torch::Tensor& vectors, const torch::Tensor& lengths,
                                 const Parameters&... parameters) {
      auto traces = c10::make_intrusive<Traces>();
      const std::vector<torch::Tensor> all = {parameters...};
      const std::int64_t width = all[1].size(1);
      torch::Tensor out =
          torch::zeros({vectors.size(0), vectors.size(1), std::int64_t{kDirections} * width});
      for (std::size_t direction = 0; direction < kDirections; ++direction) {
        traces->of_direction.push_back(
            Cell::forward(typename Cell::Packed(weights_of(all.data() + direction * kParameters)),
                          order_of(vectors, lengths, direction), vectors.data_ptr<float>(),
                          out.data_ptr<float>() + static_cast<std::int64_t>(direction) * width,
                          static_cast<std::size_t>(out.size(2))));
      }
      context->save_for_backward({vectors, lengths, parameters...});
      context->saved_data["traces"] = c10::IValue::make_capsule(traces);
      return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& outputs) {
      const torch::autograd::variable_list saved = context->get_saved_variables();
      const torch::Tensor& vectors = saved[0];
      const torch::Tensor& lengths = saved[1];
      auto& traces =
          c10::static_intrusive_pointer_cast<Traces>(context->saved_data["traces"].toCapsule())
              ->of_direction;
      if (traces.empty()) {
        throw Error(ErrorKind::kInternal, "a backward pass ran a second time over the same graph");
      }
      const torch::Tensor gradient = outputs[0].contiguous();
      const auto row = static_cast<std::size_t>(gradient.size(2));
      torch::autograd::variable_list gradients = {torch::zeros_like(vectors), torch::Tensor()};
      for (std::size_t direction = 0; direction < kDirections; ++direction) {
        const torch::Tensor* own = saved.data() + 2 + direction * kParameters;
        std::vector<float*> parameters;
        for (std::size_t i = 0; i < kParameters; ++i) {
          gradients.push_back(torch::zeros_like(own[i]));
          parameters.push_back(gradients.back().template data_ptr<float>());
        }
        Cell::backward(weights_of(own), order_of(vectors, lengths, direction),
                       std::move(traces[direction]),
                       gradient.data_ptr<float>() + direction * row / kDirections, row,
                       gradients[0].template data_ptr<float>(), parameters);
      }
      traces.clear();  // used up
      return gradients;
    }
  };
};

}  // namespace hmtc
