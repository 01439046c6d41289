// Vectors as they are in a file, before they are in the order of a vocabulary.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "firth/embed.hpp"
#include "firth/run.hpp"

namespace firth::vectors {

/// Words in the order of a file with their rows. Files without counts give falling ones, which keep the
/// order of the file.
struct NamedRows {
  std::string path;
  std::size_t dimensions = 0;
  std::vector<std::pair<std::string, Count>> words;
  std::vector<float> values;
  std::span<const float> mapped = {};  ///< the rows in a file, instead of `values`
  std::shared_ptr<const void> mapped_file = {};

  [[nodiscard]] std::span<const float> numbers() const {
    return mapped.empty() ? std::span<const float>(values) : mapped;
  }
};

/// The rows in the order of the vocabulary. Of a repeated word the first row is kept, with a warning. Throws
/// InputError for a number that is not finite.
WordVectors in_vocabulary_order(NamedRows rows, const RunOptions& run);

}  // namespace firth::vectors
