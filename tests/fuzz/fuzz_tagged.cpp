// Tagged texts: whatever is read can be scored against itself.
#include <cstdlib>

#include "firth/error.hpp"
#include "firth/gold_tags.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto inputs = firth::Inputs::from_text({reinterpret_cast<const char*>(data), size});
  try {
    const firth::GoldText text =
        firth::read_tagged_text(inputs, {.tag = firth::TagColumn::xpos, .lowercase = size % 2 == 0});
    const firth::GoldReport report = firth::score_against_gold(text, text, {.resamples = 3}, {.threads = 1});
    if (report.tokens.many_to_one < 1 - 1e-9 || report.tokens.one_to_one < 1 - 1e-9) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
