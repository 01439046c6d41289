// Words that are written as numbers, and their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firth/run.hpp"

namespace firth::text {

/// The words that ids stand for: lines of a vocabulary file, from 0, up to a tab; or decimal numbers.
class IdNames {
 public:
  /// Decimal numbers.
  IdNames() = default;
  /// Reads the file. Throws InputError for a name that comes twice, IoError, Cancelled.
  IdNames(const std::string& path, const RunOptions& run);

  /// Number of names; 0 where words are numbers.
  std::size_t size() const { return names_.size(); }
  /// What is wrong with an id; empty = nothing.
  std::string problem_of(std::uint32_t id) const;
  /// The word; lives in `buffer` or in this object.
  std::string_view word(std::uint32_t id, std::string& buffer) const;

 private:
  std::string path_;
  std::vector<std::string> names_;
};

}  // namespace firth::text
