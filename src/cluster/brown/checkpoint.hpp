// What a killed run needs to go on: the order of the words and the merges so far. Everything else follows
// from them without a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "firth/brown.hpp"
#include "firth/counts.hpp"

namespace firth::brown {

struct Checkpoint {
  std::vector<WordId> order;                                    ///< all words: those inside, then the others
  std::vector<std::pair<std::uint32_t, std::uint32_t>> merges;  ///< nodes
};

/// A number that differs when counts or options that decide the result differ.
std::uint64_t fingerprint(const Counts& counts, const BrownOptions& options,
                          const std::vector<WordId>& order);

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint, std::uint64_t fingerprint);

/// Nothing if there is no such file. Throws FormatError if it is damaged or belongs to another run.
std::optional<Checkpoint> load_checkpoint(const std::string& path, std::uint64_t fingerprint);

}  // namespace firth::brown
