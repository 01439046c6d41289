// Which leaves of a tree are words.
#pragma once

#include "firth/treebank.hpp"

namespace firth::treebank {

/// False for traces (-NONE-, or words like *con* and *T*-1), for what is not said, (C 0), and for (CODE ...) and
/// (ID ...).
bool is_word(const TreeNode& leaf);

}  // namespace firth::treebank
