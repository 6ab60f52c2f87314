// The files of a model directory and the results of experiments. Each reader gets the same bytes;
// tensors go on to what makes a model's parts of them.
#include "artifact/fusion_tensors.h"
#include "artifact/linear_tensors.h"
#include "artifact/model_directory.h"
#include "artifact/thresholds.h"
#include "fuzz.h"
#include "hierarchy/hierarchy_file.h"
#include "report/run_result.h"
#include "support/temporary_directory.h"

namespace {

/// As a linear model over three words with two pairs and two labels of one level has them.
void read_tensors(const hmtc::TensorFile& tensors) {
  using enum hmtc::ErrorKind;
  hmtc::LinearOptions options;
  options.word_pairs = 2;
  hmtc::read_or_refuse({kModel}, [&] { hmtc::load_linear(tensors, options, 3, 2, "part"); });
  hmtc::read_or_refuse({kModel}, [&] { hmtc::load_thresholds(tensors, 2, "part"); });
  hmtc::read_or_refuse({kModel}, [&] { hmtc::load_fusion(tensors, 1, 3, "part"); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  const std::string bytes(hmtc::as_text(data, size));
  const std::string file = directory.write("part", bytes);
  directory.write("model/manifest.json", bytes);
  using enum hmtc::ErrorKind;
  hmtc::read_or_refuse({kModel}, [&] { read_tensors(hmtc::parse_tensor_file(bytes, file)); });
  hmtc::read_or_refuse({kModel}, [&] { hmtc::load_model(directory.path() / "model"); });
  hmtc::read_or_refuse({kModel}, [&] { hmtc::read_vocabulary(file); });
  hmtc::read_or_refuse({kInput}, [&] { hmtc::read_hierarchy(file); });
  hmtc::read_or_refuse({kInput}, [&] { hmtc::parse_run_result(bytes, file); });
  return 0;
}
