// Grammar files: the bytes as they are, and bytes whose checksums were made right so that the checks behind
// them are reached (the first byte chooses). A grammar that is accepted must parse without a wrong step.
#include <cstdlib>
#include <string>
#include <vector>

#include "firth/parser.hpp"
#include "repair_checksums.hpp"

namespace {

void use(const firth::Lpcfg& grammar) {
  const firth::Parser parser(grammar, {});
  const std::vector<firth::ParserToken> sentence = {{"the", ""}, {"dog", "NN"}, {"Saw", ""}, {"it", "?"}};
  for (std::size_t words = 0; words <= sentence.size(); ++words) {
    const firth::ParseResult result =
        parser.parse(std::span(sentence).first(words), {.memory_bytes = 100'000'000});
    if (result.tree.leaves().size() != words) std::abort();
    (void)firth::TreeScorer(grammar, false).score(result.tree);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::try_file(data, size, [](const std::string& path) { use(firth::load_lpcfg(path)); });
}
