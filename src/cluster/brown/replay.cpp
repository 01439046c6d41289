#include "cluster/brown/replay.hpp"

#include <fmt/format.h>

#include "cluster/brown/checkpoint.hpp"
#include "firth/error.hpp"

namespace firth::brown {

void Replay::insert(WindowEngine& engine, WordId word) const {
  if (active())
    engine.replay_insert(word);
  else
    engine.insert(word);
}

void Replay::insert_and_merge(WindowEngine& engine, std::span<const WordId> waiting) const {
  if (!active()) return engine.insert_and_merge(waiting);
  engine.replay_insert(waiting[0]);
  merge(engine);
}

void Replay::merge(MergeEngine& engine) const {
  if (!active()) return engine.merge_best();
  const std::size_t next = recorder_.merges().size();
  const auto [left, right] = merges_[next];
  if (!engine.replay_merge(left, right))
    throw FormatError(path_,
                      fmt::format("merge {} of the checkpoint joins clusters that are not there", next),
                      kCheckpointRemedy);
}

}  // namespace firth::brown
