// The symbols of binary trees: names that hold chains, symbols in between and annotations, and can be read
// back.
//
//   name      = ["@"] chain ["^" label]...       chain = label {"|" label}
//   in between: "@" label {"^" label} {">" label}
//
// A backslash comes before | @ ^ > \ within labels, so that any label survives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treebank/interner.hpp"

namespace firth::treebank {

using SymbolId = std::uint32_t;

/// A label as it is in a name.
std::string escape_label(std::string_view label);

/// The labels of a chain, from the top, without annotations; of a symbol in between, its phrase.
std::vector<std::string> chain_of(std::string_view symbol);

/// Whether the symbol stands for some of the children of a phrase.
inline bool is_between(std::string_view symbol) {
  return symbol.starts_with('@');
}

/// A symbol without annotations: @NP>DT and @NP^S are @NP, S|VP^S is S|VP.
std::string plain_symbol(std::string_view symbol);

/// Symbols by number. A tag and a phrase of the same name are two symbols.
class SymbolTable {
 public:
  SymbolId intern(std::string_view name, bool is_tag) {
    return keys_.intern(std::string(is_tag ? "t" : "p").append(name));
  }

  std::size_t size() const noexcept { return keys_.size(); }
  std::string_view name(SymbolId symbol) const { return std::string_view(keys_[symbol]).substr(1); }
  /// Whether it goes to words; all others go to two symbols.
  bool is_tag(SymbolId symbol) const { return keys_[symbol][0] == 't'; }

 private:
  Interner keys_;
};

}  // namespace firth::treebank
