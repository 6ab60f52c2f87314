// What users write to say what is to be done: configuration files, experiment files.
#include "config/config.h"
#include "experiment/plan.h"
#include "fuzz.h"
#include "support/temporary_directory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  const std::string file = directory.write("settings", hmtc::as_text(data, size));
  hmtc::read_or_refuse({hmtc::ErrorKind::kUsage, hmtc::ErrorKind::kInput},
                       [&] { hmtc::config_from("", file); });
  hmtc::read_or_refuse({hmtc::ErrorKind::kInput}, [&] { hmtc::read_plan(file); });
  return 0;
}
