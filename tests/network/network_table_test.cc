#include "network/network_table.h"

#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.h"
#include "support/golden.h"

namespace hmtc {
namespace {

std::unique_ptr<const Network> make(const GoldenFile& golden, const TensorFile& tensors,
                                    const std::string& prefix = "") {
  return make_network(golden.config, golden.hierarchy, golden.vocabulary,
                      Weights(tensors, "model.safetensors", prefix));
}

TEST(NetworkTable, EveryNetworkHasAGoldenFile) {
  std::set<std::string> found;
  for (const std::string& name : golden_names()) found.insert(GoldenFile(name).config.model.name);
  const std::vector<std::string> all = neural_model_names();
  EXPECT_EQ(found, std::set<std::string>(all.begin(), all.end()));
}

TEST(NetworkTable, AnUnknownNameIsRefusedWithTheKnownOnes) {
  GoldenFile golden("flat");
  golden.config.model.name = "la-hnc";
  expect_error(ErrorKind::kUsage, {"la-hnc", "la-hcn", "linear"}, [&] { golden.network(); });
  expect_error(ErrorKind::kUsage, {"la-hnc", "la-hcn", "linear"},
               [] { require_known_model("la-hnc"); });
  EXPECT_NO_THROW(require_known_model("linear"));
}

TEST(NetworkTable, EachTensorThatIsMissingIsNamed) {
  for (const std::string& name : golden_names()) {
    const GoldenFile golden(name);
    const TensorFile whole = golden.weights();
    for (const auto& [tensor, value] : whole.tensors) {
      TensorFile damaged = whole;
      damaged.tensors.erase(tensor);
      expect_error(ErrorKind::kModel, {"model.safetensors", tensor},
                   [&] { make(golden, damaged); });
    }
  }
}

TEST(NetworkTable, EachTensorOfAnotherShapeIsNamed) {
  for (const std::string& name : golden_names()) {
    const GoldenFile golden(name);
    for (const auto& [tensor, value] : golden.weights().tensors) {
      TensorFile damaged = golden.weights();
      std::vector<float> values = float_values(value);
      std::vector<std::int64_t> shape = value.shape;
      shape.back() += 1;
      values.resize(values.size() / static_cast<std::size_t>(value.shape.back()) *
                    static_cast<std::size_t>(shape.back()));
      damaged.tensors[tensor] = float_tensor(shape, values.data());
      expect_error(ErrorKind::kModel, {"model.safetensors", tensor},
                   [&] { make(golden, damaged); });
    }
  }
}

TEST(NetworkTable, ANetworkNeedsItsTensorsNoLonger) {
  const GoldenFile golden("la_hcn_bilstm");
  std::unique_ptr<const Network> network;
  {
    TensorFile file;
    for (const auto& [name, tensor] : golden.weights().tensors) {
      const std::vector<float> values = float_values(tensor);
      file.tensors["members.3." + name] = float_tensor(tensor.shape, values.data());
    }
    network = make(golden, file, "members.3.");
  }
  const NetworkScores expected = golden.network()->scores(golden.batch());
  const NetworkScores found = network->scores(golden.batch());
  for (std::size_t i = 0; i < expected.combined.size(); ++i) {
    EXPECT_EQ(found.combined.values()[i], expected.combined.values()[i]);
  }
}

TEST(NetworkTable, HierarchiesWithOtherLevelsThanTheTensorsAreRefused) {
  GoldenFile golden("la_hcn_paper");
  golden.hierarchy = Hierarchy(std::vector<HierarchyEdge>{{"a", "", "", {}}, {"b", "a", "", {}}});
  expect_error(ErrorKind::kModel, {golden.path, "level_1.labels"}, [&] { golden.network(); });
}

}  // namespace
}  // namespace hmtc
