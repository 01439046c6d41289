#include "parser/token_tags.hpp"

#include <algorithm>

#include "text/unicode_words.hpp"

namespace firth::parser {
namespace {

constexpr double kClusterShare = 0.5;  // of what is known of a new word, if it has a cluster

std::string to_lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace

TokenTagger::TokenTagger(const ParserModel& model) : model_(model) {
  for (SymbolId symbol = 0; symbol < model.symbol_count(); ++symbol) {
    if (!model.symbols.is_tag(symbol)) continue;
    symbols_of_[treebank::chain_of(model.symbols.name(symbol)).back()].push_back(symbol);
  }
}

std::vector<WordTag> TokenTagger::tags_of(const ParserToken& token, bool is_first) const {
  std::vector<WordTag> tags = guess(token.word, is_first);
  const auto given = symbols_of_.find(token.tag);
  if (token.tag.empty() || given == symbols_of_.end()) return tags;
  const auto is_given = [&](const WordTag& tag) {
    const SymbolId symbol = model_.arrays.lexical[tag.lexical].tag;
    return std::binary_search(given->second.begin(), given->second.end(), symbol);
  };
  std::erase_if(tags, [&](const WordTag& tag) { return !is_given(tag); });
  if (tags.empty()) {
    tags = all_of(model_.any_word(), 1);
    std::erase_if(tags, [&](const WordTag& tag) { return !is_given(tag); });
  }
  return tags;
}

std::vector<WordTag> TokenTagger::tags_of_sentence(const ParserToken& token) const {
  std::vector<WordTag> tags = tags_of(token, true);
  const auto symbol_of = [&](const WordTag& tag) { return model_.arrays.lexical[tag.lexical].tag; };
  const auto is_root = [&](const WordTag& tag) { return model_.arrays.plain.roots[symbol_of(tag)] > 0; };
  if (std::any_of(tags.begin(), tags.end(), is_root)) return tags;
  std::vector<std::string> names;
  names.reserve(tags.size());
  for (const WordTag& tag : tags)
    names.push_back(treebank::chain_of(model_.symbols.name(symbol_of(tag))).back());
  std::vector<WordTag> roots = all_of(model_.any_word(), 1);
  std::erase_if(roots, [&](const WordTag& tag) {
    const std::string name = treebank::chain_of(model_.symbols.name(symbol_of(tag))).back();
    return !is_root(tag) || std::find(names.begin(), names.end(), name) == names.end();
  });
  return roots.empty() ? tags : roots;
}

std::vector<WordTag> TokenTagger::guess(std::string_view given, bool is_first) const {
  const std::string word = text::spelled(given, model_.spelling);
  auto known = model_.words.find(word);
  if (!known && is_first) known = model_.words.find(to_lower(word));
  if (known) {
    const auto begin = model_.arrays.word_begin[*known];
    const auto tags = model_.arrays.word_tags.subspan(begin, model_.arrays.word_begin[*known + 1] - begin);
    if (!tags.empty()) return {tags.begin(), tags.end()};
  }
  grammar::TerminalId shape = model_.lexicon.class_of(word, is_first);
  // All words of a class may have been in more special ones.
  if (const auto [first, last] = model_.rules_of(shape); first == last) shape = model_.any_word();
  const auto cluster = model_.cluster_words.find(text::spelled(word, model_.cluster_spelling));
  std::vector<WordTag> tags = all_of(shape, cluster ? 1 - kClusterShare : 1);
  if (cluster) {
    // Both together weigh as much as the shape alone would.
    const grammar::TerminalId terminal = model_.arrays.cluster_of[*cluster];
    const double all = mass_of(terminal);
    const std::vector<WordTag> more = all_of(terminal, all > 0 ? kClusterShare * mass_of(shape) / all : 0);
    tags.insert(tags.end(), more.begin(), more.end());
  }
  return tags;
}

std::vector<WordTag> TokenTagger::all_of(grammar::TerminalId terminal, double weight) const {
  const auto [first, last] = model_.rules_of(terminal);
  std::vector<WordTag> tags;
  for (std::uint32_t rule = first; rule < last; ++rule) tags.push_back({rule, static_cast<float>(weight)});
  return tags;
}

double TokenTagger::mass_of(grammar::TerminalId terminal) const {
  const auto [first, last] = model_.rules_of(terminal);
  double total = 0;
  for (std::uint32_t rule = first; rule < last; ++rule) {
    total += static_cast<double>(model_.arrays.plain.lexical[rule]) *
             static_cast<double>(model_.arrays.plain.priors[model_.arrays.lexical[rule].tag]);
  }
  return total;
}

}  // namespace firth::parser
