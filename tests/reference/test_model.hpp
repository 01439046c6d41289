// A parser model around any grammar, with plain grammars that exclude nothing.
#pragma once

#include <memory>
#include <vector>

#include "grammar/parser_model.hpp"

namespace firth::reference {

/// Terminals 0.. of the grammar are the words "w0", "w1", ...; symbols are named as in
/// random_grammar_symbols.
std::shared_ptr<const grammar::ParserModel> make_test_model(const grammar::LatentGrammar& grammar,
                                                            const treebank::SymbolTable& symbols,
                                                            std::size_t terminals);

}  // namespace firth::reference
