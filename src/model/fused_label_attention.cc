#include "model/fused_label_attention.h"

#include "kernels/label_attention.h"

namespace hmtc {
namespace {

using torch::autograd::variable_list;

/// The kernel's operands as tensors, in the order in which they are saved. Autograd takes no
/// undefined tensors: at the first level, which has no m, it is one without elements.
struct Operands {
  torch::Tensor lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout;

  bool has_m() const { return m.numel() > 0; }

  static Operands from(const variable_list& saved) {
    return {saved[0], saved[1], saved[2], saved[3], saved[4],
            saved[5], saved[6], saved[7], saved[8], saved[9]};
  }
  variable_list list() const { return {lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout}; }

  LabelAttentionOperands view() const {
    const auto size = [](const torch::Tensor& tensor, int dimension) {
      return static_cast<std::size_t>(tensor.size(dimension));
    };
    return {.shape = {.documents = size(I, 0),
                      .words = size(I, 1),
                      .labels = size(R_tilde, 0),
                      .components = size(R_tilde, 1),
                      .attention_width = size(f_w, 0),
                      .word_width = size(I, 2),
                      .document_width = size(W, 0)},
            .lengths = {lengths.data_ptr<std::int64_t>(), size(I, 0)},
            .I = I.data_ptr<float>(),
            .f_w = f_w.data_ptr<float>(),
            .shift = shift.data_ptr<float>(),
            .v_c = v_c.data_ptr<float>(),
            .R_tilde = R_tilde.data_ptr<float>(),
            .W = W.data_ptr<float>(),
            .b = b.data_ptr<float>(),
            .m = has_m() ? m.data_ptr<float>() : nullptr,
            .readout = readout.data_ptr<float>()};
  }
};

/// Keeps the kernel's trace with the graph.
struct Trace : torch::CustomClassHolder {
  LabelAttentionTrace trace;
};

/// local_logits (B, L), v_tilde (B, d), v (B, d).
variable_list run(const LabelAttentionOperands& operands, LabelAttentionTrace& trace) {
  const auto documents = static_cast<std::int64_t>(operands.shape.documents);
  const auto width = static_cast<std::int64_t>(operands.shape.document_width);
  variable_list results = {
      torch::empty({documents, static_cast<std::int64_t>(operands.shape.labels)}),
      torch::empty({documents, width}), torch::empty({documents, width})};
  trace = label_attention_forward(
      operands,
      {results[0].data_ptr<float>(), results[1].data_ptr<float>(), results[2].data_ptr<float>()});
  return results;
}

/// Autograd sees the tensors among the arguments of apply(), but not those inside of a struct.
class FusedLabelAttention : public torch::autograd::Function<FusedLabelAttention> {
 public:
  template <typename... Tensors>
  static variable_list forward(torch::autograd::AutogradContext* context,
                               const Tensors&... tensors) {
    const Operands operands{tensors...};
    auto holder = c10::make_intrusive<Trace>();
    variable_list results = run(operands.view(), holder->trace);
    context->save_for_backward(operands.list());
    context->saved_data["trace"] = c10::IValue::make_capsule(holder);
    return results;
  }

  static variable_list backward(torch::autograd::AutogradContext* context, variable_list results) {
    const Operands operands = Operands::from(context->get_saved_variables());
    const auto holder =
        c10::static_intrusive_pointer_cast<Trace>(context->saved_data["trace"].toCapsule());
    const LabelAttentionOperands view = operands.view();
    const auto documents = static_cast<std::int64_t>(view.shape.documents);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::int64_t width = i == 0 ? operands.R_tilde.size(0) : operands.W.size(0);
      results[i] =
          results[i].defined() ? results[i].contiguous() : torch::zeros({documents, width});
    }
    const auto zeros = [](const torch::Tensor& like) { return torch::zeros_like(like); };
    const Operands gradients = {
        torch::Tensor(),     zeros(operands.I),       zeros(operands.f_w), zeros(operands.shift),
        zeros(operands.v_c), zeros(operands.R_tilde), zeros(operands.W),   zeros(operands.b),
        zeros(operands.m),   zeros(operands.readout)};
    label_attention_backward(
        view, holder->trace,
        {results[0].data_ptr<float>(), results[1].data_ptr<float>(), results[2].data_ptr<float>()},
        {gradients.I.data_ptr<float>(), gradients.f_w.data_ptr<float>(),
         gradients.shift.data_ptr<float>(), gradients.v_c.data_ptr<float>(),
         gradients.R_tilde.data_ptr<float>(), gradients.W.data_ptr<float>(),
         gradients.b.data_ptr<float>(), operands.has_m() ? gradients.m.data_ptr<float>() : nullptr,
         gradients.readout.data_ptr<float>()});
    return gradients.list();
  }
};

}  // namespace

bool fused_label_attention_applies(const LabelAttentionInput& input) {
  return input.I.is_cpu() && input.I.scalar_type() == torch::kFloat32;
}

LabelAttentionOutput fused_label_attention(const LabelAttentionInput& input) {
  const Operands operands = {input.lengths,
                             input.I.contiguous(),
                             input.f_w.contiguous(),
                             input.f_w_shift.contiguous(),
                             input.v_c.contiguous(),
                             input.R_tilde.contiguous(),
                             input.W.contiguous(),
                             input.b.contiguous(),
                             input.m.defined() ? input.m.contiguous() : torch::empty({0}),
                             input.label_readout.contiguous()};
  const auto& [lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout] = operands;
  LabelAttentionTrace unused;
  const variable_list results =
      torch::GradMode::is_enabled()
          ? FusedLabelAttention::apply(lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout)
          : run(operands.view(), unused);
  LabelAttentionOutput out;
  out.local_logits = results[0];
  out.v_tilde = results[1];
  out.v = results[2];
  return out;
}

}  // namespace hmtc
