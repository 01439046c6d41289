// What the units of a batch want, and how ranks tell each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ranks.hpp"
#include "cluster/exchange/cut_units.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"
#include "cluster/exchange/work.hpp"

namespace firth::exchange {

/// What one unit of a batch wants.
struct Proposal {
  ClassId target;
  float gain;    // by the scores at the start of the batch
  float margin;  // by which the unit's class is better than the best other
};

/// A batch, as far as its proposals depend on it.
struct BatchView {
  std::span<const UnitId> units;
  std::span<const ClassId> class_of;
  ClassId classes;
  bool heated;          // whether gains matter
  float freeze_margin;  // margins matter only if they are beyond
};

/// What is known of a batch: at first what was found here, later what all ranks have found.
struct Findings {
  std::span<Proposal> proposals;                  ///< by place
  std::vector<std::vector<PieceScores>>& pieces;  ///< by rank, as in its shares
};

/// How ranks tell each other, batch after batch.
class ProposalGather {
 public:
  /// Every rank has made the proposals of its places of the batch, and scored its pieces; afterwards all have all. As a rule
  /// one call of the world is enough: most of it takes a fixed number of bytes. Bits of the ranks go with them; those that
  /// any rank has set are returned.
  std::uint64_t gather(const base::Ranks& ranks, const Shares& shares, const BatchView& batch,
                       std::uint64_t bits, const Findings& findings);

 private:
  void gather_near(const base::Ranks& ranks, std::span<const std::byte> all,
                   std::span<const std::size_t> begins, std::vector<std::byte> own,
                   std::vector<std::vector<PieceScores>>& pieces);

  static constexpr std::size_t kMinRoom = 256;
  std::size_t room_ = kMinRoom;  // bytes that every rank has for what has no fixed size
};

}  // namespace firth::exchange
