#include "model/fused_label_attention.h"

#include "kernels/label_attention.h"

namespace hmtc {
namespace {

using torch::autograd::variable_list;

float* data_or_null(const torch::Tensor& tensor) {
  return tensor.numel() > 0 ? tensor.data_ptr<float>() : nullptr;
}

/// Autograd takes no undefined tensors: an operand that is not there is one without elements.
torch::Tensor operand(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.contiguous() : torch::empty({0});
}

/// The kernel's operands as tensors, in the order in which they are saved.
struct Operands {
  torch::Tensor lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout, word_bias;

  static Operands from(const variable_list& saved) {
    return {saved[0], saved[1], saved[2], saved[3], saved[4], saved[5],
            saved[6], saved[7], saved[8], saved[9], saved[10]};
  }
  variable_list list() const {
    return {lengths, I, f_w, shift, v_c, R_tilde, W, b, m, readout, word_bias};
  }

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
            .v_c = data_or_null(v_c),
            .R_tilde = R_tilde.data_ptr<float>(),
            .W = W.data_ptr<float>(),
            .b = b.data_ptr<float>(),
            .m = data_or_null(m),
            .readout = readout.data_ptr<float>(),
            .word_bias = data_or_null(word_bias)};
  }
};

/// Keeps with the graph what the kernel's backward pass wants.
struct Kept : torch::CustomClassHolder {
  explicit Kept(const LabelAttentionOperands& operands) : packed(operands) {}

  PackedAttention packed;
  LabelAttentionTrace trace;
};

/// local_logits (B, L), v_tilde (B, d), v (B, d), not set yet.
variable_list make_results(const LabelAttentionOperands& operands) {
  const auto documents = static_cast<std::int64_t>(operands.shape.documents);
  const auto width = static_cast<std::int64_t>(operands.shape.document_width);
  return {torch::empty({documents, static_cast<std::int64_t>(operands.shape.labels)}),
          torch::empty({documents, width}), torch::empty({documents, width})};
}

LabelAttentionResults view(variable_list& results) {
  return {results[0].data_ptr<float>(), results[1].data_ptr<float>(), results[2].data_ptr<float>()};
}

/// Autograd sees the tensors among the arguments of apply(), but not those inside of a struct.
class FusedLabelAttention : public torch::autograd::Function<FusedLabelAttention> {
 public:
  template <typename... Tensors>
  static variable_list forward(torch::autograd::AutogradContext* context,
                               const Tensors&... tensors) {
    const Operands operands{tensors...};
    auto kept = c10::make_intrusive<Kept>(operands.view());
    variable_list results = make_results(operands.view());
    kept->trace = label_attention_forward(operands.view(), kept->packed, view(results));
    context->save_for_backward(operands.list());
    context->saved_data["kept"] = c10::IValue::make_capsule(kept);
    return results;
  }

  static variable_list backward(torch::autograd::AutogradContext* context, variable_list results) {
    const Operands operands = Operands::from(context->get_saved_variables());
    const auto kept =
        c10::static_intrusive_pointer_cast<Kept>(context->saved_data["kept"].toCapsule());
    const std::int64_t documents = operands.I.size(0);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::int64_t width = i == 0 ? operands.R_tilde.size(0) : operands.W.size(0);
      results[i] =
          results[i].defined() ? results[i].contiguous() : torch::zeros({documents, width});
    }
    const auto zeros = [](const torch::Tensor& like) { return torch::zeros_like(like); };
    const Operands gradients = {torch::Tensor(),          torch::empty_like(operands.I),
                                zeros(operands.f_w),      zeros(operands.shift),
                                zeros(operands.v_c),      zeros(operands.R_tilde),
                                zeros(operands.W),        zeros(operands.b),
                                zeros(operands.m),        zeros(operands.readout),
                                zeros(operands.word_bias)};
    label_attention_backward(
        operands.view(), kept->packed, kept->trace,
        {results[0].data_ptr<float>(), results[1].data_ptr<float>(), results[2].data_ptr<float>()},
        {gradients.I.data_ptr<float>(), gradients.f_w.data_ptr<float>(),
         gradients.shift.data_ptr<float>(), data_or_null(gradients.v_c),
         gradients.R_tilde.data_ptr<float>(), gradients.W.data_ptr<float>(),
         gradients.b.data_ptr<float>(), data_or_null(gradients.m),
         gradients.readout.data_ptr<float>(), data_or_null(gradients.word_bias)});
    return gradients.list();
  }
};

/// The relevance R~ S^T = R~ v_c T^T, where T (n, a) is what f_w makes of the words, costs
///   n a C + n C L  as (R~) (v_c T^T),     n a L  as (R~ v_c) T^T.
LabelAttentionInput with_cheaper_keys(LabelAttentionInput input) {
  if (!input.v_c.defined()) return input;
  const std::int64_t L = input.R_tilde.size(0);
  const std::int64_t C = input.v_c.size(0);
  const std::int64_t a = input.v_c.size(1);
  if (a * L >= a * C + C * L) return input;
  input.R_tilde = torch::matmul(input.R_tilde, input.v_c);
  input.v_c = torch::Tensor();
  return input;
}

}  // namespace

bool fused_label_attention_applies(const LabelAttentionInput& input) {
  return input.I.is_cpu() && input.I.scalar_type() == torch::kFloat32;
}

LabelAttentionOutput fused_label_attention(const LabelAttentionInput& input) {
  const LabelAttentionInput side = with_cheaper_keys(input);
  const variable_list results = FusedLabelAttention::apply(
      side.lengths, operand(side.I), operand(side.f_w), operand(side.f_w_shift), operand(side.v_c),
      operand(side.R_tilde), operand(side.W), operand(side.b), operand(side.m),
      operand(side.label_readout), operand(side.word_bias));
  LabelAttentionOutput out;
  out.local_logits = results[0];
  out.v_tilde = results[1];
  out.v = results[2];
  return out;
}

}  // namespace hmtc
