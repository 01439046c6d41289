// Raw English into the tokens of the Penn Treebank.
#pragma once

#include <string>
#include <string_view>

namespace firth::treebank {

/// The line with blanks between its tokens: marks are cut off their words, quotes become `` and '', brackets
/// -LRB- and so on, a full stop is a token at the end of the line only, contractions are split (do n't, John 's,
/// can not).
std::string penn_tokens(std::string_view line);

}  // namespace firth::treebank
