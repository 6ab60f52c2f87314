// Stands in for libFuzzer: calls the fuzz target once for each file of the folders that are named,
// so that every build compiles the targets and every run of the tests covers their seeds.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int num_files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::cerr << entry.path().string() << '\n';  // the last one is the one that failed
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++num_files;
    }
  }
  if (num_files > 0) return 0;
  std::cerr << "usage: " << argv[0] << " FOLDER…, with files in them\n";
  return 2;
}
