// Stands in for libFuzzer: calls the fuzz target once for each file of the folder that is named, so
// that every build compiles the targets and every run of the tests covers their seeds. A file whose
// name begins with "refused" has to be refused, any other one accepted.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " FOLDER\n";
    return 2;
  }
  int num_files = 0;
  int num_wrong = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::cerr << entry.path().string() << '\n';  // the last one is the one that crashed
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    hmtc::num_accepted = 0;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    const bool should_refuse = entry.path().filename().string().starts_with("refused");
    if (should_refuse == (hmtc::num_accepted > 0)) {
      std::cerr << "  expected to be " << (should_refuse ? "refused\n" : "accepted\n");
      ++num_wrong;
    }
    ++num_files;
  }
  std::cerr << num_files << " files, " << num_wrong << " of them not as expected\n";
  return num_files > 0 && num_wrong == 0 ? 0 : 1;
}
