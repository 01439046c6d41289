// Two ways into the reader of count files: the bytes as they are, and bytes whose checksums were made right
// so that the checks behind the checksums are reached.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "firth/count.hpp"
#include "repair_checksums.hpp"

namespace {

// Touches everything: a wrong size or offset would be caught by the sanitizer.
void walk(const firth::Counts& counts) {
  std::uint64_t sum = 0;
  for (firth::WordId w = 0; w < counts.vocabulary().size(); ++w) {
    for (const char c : counts.vocabulary().word(w)) sum += static_cast<unsigned char>(c);
    for (const int distance : counts.distances()) {
      for (const firth::WordId right : counts.pairs_at(distance).right_words(w))
        sum += counts.vocabulary().count(right);
    }
  }
  for (const int distance : counts.distances()) sum += counts.pairs_at(distance).transposed().total();
  if (sum == 0 && !counts.vocabulary().empty() && counts.vocabulary().word(0).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::try_file(data, size, [](const std::string& path) { walk(firth::load_counts(path)); });
}
