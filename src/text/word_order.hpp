// Words in order of their frequency: the order of every vocabulary.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firth/types.hpp"

namespace firth::text {

/// A word on its way into a vocabulary.
struct CountedWord {
  std::string_view word;
  Count count = 0;
};

/// The places of distinct words in `words`, by falling count, then by bytes.
std::vector<std::uint32_t> frequency_order(std::span<const CountedWord> words);

}  // namespace firth::text
