// Hidden Markov models from hostile bytes: what loads can tag.
#include <cstdlib>
#include <string>
#include <vector>

#include "firth/hmm.hpp"
#include "repair_checksums.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto inputs = firth::Inputs::from_text("a b c\nthe a\n");
  return firth::fuzz::try_file(data, size, [](const std::string& path) {
    const firth::HmmModel model = firth::load_hmm(path);
    const auto check = [&](auto, std::span<const std::uint32_t> states) {
      for (const std::uint32_t state : states) {
        if (state >= model.states) std::abort();
      }
    };
    for (const auto decoding : {firth::HmmDecoding::viterbi, firth::HmmDecoding::posterior}) {
      firth::decode_text(model, inputs, {.decoding = decoding}, check, {.threads = 1});
    }
  });
}
