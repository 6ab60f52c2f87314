// Speed of the kernels on one thread at the sizes the models use, in GFLOP/s and as a share of the
// rate at which OpenBLAS multiplies 2048 x 2048 matrices, measured at the start of the same run.
// Counted as in bench/compare: the products alone (a multiply-add is two operations), twice as many
// backward as forward, nothing recomputed.
#include <benchmark/benchmark.h>
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "base/random.h"
#include "kernels/adam_update.h"
#include "kernels/gru.h"
#include "kernels/label_attention.h"
#include "kernels/lstm.h"
#include "kernels/routing.h"
#include "train/trainer_program.h"

namespace {

using Floats = std::vector<float>;
using Clock = std::chrono::steady_clock;
using benchmark::State;

Floats random_floats(std::size_t size) {
  hmtc::Random random(size);
  Floats values(size);
  for (float& value : values) value = static_cast<float>(random.below(1000)) / 1000 - 0.5F;
  return values;
}

double seconds_of(const std::function<void()>& body) {
  const auto begin = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Sgemm {
  static constexpr int kSize = 2048;
  static constexpr double kOperations = 2.0 * kSize * kSize * kSize;
  Floats a = random_floats(kSize * kSize), b = a, c = a;

  void operator()() {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a.data(), kSize,
                b.data(), kSize, 0, c.data(), kSize);
  }
};

/// Operations per second: the best of several tries.
double sgemm_rate() {
  static const double rate = [] {
    Sgemm sgemm;
    double best = 1e9;
    for (int i = 0; i < 8; ++i) best = std::min(best, seconds_of([&] { sgemm(); }));
    return Sgemm::kOperations / best;
  }();
  return rate;
}

/// Times the body; what `prepare` does before each run is not counted.
void measure(
    State& state, double operations, const std::function<void()>& body,
    const std::function<void()>& prepare = [] {}) {
  double seconds = 0;
  for ([[maybe_unused]] auto _ : state) {
    prepare();
    const double duration = seconds_of(body);
    state.SetIterationTime(duration);
    seconds += duration;
  }
  const double rate = operations * static_cast<double>(state.iterations()) / seconds;
  state.counters["GFLOP/s"] = rate / 1e9;
  state.counters["of_sgemm"] = rate / sgemm_rate();
}

struct ProductCase {
  hmtc::ProductSize size;
  bool transposed = false;  // the left factor
};

void multiply(State& state, const ProductCase& test) {
  const auto [rows, columns, depth] = test.size;
  const Floats left = random_floats(rows * depth);
  const hmtc::PackedMatrix right =
      hmtc::PackedMatrix::of(random_floats(depth * columns).data(), columns, depth, columns);
  const hmtc::LeftFactor factor = test.transposed ? hmtc::LeftFactor{left.data(), 1, rows}
                                                  : hmtc::LeftFactor{left.data(), depth};
  Floats out(rows * columns);
  measure(state, 2.0 * static_cast<double>(rows * columns * depth), [&] {
    hmtc::multiply(test.size, factor, right.factor(), out.data(), columns, hmtc::Into::kSet);
  });
}

enum class Pass { kForward, kBackward };

struct RecurrentCase {
  std::size_t documents;
  std::size_t words;
  std::size_t input_width;
  std::size_t width;
};

/// One direction of an LSTM (4 gates) or a GRU (3 gates) with its operands and gradients.
struct Recurrent {
  Recurrent(const RecurrentCase& test, std::size_t gates)
      : lengths(test.documents, static_cast<std::int64_t>(test.words)),
        order(lengths, test.words, hmtc::StepOrder::Direction::kForward),
        stride(test.width),
        input(random_floats(gates * test.width * test.input_width)),
        recurrent(random_floats(gates * test.width * test.width)),
        bias(gates * test.width),
        words(random_floats(order.num_rows() * test.input_width)),
        out(order.num_rows() * test.width),
        forward_operations(
            2.0 * static_cast<double>(order.num_rows() * (input.size() + recurrent.size()))) {}

  std::vector<std::int64_t> lengths;
  hmtc::StepOrder order;
  std::size_t stride;
  Floats input, recurrent, bias, words, out;
  Floats input_gradient = input, recurrent_gradient = recurrent, bias_gradient = bias,
         other_bias_gradient = bias, words_gradient = words;
  double forward_operations;
};

void lstm(State& state, const RecurrentCase& test, Pass pass) {
  Recurrent r(test, 4);
  const hmtc::LstmWeights weights{test.input_width,   test.width,    r.input.data(),
                                  r.recurrent.data(), r.bias.data(), r.bias.data()};
  const hmtc::PackedLstm packed(weights);
  const auto forward = [&] {
    return hmtc::lstm_forward(packed, r.order, r.words.data(), r.out.data(), r.stride);
  };
  if (pass == Pass::kForward) return measure(state, r.forward_operations, forward);
  hmtc::LstmTrace trace;
  const hmtc::LstmGradients gradients{r.words_gradient.data(), r.input_gradient.data(),
                                      r.recurrent_gradient.data(), r.bias_gradient.data()};
  measure(
      state, 2 * r.forward_operations,
      [&] {
        hmtc::lstm_backward(weights, r.order, std::move(trace), r.out.data(), r.stride, gradients);
      },
      [&] { trace = forward(); });
}

void gru(State& state, const RecurrentCase& test, Pass pass) {
  Recurrent r(test, 3);
  const hmtc::GruWeights weights{test.input_width,   test.width,    r.input.data(),
                                 r.recurrent.data(), r.bias.data(), r.bias.data()};
  const hmtc::PackedGru packed(weights);
  const auto forward = [&] {
    return hmtc::gru_forward(packed, r.order, r.words.data(), r.out.data(), r.stride);
  };
  if (pass == Pass::kForward) return measure(state, r.forward_operations, forward);
  hmtc::GruTrace trace;
  const hmtc::GruGradients gradients{r.words_gradient.data(), r.input_gradient.data(),
                                     r.recurrent_gradient.data(), r.bias_gradient.data(),
                                     r.other_bias_gradient.data()};
  measure(
      state, 2 * r.forward_operations,
      [&] {
        hmtc::gru_backward(weights, r.order, std::move(trace), r.out.data(), r.stride, gradients);
      },
      [&] { trace = forward(); });
}

void label_attention(State& state, const hmtc::LabelAttentionShape& shape, Pass pass) {
  const auto [B, N, L, C, a, w, d] = shape;
  const std::vector<std::int64_t> lengths(B, static_cast<std::int64_t>(N));
  // I, f_w, shift, v_c, R~, W, b, m, readout: values and, of the same sizes, gradients.
  std::vector<Floats> values, gradients;
  for (const std::size_t size : {B * N * w, a * w, B * a, C * a, L * C, d * w, d, B * L, L * d}) {
    values.push_back(random_floats(size));
    gradients.emplace_back(size);
  }
  const auto of = [](std::vector<Floats>& list, std::size_t i) { return list[i].data(); };
  const auto value = [&](std::size_t i) { return of(values, i); };
  const auto gradient = [&](std::size_t i) { return of(gradients, i); };
  Floats logits(B * L), v_tilde(B * d), v(B * d);
  const hmtc::LabelAttentionOperands operands{shape,    lengths,  value(0), value(1),
                                              value(2), value(3), value(4), value(5),
                                              value(6), value(7), value(8)};
  const hmtc::PackedAttention packed(operands);
  const std::size_t mixing = std::min(N * w * d + L * N * d, L * N * w + L * w * d);
  const double operations =
      2.0 * static_cast<double>(B * (N * w * a + N * a * C + L * C * N + mixing + L * d));
  const auto forward = [&] {
    return hmtc::label_attention_forward(operands, packed,
                                         {logits.data(), v_tilde.data(), v.data()});
  };
  if (pass == Pass::kForward) return measure(state, operations, forward);
  const hmtc::LabelAttentionTrace trace = forward();
  measure(state, 2 * operations, [&] {
    hmtc::label_attention_backward(operands, packed, trace,
                                   {logits.data(), v_tilde.data(), v.data()},
                                   {gradient(0), gradient(1), gradient(2), gradient(3), gradient(4),
                                    gradient(5), gradient(6), gradient(7), gradient(8)});
  });
}

/// A round of the capsule network's routing: u Q^T and c^T u forward, c times a gradient backward.
void routing(State& state, const hmtc::RoutingShape& shape, Pass pass) {
  const std::size_t of_capsules = shape.groups * shape.places * shape.size;
  const std::size_t of_labels = shape.groups * shape.labels * shape.size;
  const Floats u = random_floats(of_capsules), Q = random_floats(of_labels);
  Floats u_gradient(of_capsules), X(of_labels);
  const double operations = 2.0 * static_cast<double>(of_capsules * shape.labels);
  if (pass == Pass::kForward) {
    return measure(state, 2 * operations,
                   [&] { hmtc::route(shape, u.data(), Q.data(), X.data()); });
  }
  measure(state, operations,
          [&] { hmtc::route_backward(shape, u.data(), Q.data(), X.data(), u_gradient.data()); });
}

void adam(State& state, std::size_t size) {
  constexpr double kOperationsPerValue = 14;
  const Floats gradients = random_floats(size);
  Floats values = gradients, first_moments(size), second_moments(size);
  measure(state, kOperationsPerValue * static_cast<double>(size), [&] {
    hmtc::adam_update({}, 1, gradients, values.data(), first_moments.data(), second_moments.data());
  });
}

template <typename Run>
void add(const std::string& name, const Run& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

void add_products() {
  for (const ProductCase& test :
       {ProductCase{{16, 1024, 256}}, ProductCase{{32, 1024, 256}}, ProductCase{{1, 1024, 256}},
        ProductCase{{16, 256, 1024}}, ProductCase{{1920, 1024, 100}},
        ProductCase{{1024, 256, 1920}, true}, ProductCase{{120, 200, 512}},
        ProductCase{{120, 512, 512}}, ProductCase{{128, 512, 120}}, ProductCase{{128, 120, 50}}}) {
    add(fmt::format("multiply/{}x{}x{}{}", test.size.rows, test.size.columns, test.size.depth,
                    test.transposed ? "/left_transposed" : ""),
        [=](State& state) { multiply(state, test); });
  }
}

void add_networks() {
  for (const auto& [name, pass] :
       {std::pair{"forward", Pass::kForward}, std::pair{"backward", Pass::kBackward}}) {
    for (const RecurrentCase& test :
         {RecurrentCase{16, 120, 100, 256}, RecurrentCase{8, 250, 100, 256}}) {
      add(fmt::format("lstm/{}/{}x{}", name, test.documents, test.words),
          [=](State& state) { lstm(state, test, pass); });
    }
    const RecurrentCase sentences{200, 20, 100, 50};  // HAN's
    add(fmt::format("gru/{}/{}x{}", name, sentences.documents, sentences.words),
        [=](State& state) { gru(state, sentences, pass); });
    for (const std::size_t labels : {160, 5229}) {
      add(fmt::format("routing/{}/{}_labels", name, labels), [=](State& state) {
        routing(state, {.groups = 4 * 55, .places = 51, .labels = labels, .size = 8}, pass);
      });
    }
    for (const hmtc::LabelAttentionShape& shape :
         {hmtc::LabelAttentionShape{4, 120, 8, 50, 200, 512, 512},
          hmtc::LabelAttentionShape{4, 120, 110, 50, 200, 512, 512},
          hmtc::LabelAttentionShape{4, 250, 451, 50, 200, 512, 512},
          hmtc::LabelAttentionShape{4, 250, 4656, 50, 200, 512, 512}}) {
      add(fmt::format("label_attention/{}/{}_labels", name, shape.labels),
          [=](State& state) { label_attention(state, shape, pass); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  hmtc::begin_as_trainer_program(argv);  // with OpenBLAS's kernels for this processor
  openblas_set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  sgemm_rate();  // before anything else warms the machine up
  add("sgemm/2048", [sgemm = Sgemm()](State& state) mutable {
    measure(state, Sgemm::kOperations, [&] { sgemm(); });
  });
  add_products();
  add_networks();
  add("adam_update/1000000", [](State& state) { adam(state, 1000000); });
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
