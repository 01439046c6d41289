#include "base/string_table.hpp"

#include <algorithm>

namespace firth::base {

bool are_offsets(std::span<const std::uint64_t> offsets, std::size_t bytes) {
  return !offsets.empty() && offsets.front() == 0 && offsets.back() == bytes &&
         std::is_sorted(offsets.begin(), offsets.end());
}

}  // namespace firth::base
