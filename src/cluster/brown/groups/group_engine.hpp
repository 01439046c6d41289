// The engine of the variant ALLSAME, where words of equal frequency enter together.
//
// A citizen is a cluster that was there before the last group of words entered, or that one of these has
// joined since; an immigrant is a single word of the last group. A merge needs a citizen (Ciosici 2015).
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
class GroupEngine : public MergeEngine {
 public:
  /// All clusters become citizens.
  virtual void promote_all() = 0;
  /// A word becomes an immigrant.
  virtual void insert(WordId word) = 0;
  /// A cluster of another engine becomes a citizen. The recorder knows its words and merges already.
  virtual void add_cluster(const ClusterWords& cluster) = 0;
};

struct GroupShape {
  std::size_t citizens = 0;  ///< largest number
  std::size_t clusters = 0;  ///< largest number of citizens and immigrants
};

/// Bytes that an engine takes; `total`: number of bigrams. Immigrants take little.
std::uint64_t group_engine_bytes(Count total, const GroupShape& shape, std::size_t words);

std::unique_ptr<GroupEngine> make_group_engine(const EngineInput& input, const GroupShape& shape,
                                               Recorder& recorder, const RunOptions& run);

}  // namespace firth::brown
