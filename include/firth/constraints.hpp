// What is known about words before they are clustered: which belong together, and which do not.
//
//   together  cat dog            # share a class
//   apart     january may        # no two of these share a class
//   seed      colours red green  # are in the class called "colours", and stay there
//   out       <unk>              # take no part
//
// In a program:
//
//   firth::AutoOptions options = {.classes = 200};
//   options.constraints = firth::load_constraints("months.txt");
//   const firth::ClusterResult result = firth::cluster_auto(counts, options, {});
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firth/inputs.hpp"
#include "firth/run.hpp"

namespace firth {

/// One line of a constraints file.
struct Constraint {
  enum class Kind { together, apart, seed, out };
  Kind kind = Kind::together;
  std::string name;                ///< the class of a seed, else empty
  std::vector<std::string> words;  ///< words that are not in the text are ignored
  std::uint64_t line = 0;          ///< its line in the file; 0 = not from a file
};

/// Constraints in the order they were given.
struct Constraints {
  std::string path;  ///< for messages; empty = not from a file
  std::vector<Constraint> items;

  [[nodiscard]] bool empty() const noexcept { return items.empty(); }
};

/// Reads a constraints file: a kind and words separated by white space on every line; `#` at the start of a
/// word begins a comment; a backslash before a word takes it as it is, also if it starts with `#`. Throws
/// InputError with file and line, IoError, Cancelled.
[[nodiscard]] Constraints load_constraints(const Inputs& list, const RunOptions& run = {});

}  // namespace firth
