// The engine whose clusters may all merge with each other: words enter one by one, lazy bounds find the pair
// of least loss.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/merge_engine.hpp"
#include "cluster/brown/recorder.hpp"
#include "firth/run.hpp"

namespace firth::brown {

/// Hides the type of the counts.
class WindowEngine : public MergeEngine {
 public:
  /// A new cluster with one word.
  virtual void insert(WordId word) = 0;
  /// The first word enters, then the pair of least loss merges; the others will follow one by one.
  virtual void insert_and_merge(std::span<const WordId> words) = 0;
  /// insert() for a merge that is known: bounds start anew when the next search begins.
  virtual void replay_insert(WordId word) = 0;
  /// A cluster of another engine. The recorder knows its words and merges already.
  virtual void add_cluster(const ClusterWords& cluster) = 0;
  /// Words need not stay apart any longer.
  virtual void open_all() = 0;
};

struct WindowShape {
  std::size_t capacity = 0;  ///< largest number of clusters
  bool lookahead = false;    ///< there is memory for other threads to score words ahead of their turn
};

/// Bytes that an engine for `capacity` clusters takes; `total`: number of bigrams.
std::uint64_t window_engine_bytes(Count total, std::size_t capacity, std::size_t words);

/// Bytes that lookahead takes in addition; it is left out if they are more than max_lookahead_bytes().
std::uint64_t lookahead_bytes(Count total, std::size_t capacity, std::size_t words, unsigned threads);
constexpr std::uint64_t max_lookahead_bytes() {
  return std::uint64_t{512} << 20;
}

std::unique_ptr<WindowEngine> make_window_engine(const EngineInput& input, const WindowShape& shape,
                                                 Recorder& recorder, const RunOptions& run);

}  // namespace firth::brown
