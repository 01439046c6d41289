// Files of taggers: the bytes as they are, and bytes whose checksums were made right so that the checks
// behind them are reached. The first byte chooses.
#include <cstdlib>
#include <string>
#include <vector>

#include "firth/tagger.hpp"
#include "repair_checksums.hpp"

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
  return firth::fuzz::try_file(data, size, [](const std::string& path) { use(firth::load_tagger(path)); });
}
