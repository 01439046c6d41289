// The moves that the units of a batch want to make, with contexts that keep up with each other.
#pragma once

#include <cstdint>
#include <vector>

#include "base/message.hpp"
#include "base/ranks.hpp"
#include "base/repeated_gather.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// All threads collect the contexts of units from the state at the start of the batch. Moves are then made one
/// after the other; what a unit has around it by then is what it had, but for those of its neighbours that
/// have moved in between: all sums are of integers, so nothing is lost against collecting again.
class BatchMoves {
 public:
  /// A batch of `size` units begins.
  void begin(const Problem& problem, std::size_t size);

  /// The unit at place i of the batch wants to move; `contexts` are those of the state now. Different places
  /// may be written by different threads at the same time.
  void propose(std::size_t i, UnitId unit, const Contexts& contexts);

  bool proposed(std::size_t i) const { return entries_[i].proposed; }
  /// What was proposed at place i, for other ranks.
  void write(std::size_t i, base::MessageWriter& writer) const;
  void read(std::size_t i, UnitId unit, base::MessageReader& reader);

  /// Places of a batch, by rank.
  using RankPlaces = std::span<const std::vector<std::size_t>>;

  /// After the last proposal: finds out which proposed units are neighbours. Each rank looks at its own places
  /// and tells the others.
  void link(const base::Crew& crew, RankPlaces places);

  /// Contexts of the unit at place i, after those moves of the places before it that were made.
  void load(std::size_t i, Contexts& contexts) const;

  /// The unit at place i has moved.
  void moved(std::size_t i, ClassId from, ClassId to);
  /// It has not, after all.
  void stayed(std::size_t i) { entries_[i].moved = false; }

 private:
  /// A unit that is proposed earlier in the batch and a neighbour.
  struct Link {
    std::uint32_t place;
    std::uint32_t count;
  };
  /// One side of a proposed unit.
  struct Saved {
    std::vector<Context> contexts;
    std::vector<Link> links;
  };
  struct Entry {
    UnitId unit = 0;
    bool proposed = false;
    bool moved = false;
    ClassId from = 0;
    ClassId to = 0;
    Saved right;
    Saved left;
  };

  void add_links(std::size_t i, const Neighbours& neighbours, std::vector<Link>& links) const;
  void load_side(const Saved& saved, ContextList& contexts) const;
  void share_links(const base::Ranks& ranks, RankPlaces places);

  const Problem* problem_ = nullptr;
  std::size_t size_ = 0;
  std::vector<Entry> entries_;         // by place; more than size_ where a larger batch was before
  std::vector<std::uint32_t> places_;  // by unit: its place and 1, or 0 if it is not proposed
  base::RepeatedGather link_gather_;
};

}  // namespace firth::exchange
