// Lists of words: a vocabulary, and the order in which words enter Brown clustering. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cluster/brown/order.hpp"
#include "firth/brown.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"
#include "text/word_list.hpp"

namespace {

void read_order(const std::string& path) {
  static const firth::Counts counts =
      firth::count_text(firth::Inputs::from_text("a b a c b a\n"), {}, {.threads = 1});
  const std::vector<firth::WordId> order =
      firth::brown::entry_order(counts, {.classes = 2, .order_file = path});
  if (order.size() != counts.vocabulary().size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  if (size == 0) return 0;
  const std::string& path = scratch.write({reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    if ((data[0] & 1) == 0) {
      if (firth::text::read_word_list(path, {}).size() > size) std::abort();
    } else {
      read_order(path);
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
