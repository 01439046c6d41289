// Hidden Markov models from hostile bytes: what loads can tag.
#include <cstdlib>

#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "lm_harness.hpp"
#include "mend_checksums.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  static const firth::fuzz::Scratch text;
  static const std::vector<std::string> inputs = {text.write("a b c\nthe a\n")};
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) firth::fuzz::mend_checksums(file);
  try {
    const firth::HmmModel model = firth::load_hmm(scratch.write(file));
    for (const auto decoding : {firth::HmmDecoding::viterbi, firth::HmmDecoding::posterior}) {
      firth::tag_text(model, inputs, {}, decoding,
                      [&](auto, std::span<const std::uint32_t> states) {
                        for (const std::uint32_t state : states) {
                          if (state >= model.states) std::abort();
                        }
                      },
                      {.threads = 1});
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
