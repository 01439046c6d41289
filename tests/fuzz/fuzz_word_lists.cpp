// Lists of words: a vocabulary, the order in which words enter Brown clustering, the names of token ids, new words of a
// language model, phrases, prototypes, lists of names, of hypotheses and of references, and the line that says how a text was
// read. The first byte chooses.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cluster/brown/order.hpp"
#include "firth/brown.hpp"
#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/phrases.hpp"
#include "firth/prototypes.hpp"
#include "firth/rescore.hpp"
#include "firth/tagger.hpp"
#include "scratch.hpp"
#include "text/id_names.hpp"
#include "text/text_options.hpp"
#include "text/word_list.hpp"

namespace {

void read_order(const std::string& path) {
  static const firth::Counts counts =
      firth::count_text(firth::Inputs::from_text("a b a c b a\n"), {}, {.threads = 1});
  const std::vector<firth::WordId> order = firth::load_word_order(path, counts.vocabulary());
  if (firth::brown::entry_order(counts, {.classes = 2, .order = order}).size() !=
      counts.vocabulary().size()) {
    std::abort();
  }
}

void read_names(const std::string& path) {
  const firth::text::IdNames names(path, {});
  std::string buffer;
  for (std::uint32_t id = 0; id < 20; ++id) {
    if (names.problem_of(id).empty() && names.word(id, buffer).empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  if (size == 0) return 0;
  const std::string& path = scratch.write({reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    if (data[0] == 'n') {
      if (firth::load_nbest(path).size() > size || firth::load_references(path).size() > size) std::abort();
    } else if (data[0] == 'p') {
      if (firth::load_phrases(path).list.size() > size) std::abort();
    } else if (data[0] == 'g') {
      if (firth::load_names(path).names.size() > size) std::abort();
    } else if (data[0] == 't') {
      if (firth::load_prototypes(path).size() > size) std::abort();
    } else if ((data[0] & 12) == 12) {
      if (firth::load_new_words(path).size() > size) std::abort();
    } else if ((data[0] & 12) == 8) {
      const auto done = firth::text::parse_preprocessing({reinterpret_cast<const char*>(data) + 1, size - 1});
      if (done && firth::text::parse_preprocessing(firth::text::describe(*done)) != done) std::abort();
    } else if ((data[0] & 2) != 0) {
      read_names(path);
    } else if ((data[0] & 1) == 0) {
      if (firth::text::read_word_list(path, {}).size() > size) std::abort();
    } else {
      read_order(path);
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
