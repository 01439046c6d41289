// Bracketed trees from hostile bytes: reading, cleaning, writing, making binary and undoing it.
#include <cstdlib>
#include <string>

#include "firth/error.hpp"
#include "firth/parseval.hpp"
#include "firth/treebank.hpp"
#include "treebank/binary_tree.hpp"

namespace {

// What was written must be read back the same.
void check_tree(const firth::Tree& tree, const firth::BinarizeOptions& options) {
  if (tree.empty()) return;
  const auto again = firth::parse_trees(firth::format_tree(tree, false), "again");
  if (again.size() != 1 || !(again.front() == tree)) std::abort();
  firth::treebank::SymbolTable symbols;
  firth::treebank::Interner words;
  std::vector<std::string> sentence;
  for (const std::uint32_t leaf : tree.leaves()) sentence.push_back(tree.nodes[leaf].word);
  firth::treebank::Binarizer binarizer(options, symbols, words);
  if (!(firth::treebank::unbinarize(binarizer(tree), symbols, sentence) == tree)) std::abort();
  const firth::ParsevalScore score = firth::score_parse(tree, tree, {.gold_punctuation = true});
  if (score.matched != score.gold || score.errors != 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  firth::BinarizeOptions options;
  options.branching = (data[0] & 1) != 0 ? firth::TreeBranching::left : firth::TreeBranching::right;
  options.horizontal = (data[0] >> 1) & 3U;
  options.vertical = 1 + ((data[0] >> 3) & 1U);
  try {
    for (firth::Tree& tree : firth::parse_trees(text, "fuzz", firth::TreeLayout::lines)) {
      check_tree(tree, options);
      firth::clean_tree(tree);
      check_tree(tree, options);
    }
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
