#include "model/routed_sum.h"

#include <algorithm>

#include "kernels/routing.h"

namespace hmtc {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

RoutingShape shape_of(const torch::Tensor& u, const torch::Tensor& Q) {
  const auto size = [](std::int64_t value) { return static_cast<std::size_t>(value); };
  return {size(u.size(0) * u.size(1)), size(u.size(2)), size(Q.size(0)), size(u.size(3))};
}

class RoutedSum : public torch::autograd::Function<RoutedSum> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& u,
                               const torch::Tensor& Q) {
    context->save_for_backward({u, Q});
    torch::Tensor X = torch::empty(Q.sizes());
    route(shape_of(u, Q), u.data_ptr<float>(), Q.data_ptr<float>(), X.data_ptr<float>());
    return X;
  }

  static variable_list backward(AutogradContext* context, const variable_list& outputs) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor& u = saved[0];
    const torch::Tensor& Q = saved[1];
    torch::Tensor of_u = torch::empty(u.sizes());
    const torch::Tensor of_X = outputs[0].contiguous();
    route_backward(shape_of(u, Q), u.data_ptr<float>(), Q.data_ptr<float>(), of_X.data_ptr<float>(),
                   of_u.data_ptr<float>());
    return {of_u, torch::Tensor()};
  }
};

/// The weights of a few documents at a time are held.
class ComposedRoutedSum : public torch::autograd::Function<ComposedRoutedSum> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& u,
                               const torch::Tensor& Q) {
    context->save_for_backward({u, Q});
    std::vector<torch::Tensor> X;
    for_each_part(u, Q, [&](const torch::Tensor& part, const torch::Tensor& c, std::int64_t) {
      X.push_back(torch::matmul(c.transpose(2, 3), part).permute({2, 0, 1, 3}));  // (M, b, F, s)
    });
    return torch::cat(X, 1);
  }

  static variable_list backward(AutogradContext* context, const variable_list& outputs) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor of_X = outputs[0].permute({1, 2, 0, 3});  // (B, F, M, s)
    std::vector<torch::Tensor> of_u;
    for_each_part(saved[0], saved[1],
                  [&](const torch::Tensor& part, const torch::Tensor& c, std::int64_t begin) {
                    of_u.push_back(torch::matmul(c, of_X.slice(0, begin, begin + part.size(0))));
                  });
    return {torch::cat(of_u), torch::Tensor()};  // (B, F, T, s)
  }

 private:
  /// Calls work(u, c, first document) for a few documents at a time, with c (b, F, T, M).
  template <typename Work>
  static void for_each_part(const torch::Tensor& u, const torch::Tensor& Q, const Work& work) {
    constexpr std::int64_t kMostWeights = 1 << 22;
    const std::int64_t of_document = u.size(1) * u.size(2) * Q.size(0);
    const std::int64_t documents = std::max<std::int64_t>(kMostWeights / of_document, 1);
    const torch::Tensor keys = Q.permute({1, 2, 3, 0});  // (B, F, s, M)
    for (std::int64_t begin = 0; begin < u.size(0); begin += documents) {
      const auto part = u.slice(0, begin, begin + documents);
      const auto logits = torch::matmul(part, keys.slice(0, begin, begin + documents));
      work(part, torch::softmax(logits, -1), begin);
    }
  }
};

}  // namespace

torch::Tensor routed_sum(const torch::Tensor& u, const torch::Tensor& Q) {
  if (!u.is_cpu() || u.scalar_type() != torch::kFloat32) return composed_routed_sum(u, Q);
  return RoutedSum::apply(u.contiguous(), Q.contiguous());
}

torch::Tensor composed_routed_sum(const torch::Tensor& u, const torch::Tensor& Q) {
  return ComposedRoutedSum::apply(u, Q);
}

}  // namespace hmtc
