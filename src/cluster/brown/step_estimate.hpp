// How much of the work is done, in steps that take about the same time, so that the time left can be told
// although frequent words take a thousand times as long as rare ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/memory_plan.hpp"
#include "cluster/brown/recorder.hpp"

namespace firth::brown {

class StepEstimate {
 public:
  StepEstimate(const EngineInput& input, const BrownOptions& options, const EngineSizes& sizes);

  std::uint64_t total() const noexcept { return total_; }

  /// Steps done so far. `order`: all words, those that have entered first.
  std::uint64_t done(const Recorder& recorder, std::span<const WordId> order);

 private:
  void count_neighbours(const EngineInput& input, std::size_t capacity);
  void count_groups(const EngineInput& input, std::uint64_t classes);

  bool by_merges_;                    ///< words that enter together are done one by one, as they merge
  std::vector<std::uint64_t> steps_;  ///< by word
  std::uint64_t first_search_ = 0;    ///< the first search for a pair evaluates them all
  std::uint64_t total_ = 0;
  std::size_t counted_ = 0;  ///< words whose steps are in the sum ...
  std::uint64_t done_ = 0;   ///< ... of those done
};

}  // namespace firth::brown
