// Files of taggers: the bytes as they are, and bytes whose checksums were made right so that the checks
// behind them are reached. The first byte chooses.
#include <string>
#include <vector>

#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "lm_harness.hpp"
#include "mend_checksums.hpp"

namespace {

void use(const firth::Tagger& tagger) {
  const std::vector<std::string_view> words = {"Anna", "saw", "the", "R2-D2", "in", "\xc3\x85rhus", "."};
  for (const int beam : {1, 2}) {
    firth::TagSession session(tagger, {beam});
    for (const firth::TagId tag : session.tag(words)) {
      if (tag >= tagger.tag_count() || tagger.tag_name(tag).empty()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) firth::fuzz::mend_checksums(file);
  try {
    use(firth::load_tagger(scratch.write(file)));
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
