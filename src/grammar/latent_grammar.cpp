#include "grammar/latent_grammar.hpp"

namespace firth::grammar {

void LatentGrammar::allocate() {
  tensor_begin.assign(1, 0);
  for (const BinaryRule& rule : rules) {
    const std::uint64_t size =
        std::uint64_t{states[rule.parent]} * states[rule.left] * std::uint64_t{states[rule.right]};
    tensor_begin.push_back(tensor_begin.back() + size);
  }
  vector_begin.assign(1, 0);
  for (const LexicalRule& rule : lexical) vector_begin.push_back(vector_begin.back() + states[rule.tag]);
  root_begin.assign(1, 0);
  for (const std::uint32_t count : states) root_begin.push_back(root_begin.back() + count);
  tensors.assign(tensor_begin.back(), 0.0);
  vectors.assign(vector_begin.back(), 0.0);
  roots.assign(root_begin.back(), 0.0);
}

}  // namespace firth::grammar
