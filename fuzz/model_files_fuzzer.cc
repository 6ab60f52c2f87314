// The files of a model directory: tensors, vocabulary, settings, hierarchy. Each reader gets the
// same bytes.
#include "artifact/safetensors.h"
#include "config/config.h"
#include "fuzz.h"
#include "hierarchy/hierarchy_file.h"
#include "report/run_result.h"
#include "support/temporary_directory.h"
#include "text/vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  const std::string bytes(hmtc::as_text(data, size));
  const std::string file = directory.write("part", bytes);
  using enum hmtc::ErrorKind;
  hmtc::read_or_refuse({kModel}, [&] { hmtc::parse_tensor_file(bytes, file); });
  hmtc::read_or_refuse({kModel}, [&] { hmtc::read_vocabulary(file); });
  hmtc::read_or_refuse({kInput}, [&] { hmtc::read_hierarchy(file); });
  hmtc::read_or_refuse({kInput}, [&] { hmtc::parse_run_result(bytes, file); });
  hmtc::read_or_refuse({kUsage}, [&] {
    hmtc::Config config;
    hmtc::set_from_json(config, bytes, file);
  });
  return 0;
}
