#include "reference/test_model.hpp"

#include <string>

namespace firth::reference {
namespace {

struct Storage {
  grammar::LatentGrammar grammar;
  std::vector<float> tensors;
  std::vector<float> vectors;
  std::vector<float> roots;
  std::vector<std::uint64_t> word_begin = {0};
  std::vector<grammar::WordTag> word_tags;
  std::vector<std::uint32_t> coarse_of;
  std::vector<float> ones;
};

std::vector<float> narrow(const std::vector<double>& values) {
  std::vector<float> result;
  for (const double value : values) result.push_back(static_cast<float>(value));
  return result;
}

// Every tag has a rule for the terminal that stands for any word.
void add_any_word(grammar::LatentGrammar& grammar, const treebank::SymbolTable& symbols,
                  std::size_t terminals) {
  for (grammar::SymbolId tag = 0; tag < symbols.size(); ++tag) {
    if (!symbols.is_tag(tag)) continue;
    grammar.lexical.push_back({tag, static_cast<grammar::TerminalId>(terminals + 1)});
    grammar.vectors.resize(grammar.vectors.size() + grammar.states[tag], 1.0);
    grammar.vector_begin.push_back(grammar.vectors.size());
  }
}

}  // namespace

std::shared_ptr<const grammar::ParserModel> make_test_model(const grammar::LatentGrammar& grammar,
                                                            const treebank::SymbolTable& symbols,
                                                            std::size_t terminals) {
  auto storage = std::make_shared<Storage>();
  auto model = std::make_shared<grammar::ParserModel>();
  storage->grammar = grammar;
  std::vector<std::string> names;
  for (std::size_t terminal = 0; terminal < terminals; ++terminal) {
    names.push_back("w" + std::to_string(terminal));
    model->words.intern(names.back());
    for (std::uint32_t i = 0; i < grammar.lexical.size(); ++i) {
      if (grammar.lexical[i].terminal == terminal) storage->word_tags.push_back({i, 1});
    }
    storage->word_begin.push_back(storage->word_tags.size());
  }
  names.emplace_back("*");
  add_any_word(storage->grammar, symbols, terminals);
  storage->tensors = narrow(storage->grammar.tensors);
  storage->vectors = narrow(storage->grammar.vectors);
  storage->roots = narrow(storage->grammar.roots);
  for (std::uint32_t i = 0; i < symbols.size(); ++i) storage->coarse_of.push_back(i);
  storage->ones.assign(storage->grammar.rules.size() + storage->grammar.lexical.size() + symbols.size(),
                       1.0F);
  const std::span<const float> ones(storage->ones);
  const grammar::PlainArrays plain = {storage->grammar.rules, ones.first(storage->grammar.rules.size()),
                                      ones.first(symbols.size()), ones.first(symbols.size()),
                                      ones.first(storage->grammar.lexical.size())};
  model->symbols = symbols;
  model->lexicon = grammar::Lexicon(names, terminals);
  grammar::ModelArrays& a = model->arrays;
  a.states = storage->grammar.states;
  a.rules = storage->grammar.rules;
  a.tensor_begin = storage->grammar.tensor_begin;
  a.tensors = storage->tensors;
  a.lexical = storage->grammar.lexical;
  a.vector_begin = storage->grammar.vector_begin;
  a.vectors = storage->vectors;
  a.root_begin = storage->grammar.root_begin;
  a.roots = storage->roots;
  a.word_begin = storage->word_begin;
  a.word_tags = storage->word_tags;
  a.coarse_of = storage->coarse_of;
  a.coarse = plain;
  a.plain = plain;
  model->owner = storage;
  return model;
}

}  // namespace firth::reference
