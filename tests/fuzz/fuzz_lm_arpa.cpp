// ARPA files: what is accepted must survive being used.
#include "lm_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  try {
    const firth::LanguageModel model =
        firth::load_lm(scratch.write({reinterpret_cast<const char*>(data), size}), "", {.threads = 1});
    firth::fuzz::use(model);
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
