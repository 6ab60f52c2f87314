// The importers, a program for each: HMTC_FUZZ_FORMAT is the format's name. The first file of the
// input is imported, the second, unless it is empty, is the one that some formats read beside it.
#include "fuzz.h"
#include "import/import.h"
#include "support/temporary_directory.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hmtc::TemporaryDirectory directory;
  const auto [input, beside] = hmtc::two_files(hmtc::as_text(data, size));
  hmtc::ImportOptions options;
  options.format = HMTC_FUZZ_FORMAT;
  options.out = directory.path() / "out";
  options.split = {{60, 20, 20}};
  options.inputs = {directory.write("Packages", input)};  // apt's lists go by their names
  const std::string other = directory.write("Translation-en", beside);
  if (options.format == "debtags") {
    options.inputs.push_back(other);
    options.min_documents = 1;
  } else if (!beside.empty() && (options.format == "bgc" || options.format == "rcv1-svm")) {
    options.taxonomy = other;
  }
  hmtc::read_or_refuse({hmtc::ErrorKind::kInput}, [&] { hmtc::import_data(options); });
  return 0;
}
