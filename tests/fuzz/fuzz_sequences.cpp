// Tagged sentences from hostile bytes: what is read makes trees that can be written and read back.
#include <cstdlib>
#include <string>
#include <vector>

#include "firth/treebank.hpp"
#include "text_harness.hpp"
#include "treebank/tagged_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto inputs = firth::Inputs::from_text(firth::fuzz::text_of(data, size));
  const firth::RunOptions run{.threads = 1};
  try {
    firth::treebank::TaggedReader reader(inputs, {}, run);
    for (firth::Tree tree; reader.next(tree);) {
      const auto again = firth::parse_trees(firth::format_tree(tree, false), "again");
      if (again.size() != 1 || !(again.front() == tree)) std::abort();
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
