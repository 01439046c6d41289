// A table of classes against tags, and the scores that depend on nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firth/gold_tags.hpp"
#include "firth/types.hpp"

namespace firth::evaluate {

/// How often each class has each tag.
class Contingency {
 public:
  Contingency(std::size_t classes, std::size_t tags) : tags_(tags), cells_(classes * tags) {}

  std::size_t classes() const noexcept { return tags_ == 0 ? 0 : cells_.size() / tags_; }
  std::size_t tags() const noexcept { return tags_; }
  std::size_t cell(std::size_t c, std::size_t tag) const noexcept { return c * tags_ + tag; }
  void add(std::size_t cell, Count count) { cells_[cell] += count; }
  Count at(std::size_t c, std::size_t tag) const { return cells_[cell(c, tag)]; }
  std::span<const Count> row(std::size_t c) const { return std::span(cells_).subspan(c * tags_, tags_); }
  void clear() { cells_.assign(cells_.size(), 0); }

  Count total() const;
  std::vector<Count> class_sums() const;
  std::vector<Count> tag_sums() const;
  /// The most frequent tag of a class, the first of equals.
  std::size_t best_tag(std::size_t c) const;

 private:
  std::size_t tags_;
  std::vector<Count> cells_;
};

/// All scores; `prototype_tags[c]` is the tag that the prototype map gives to class c.
TagAgreement score(const Contingency& table, std::span<const std::uint32_t> prototype_tags);

/// Tokens in the best assignment of classes to tags, each used at most once.
Count best_assignment(const Contingency& table);

/// Tokens in the greedy one: the largest cell first, of equals that of the smaller class, then tag.
Count greedy_assignment(const Contingency& table);

}  // namespace firth::evaluate
