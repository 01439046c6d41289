// Grammar files: the bytes as they are, and bytes whose checksums were made right so that the checks behind
// them are reached (the first byte chooses). A grammar that is accepted must parse without a wrong step.
#include <xxhash.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "firth/error.hpp"
#include "firth/parser.hpp"
#include "lm_harness.hpp"

namespace {

constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kRowBytes = 32;

std::uint64_t load(const std::string& file, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, file.data() + offset, sizeof(value));
  return value;
}

void store(std::string& file, std::size_t offset, std::uint64_t value) {
  std::memcpy(file.data() + offset, &value, sizeof(value));
}

// Offsets as in base/section_file.hpp.
void mend_checksums(std::string& file) {
  if (file.size() < kHeaderBytes) return;
  store(file, 16, file.size());
  const std::uint64_t sections = load(file, 24);
  if (sections > (file.size() - kHeaderBytes) / kRowBytes) return;
  for (std::uint64_t i = 0; i < sections; ++i) {
    const std::size_t row = kHeaderBytes + i * kRowBytes;
    const std::uint64_t offset = load(file, row + 8);
    const std::uint64_t bytes = load(file, row + 16);
    if (offset > file.size() || bytes > file.size() - offset) continue;
    store(file, row + 24, XXH3_64bits(file.data() + offset, bytes));
  }
  store(file, 32, XXH3_64bits(file.data() + kHeaderBytes, sections * kRowBytes));
}

void use(const firth::Lpcfg& grammar) {
  const firth::Parser parser(grammar, {});
  const std::vector<firth::ParserToken> sentence = {{"the", ""}, {"dog", "NN"}, {"Saw", ""}, {"it", "?"}};
  for (std::size_t words = 0; words <= sentence.size(); ++words) {
    const firth::ParseResult result = parser.parse(std::span(sentence).first(words), 100'000'000);
    if (result.tree.leaves().size() != words) std::abort();
    firth::TreeScorer(grammar, false).score(result.tree);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) mend_checksums(file);
  try {
    use(firth::load_lpcfg(scratch.write(file)));
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
