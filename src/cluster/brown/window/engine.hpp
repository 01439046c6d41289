// The window with its lazy bounds: inserts words, finds the pair of least loss, merges.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cluster/brown/measure.hpp"
#include "cluster/brown/recorder.hpp"
#include "firth/brown.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::brown {

/// What an engine works on; all of it must outlive the engine.
struct EngineInput {
  const Counts& counts;
  const PairCounts& transposed;  ///< of the bigrams
  const Measure& measure;
  std::span<const std::uint32_t> rank;  ///< of every word: breaks ties
};

/// How often the engine did what; for tests of its cost and for tuning.
struct EngineStats {
  std::uint64_t evaluations = 0;  ///< exact losses of pairs
  std::uint64_t scans = 0;        ///< rows of bounds read
  std::uint64_t insertions = 0;   ///< words that became a cluster before they merged
  std::uint64_t rows = 0;         ///< words scored against all clusters
};

/// Hides the type of the counts from the outer loop.
class Engine {
 public:
  virtual ~Engine() = default;

  /// A new cluster with one word. Two clusters that are not citizens may not merge (ALLSAME; in plain Brown
  /// clustering all are).
  virtual void insert(WordId word, bool citizen) = 0;
  virtual void make_all_citizens() = 0;
  /// Merges the pair of least loss.
  virtual void merge_best() = 0;
  /// The first word enters, then the pair of least loss merges; the others will follow one by one.
  virtual void enter_and_merge(std::span<const WordId> words) = 0;

  /// The same without a search, for merges that are known: nodes as the recorder numbers them. After the
  /// last one, bounds start anew.
  virtual void replay_insert(WordId word, bool citizen) = 0;
  virtual void replay_merge(std::uint32_t left, std::uint32_t right) = 0;
  virtual void end_replay() = 0;

  /// Passes all clusters to another engine, which has none; end_replay() must follow there.
  virtual void hand_over(Engine& other) const = 0;
  /// A citizen with these words.
  virtual void adopt(std::span<const WordId> words, std::uint32_t node) = 0;

  /// Number of clusters.
  virtual std::size_t live() const = 0;
  /// Throws std::logic_error if a sum or a search has gone wrong.
  virtual void check() = 0;
  virtual EngineStats stats() const = 0;
};

/// Bytes that an engine for `capacity` clusters takes; `total`: number of bigrams.
std::uint64_t engine_bytes(Count total, std::size_t capacity, std::size_t words);

/// Bytes that come on top if other threads score words ahead of their turn.
std::uint64_t scouts_bytes(Count total, std::size_t capacity, std::size_t words, const RunOptions& run);

struct EngineShape {
  std::size_t capacity = 0;  ///< clusters at most
  bool lookahead = false;    ///< there is memory for other threads to score words ahead of their turn
};

std::unique_ptr<Engine> make_engine(const EngineInput& input, const EngineShape& shape, Recorder& recorder,
                                    const RunOptions& run);

/// The most clusters of the variant ALLSAME.
struct GroupSizes {
  std::size_t citizens = 0;
  std::size_t clusters = 0;  ///< with immigrants
};

/// The same for the variant ALLSAME: immigrants take little memory, and merges of any two citizens are
/// slower.
std::uint64_t group_engine_bytes(Count total, const GroupSizes& sizes, std::size_t words);

std::unique_ptr<Engine> make_group_engine(const EngineInput& input, const GroupSizes& sizes,
                                          Recorder& recorder, const RunOptions& run);

}  // namespace firth::brown
