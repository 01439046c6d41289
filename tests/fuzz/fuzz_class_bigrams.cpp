// bigrams.tsv of Firth's own folder.
#include "cluster/io/formats.hpp"
#include "firth/error.hpp"
#include "fuzz/cluster_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const firth::clusters::ClassNumbers numbers = {{0, 0}, {1, 1}, {7, 2}};
  const firth::clusters::ClassNumbers again = {{0, 0}, {1, 1}, {2, 2}};
  try {
    const firth::PairCounts read = firth::clusters::read_class_bigrams(text, "fuzz", numbers);
    std::string written;
    firth::clusters::write_class_bigrams(read, [&](std::string_view bytes) { written += bytes; });
    const firth::PairCounts back = firth::clusters::read_class_bigrams(written, "again", again);
    firth::fuzz::require(back.total() == read.total() && back.distinct() == read.distinct());
  } catch (const firth::InputError&) {
    return 0;
  }
  return 0;
}
