// Several processes that work on one result: on MPI (the command firth-mpi), on threads, or on what you bring.
//
//   firth::run_on_threads(4, [&](firth::World& world) {
//     firth::RunOptions run = {.threads = 1, .seed = 7};
//     run.world = &world;
//     use(firth::cluster_auto(counts, {.classes = 200}, run));  // the same result on every rank
//   });
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace firth {

/// The processes (ranks) of a run. Every call is made by all ranks, in the same order, from the thread that
/// called into the library. Only integers are ever added across ranks: sums of floating-point numbers would
/// depend on how many there are.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  virtual ~World() = default;

  [[nodiscard]] virtual unsigned rank() const noexcept = 0;
  [[nodiscard]] virtual unsigned size() const noexcept = 0;

  /// Rank r has written all[begins[r], begins[r + 1]); afterwards every rank has all of it. `begins` is the same
  /// everywhere and has one entry more than there are ranks.
  virtual void gather(std::span<std::byte> all, std::span<const std::size_t> begins) = 0;

  /// to[r] goes to rank r; the result is what the ranks sent here, by rank. Sizes need not be known.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> exchange(
      std::span<const std::vector<std::byte>> to) = 0;

  /// Every rank gets the sums over all ranks.
  virtual void add(std::span<std::uint64_t> values) = 0;

  /// Every rank gets the bytes of rank `from`.
  virtual void broadcast(std::span<std::byte> bytes, unsigned from) = 0;

  /// The ranks that name the same group, as a world of their own; order is kept.
  [[nodiscard]] virtual std::unique_ptr<World> split(unsigned group) = 0;

  /// Whether every rank holds only its part of the neighbour lists of cluster_auto() and cluster_exchange(). Memory per
  /// rank then falls with the number of ranks, and rank 0 alone needs the pairs of the counts; searches that
  /// would go on at the same time on groups of ranks follow each other. Results are the same. To be set by all ranks
  /// before the first call into the library; false unless set.
  [[nodiscard]] bool shards_lists() const noexcept { return shards_lists_; }
  void shard_lists(bool wanted) noexcept { shards_lists_ = wanted; }

 private:
  bool shards_lists_ = false;
};

/// Calls body(world) on `ranks` threads, each a rank of one world, for tests and for programs without MPI. When a
/// rank throws, the others throw WorldBroken at their next call; the first exception is rethrown.
void run_on_threads(unsigned ranks, const std::function<void(World& world)>& body);

}  // namespace firth
