// Words and classes of words: what a grammar takes for the word that it sees.
//
// Words that are frequent in training stand for themselves. All others are known by a class made of their
// shape (case, digits, hyphens, other signs) and the end of their spelling; a class that is too small joins
// a more general one. Words and classes together are the terminals of the grammar, words first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firth/lpcfg.hpp"
#include "treebank/interner.hpp"

namespace firth::grammar {

using TerminalId = std::uint32_t;

/// The classes that a word may belong to, most special first; the last one takes everything. `is_first`: at the
/// beginning of its sentence, where a capital says little.
std::vector<std::string> word_signatures(std::string_view word, bool is_first);

/// Terminals and the way from words to them.
class Lexicon {
 public:
  Lexicon() = default;
  /// `names` of all terminals, the first `known` of which are words. The last must be the class that takes
  /// everything.
  Lexicon(const std::vector<std::string>& names, std::size_t known);

  /// How often words were seen: at the beginning of sentences, and elsewhere.
  struct WordCount {
    std::uint32_t first = 0;
    std::uint32_t other = 0;
  };
  /// `counts[i]` belongs to word i of `words`.
  static Lexicon build(const treebank::Interner& words, const std::vector<WordCount>& counts,
                       const LexiconOptions& options);

  /// The word itself or its class.
  TerminalId terminal_of(std::string_view word, bool is_first) const;
  /// The class of a word, known or not.
  TerminalId class_of(std::string_view word, bool is_first) const;
  bool is_class(TerminalId terminal) const noexcept { return terminal >= known_.size(); }

  std::size_t known_words() const noexcept { return known_.size(); }
  std::size_t size() const noexcept { return known_.size() + classes_.size(); }
  std::string_view name(TerminalId terminal) const {
    return is_class(terminal) ? classes_[terminal - static_cast<TerminalId>(known_.size())]
                              : known_[terminal];
  }

 private:
  treebank::Interner known_;
  treebank::Interner classes_;
};

}  // namespace firth::grammar
