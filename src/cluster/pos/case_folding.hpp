// Words that differ in case only are one unit; how often it is capitalised inside sentences is kept.
#pragma once

#include <vector>

#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::pos {

/// How often a unit follows a word of letters or digits, and how often it begins with a capital there.
/// At the start of a sentence, and after marks that may end one, a capital says nothing.
struct Capitals {
  Count inside = 0;
  Count capital = 0;
};

/// What the search works on.
struct CaseFolding {
  Counts counts;                   ///< of the units
  std::vector<WordId> unit_of;     ///< of each word
  std::vector<Capitals> capitals;  ///< of each unit
};

/// `fold` = false: every word is a unit.
CaseFolding fold_case(const Counts& counts, bool fold);

}  // namespace firth::pos
