// Binary models: the bytes as they are, and bytes whose checksums were made right so that the checks behind
// them are reached. The first byte chooses.
#include "lm_harness.hpp"
#include "repair_checksums.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::try_file(data, size, [](const std::string& path) {
    firth::fuzz::use(firth::load_lm(path, "", {.threads = 1}));
  });
}
