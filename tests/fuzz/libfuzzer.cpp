// All fuzz targets as one program for libFuzzer. It goes by many names: called fuzz_NAME, it runs the target NAME. Forty
// programs would be linked, and held in memory, one after another.
#include <cstdlib>
#include <filesystem>

#include "fuzz_targets.hpp"

namespace {

const firth::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(const int* /*argc*/, char*** argv) {
  const std::string name = std::filesystem::path((*argv)[0]).filename().string();
  for (const firth::fuzz::Target& target : firth::fuzz::kTargets) {
    if (name == "fuzz_" + std::string(target.name)) chosen = &target;
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "%s: call this program by the name of a target, fuzz_text for example\n",
               name.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return chosen->run(data, size);
}
