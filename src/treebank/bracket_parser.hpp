// Brackets to trees, line by line.
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "firth/treebank.hpp"

namespace firth::treebank {

/// Takes lines and gives trees. Throws InputError.
class BracketParser {
 public:
  explicit BracketParser(TreeLayout layout) : layout_(layout) {}

  /// `where` is the place of the line.
  void add_line(std::string_view line, const SourceLocation& where);
  /// No more lines of this file: everything must be closed.
  void end_file();

  /// Whether a tree has begun and not ended.
  bool is_open() const noexcept { return !open_.empty(); }
  /// Forgets the tree that is being read.
  void drop();

  /// The oldest tree that was not taken yet; false if there is none.
  bool take(Tree& tree, SourceLocation& where);
  std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  void open();
  void close();
  void add_text(std::string_view text);
  bool is_behind_places() const;
  void finish_tree();
  [[noreturn]] void fail(std::string_view problem, std::string_view hint) const;

  TreeLayout layout_;
  Tree tree_;
  std::vector<std::uint32_t> open_;
  bool expects_label_ = false;  // just behind an opening bracket
  SourceLocation where_;        // of the line and column being read
  SourceLocation begin_;        // of the tree being read
  std::deque<std::pair<Tree, SourceLocation>> ready_;
  std::uint64_t left_out_ = 0;
};

}  // namespace firth::treebank
