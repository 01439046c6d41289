// Messages of all ranks, again and again, in as few calls as possible.
#pragma once

#include <cstddef>
#include <vector>

#include "base/ranks.hpp"

namespace firth::base {

/// Gathers messages that are about as long as those of the time before. Then one call of the world is enough, as a
/// rule, where Ranks::gather_messages() makes two: on a network, a call costs as much as a quarter of a megabyte.
class RepeatedGather {
 public:
  /// What every rank has to say, of any length, by rank.
  std::vector<std::vector<std::byte>> gather(const Ranks& ranks, std::vector<std::byte> own);

 private:
  std::size_t slot_ = 0;  // bytes of a message that every rank sends in the first call, behind its length
};

}  // namespace firth::base
