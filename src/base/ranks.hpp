// Loops whose results every rank needs: each rank computes a part, threads share that part, and all get all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/worker_team.hpp"
#include "firth/run.hpp"
#include "firth/world.hpp"

namespace firth::base {

/// A part of a range.
struct Share {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const noexcept { return end - begin; }
};

/// The ranks of a run as loops see them; without a world, one rank that has all the work. Cheap to copy.
class Ranks {
 public:
  explicit Ranks(World* world = nullptr) : world_(world) {}
  explicit Ranks(const RunOptions& run) : world_(run.world) {}

  bool alone() const noexcept { return size() == 1; }
  unsigned rank() const noexcept { return world_ == nullptr ? 0 : world_->rank(); }
  unsigned size() const noexcept { return world_ == nullptr ? 1 : world_->size(); }
  /// Rank 0 reads inputs and writes outputs.
  bool is_root() const noexcept { return rank() == 0; }
  World& world() const noexcept { return *world_; }
  /// Whether a rank holds only its part of the neighbour lists (World::shard_lists).
  bool shard_lists() const noexcept { return !alone() && world_->shards_lists(); }

  /// The part of [0, size) that falls to a rank: equal parts, one after the other.
  Share share(std::size_t size, unsigned rank) const noexcept {
    return {size * rank / this->size(), size * (rank + 1) / this->size()};
  }
  Share share(std::size_t size) const noexcept { return share(size, rank()); }

  /// Every rank has written its share of `all`, in units of `width` elements; afterwards every rank has all.
  template <typename T>
  void gather(std::span<T> all, std::size_t width = 1) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (alone()) return;
    std::vector<std::size_t> begins;
    for (unsigned r = 0; r < size(); ++r) {
      begins.push_back(share(all.size() / width, r).begin * width * sizeof(T));
    }
    begins.push_back(all.size_bytes());
    world_->gather(std::as_writable_bytes(all), begins);
  }

  /// What every rank has to say, of any length, by rank.
  std::vector<std::vector<std::byte>> gather_messages(std::vector<std::byte> own) const;

  /// Rank 0's bytes, of any length.
  void broadcast(std::vector<std::byte>& bytes) const;

  /// Rank 0's numbers; the others have as many.
  template <typename T>
  void broadcast_all(std::span<T> values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!alone()) world_->broadcast(std::as_writable_bytes(values), 0);
  }

  void add(std::span<std::uint64_t> values) const {
    if (!alone()) world_->add(values);
  }

  /// Bits that any rank has set.
  std::uint64_t any(std::uint64_t bits) const;

  /// Throws WorldError on every rank if the values of the ranks differ.
  void require_same(std::uint64_t value, std::string_view problem, std::string_view hint) const;

 private:
  World* world_;
};

/// Who works on a loop: the threads of this rank, and the other ranks.
struct Crew {
  WorkerTeam& team;
  Ranks ranks;

  /// Calls body(worker, i) for i in [0, out.size() / width), which writes out[i * width, (i + 1) * width): ranks
  /// share the range, threads of a rank its part. Afterwards all of `out` is there on every rank. With one
  /// rank, this is WorkerTeam::run.
  template <typename T, typename Body>
  void compute(std::span<T> out, std::size_t width, const Body& body) const {
    const Share own = ranks.share(out.size() / width);
    team.run(own.size(), 1, [&](unsigned worker, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) body(worker, own.begin + i);
    });
    ranks.gather(out, width);
  }
};

}  // namespace firth::base
