// The first section of a grammar's file: how the trees were made binary, and sizes.
#pragma once

#include <cstdint>

#include "firth/error.hpp"
#include "firth/treebank.hpp"
#include "grammar/parser_model.hpp"

namespace firth::grammar {

struct Head {
  std::uint64_t branches_right = 0;
  std::uint64_t horizontal = 0;
  std::uint64_t vertical = 0;
  std::uint64_t annotations = 0;  ///< bits: of tags, of symbols in between
  std::uint64_t own_words = 0;    ///< words that stand for themselves
  std::uint64_t grammars = 0;
};

inline constexpr std::uint64_t kTagsAnnotated = 1;
inline constexpr std::uint64_t kBetweenAnnotated = 2;

inline Head head_of(const ParserModel& model) {
  const BinarizeOptions& binarize = model.binarize;
  return {.branches_right = binarize.branching == TreeBranching::left ? 0U : 1U,
          .horizontal = binarize.horizontal,
          .vertical = binarize.vertical,
          .annotations = (binarize.annotate_tags ? kTagsAnnotated : 0) |
                         (binarize.annotate_between ? kBetweenAnnotated : 0),
          .own_words = model.lexicon.known_words(),
          .grammars = 1 + model.more_grammars.size()};
}

inline BinarizeOptions binarize_options(const Head& head) {
  return {.branching = head.branches_right == 0 ? TreeBranching::left : TreeBranching::right,
          .horizontal = static_cast<std::uint32_t>(head.horizontal),
          .vertical = static_cast<std::uint32_t>(head.vertical),
          .annotate_tags = (head.annotations & kTagsAnnotated) != 0,
          .annotate_between = (head.annotations & kBetweenAnnotated) != 0};
}

/// Whether the options can be those of a grammar.
inline bool makes_sense(const Head& head) {
  if (head.branches_right > 1 || head.annotations > (kTagsAnnotated | kBetweenAnnotated)) return false;
  try {
    validate(binarize_options(head));
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace firth::grammar
