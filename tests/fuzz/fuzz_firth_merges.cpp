// merges.tsv of Firth's own folder.
#include "cluster/io/formats.hpp"
#include "cluster/merge_tree.hpp"
#include "firth/error.hpp"
#include "fuzz/cluster_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const firth::MergeTree tree = firth::clusters::read_firth_merges(text, "fuzz");
    firth::clusters::check_tree(tree);
    std::string written;
    firth::clusters::write_firth_merges(tree, [&](std::string_view bytes) { written += bytes; });
    firth::fuzz::require(firth::clusters::read_firth_merges(written, "again") == tree);
  } catch (const firth::InputError&) {
    return 0;
  }
  return 0;
}
