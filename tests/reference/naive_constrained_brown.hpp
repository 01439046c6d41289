// Brown clustering with line ends and constraints, from the text and the definitions: every candidate's AMI is recomputed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "firth/brown.hpp"

namespace firth::reference {

using Lines = std::vector<std::vector<std::string>>;

/// Words, their pairs within lines, and tokens.
Counts count_lines(const Lines& lines);

struct ConstrainedMerge {
  std::set<std::string> left;  ///< the words of one cluster, and of the other
  std::set<std::string> right;
  double ami_bits = 0;
};

struct ConstrainedBrown {
  std::vector<ConstrainedMerge>
      merges;          ///< between clusters; words that stay together are one from the beginning
  bool stuck = false;  ///< no two clusters may merge, but there are too many
  std::vector<std::set<std::string>> classes;
};

/// All merges down to one cluster; plain and resort only. Few dozen words only.
ConstrainedBrown naive_constrained_brown(const Lines& lines, const BrownOptions& options);

}  // namespace firth::reference
