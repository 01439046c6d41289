// Which word enters when: one class for each variant.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cluster/brown/engine_input.hpp"
#include "cluster/brown/memory_plan.hpp"
#include "cluster/brown/options_names.hpp"
#include "cluster/brown/recorder.hpp"
#include "cluster/brown/replay.hpp"
#include "firth/run.hpp"

namespace firth::brown {

/// What a plan works with; all of it must outlive the plan.
struct EntryContext {
  const EngineInput& input;
  const BrownOptions& options;
  const RunOptions& run;
  std::vector<WordId>& order;  ///< all words; those that have entered come first
  Recorder& recorder;
  const Replay& replay;

  /// The words that have not entered yet.
  std::span<WordId> waiting() const { return std::span(order).subspan(recorder.entered()); }
};

class EntryPlan {
 public:
  virtual ~EntryPlan() = default;

  /// Words enter until there are more clusters than may stay, then two of them merge. False, and nothing
  /// merged, when all words are in and no more than the window holds are left.
  virtual bool step() = 0;

  /// The engine at work.
  virtual MergeEngine& engine() = 0;

  /// After the last step: the engine for the merges above the classes.
  virtual WindowEngine& finish() = 0;
};

/// One by one, in the order given.
std::unique_ptr<EntryPlan> make_plain_entry(const EntryContext& context, const EngineSizes& sizes);

/// One by one; the words that wait are sorted again and again (Ciosici 2015, Algorithm 2).
std::unique_ptr<EntryPlan> make_resorted_entry(const EntryContext& context, const EngineSizes& sizes);

/// Words of equal frequency together (Ciosici 2015, Algorithms 3 to 5, with the limits as DECISIONS.md reads
/// them).
std::unique_ptr<EntryPlan> make_grouped_entry(const EntryContext& context, const EngineSizes& sizes);

}  // namespace firth::brown
