#include "model/routed_sum.h"

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

}  // namespace

torch::Tensor routed_sum(const torch::Tensor& u, const torch::Tensor& Q) {
  if (!u.is_cpu() || u.scalar_type() != torch::kFloat32) return composed_routed_sum(u, Q);
  return RoutedSum::apply(u.contiguous(), Q.contiguous());
}

torch::Tensor composed_routed_sum(const torch::Tensor& u, const torch::Tensor& Q) {
  const auto c = torch::softmax(torch::matmul(u, Q.permute({1, 2, 3, 0})), -1);  // (B, F, T, M)
  return torch::matmul(c.detach().transpose(2, 3), u).permute({2, 0, 1, 3});     // (M, B, F, s)
}

}  // namespace hmtc
