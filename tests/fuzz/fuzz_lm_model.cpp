// Binary models: the bytes as they are, and bytes whose checksums were made right so that the checks behind
// them are reached. The first byte chooses.
#include "lm_harness.hpp"
#include "mend_checksums.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) firth::fuzz::mend_checksums(file);
  try {
    firth::fuzz::use(firth::load_lm(scratch.write(file), "", {.threads = 1}));
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
