// The tags that the words of a sentence may have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "firth/parser.hpp"
#include "grammar/parser_model.hpp"

namespace firth::parser {

using grammar::ParserModel;
using grammar::SymbolId;
using grammar::WordTag;

/// Looks words up in a model; their brackets are escaped.
class TokenTagger {
 public:
  explicit TokenTagger(const ParserModel& model);

  /// Never empty. Tags may be in it more than once: they add up. A given tag that the model does not know
  /// is not considered.
  std::vector<WordTag> tags_of(const ParserToken& token, bool is_first) const;

  /// The same for a word that is a whole sentence: if none of its tags can be one, those that can and have
  /// the same name above the word, as HEADING|NP|NN for NN.
  std::vector<WordTag> tags_of_sentence(const ParserToken& token) const;

  /// Whether the model has a tag of this name.
  bool knows_tag(const std::string& tag) const { return symbols_of_.contains(tag); }

 private:
  std::vector<WordTag> guess(std::string_view word, bool is_first) const;
  std::vector<WordTag> all_of(grammar::TerminalId terminal, double weight) const;
  double mass_of(grammar::TerminalId terminal) const;  // its share of all nodes of the treebank

  const ParserModel& model_;
  std::unordered_map<std::string, std::vector<SymbolId>> symbols_of_;  // by the tag above the word
};

}  // namespace firth::parser
