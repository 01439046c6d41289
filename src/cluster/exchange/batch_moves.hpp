// The moves that the units of a batch want to make, with contexts that keep up with each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/message.hpp"
#include "base/ranks.hpp"
#include "base/repeated_gather.hpp"
#include "base/worker_team.hpp"
#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/state.hpp"

namespace firth::exchange {

/// A unit of the batch that moves earlier, and how often it is a neighbour.
struct PlaceLink {
  std::uint32_t place;  // in the batch
  std::uint32_t count;
};

/// What the units of a batch have around them when they move, which is after others of the same batch.
///
/// Where all lists are here, contexts are collected when they are asked for. Where they are on other ranks, the rank that
/// scores a unit collects its contexts from the state at the start of the batch, and sends them. What a unit has
/// around it later is what it had then, but for those of its neighbours that have moved in between: all sums are of
/// integers, so nothing is lost against collecting again.
class BatchMoves {
 public:
  /// A batch begins. With `saves`, contexts are those that were proposed.
  void begin(const State& state, std::span<const UnitId> batch, bool saves);

  /// The unit at place i of the batch wants to move; `contexts` are those of the state now. Different places
  /// may be written by different threads at the same time. Of use only with `saves`.
  void propose(std::size_t i, const Contexts& contexts);

  bool proposed(std::size_t i) const { return entries_[i].proposed; }
  /// What was proposed at place i, for other ranks.
  void write(std::size_t i, base::MessageWriter& writer) const;
  void read(std::size_t i, base::MessageReader& reader);

  /// Places of a batch, by rank.
  using RankPlaces = std::span<const std::vector<std::size_t>>;

  /// After the last proposal, with `saves`: finds out which proposed units are neighbours. Each rank looks at its
  /// own places and tells the others.
  void link(const base::Crew& crew, RankPlaces places);

  /// Contexts of the unit at place i, after those moves of the places before it that were made.
  void load(std::size_t i, Contexts& contexts) const;

  /// The next moves are made together: from now on, find_links() looks for neighbours among these places, which rise.
  void begin_group(std::span<const std::size_t> places);
  /// Adds those places of the group before i whose units are neighbours of the unit at place i, first those to its
  /// right; returns where those to its left begin.
  std::size_t find_links(std::size_t i, std::vector<PlaceLink>& links) const;

  /// The unit at place i has moved.
  void moved(std::size_t i, ClassId from, ClassId to);
  /// It has not, after all.
  void stayed(std::size_t i) { entries_[i].moved = false; }
  /// Brings contexts up to date if the unit that is linked has moved.
  void follow(const PlaceLink& link, std::vector<Context>& contexts) const;

 private:
  /// One side of a proposed unit.
  struct Saved {
    std::vector<Context> contexts;
    std::vector<PlaceLink> links;
  };
  struct SavedSides {
    Saved right;
    Saved left;
  };
  struct PlaceOfUnit {
    UnitId unit;
    std::uint32_t place;
  };
  struct Entry {
    bool proposed = false;
    bool moved = false;
    ClassId from = 0;
    ClassId to = 0;
  };

  void set_proposed(std::size_t i);
  void add_links(std::size_t i, const Neighbours& neighbours, std::vector<PlaceLink>& links) const;
  void find_in_lists(std::size_t i, const Neighbours& neighbours, std::vector<PlaceLink>& links) const;
  void find_in_saved(const Saved& saved, std::vector<PlaceLink>& links) const;
  void load_side(const Saved& saved, ContextList& contexts) const;
  void share_links(const base::Ranks& ranks, RankPlaces places);

  const State* state_ = nullptr;
  std::vector<UnitId> batch_;
  bool saves_ = false;
  std::vector<Entry> entries_;         // by place
  std::vector<SavedSides> saved_;      // by place; more than there are places where a larger batch was before
  std::vector<std::uint32_t> places_;  // with saves, by unit: its place and 1, or 0 if it is not proposed
  std::size_t group_begin_ = 0;        // the first place of the group
  std::vector<std::uint64_t> marks_;   // a bit for each unit: in the group
  std::vector<PlaceOfUnit> group_;     // by unit
  base::RepeatedGather link_gather_;
};

}  // namespace firth::exchange
