// Merges that a checkpoint knows are repeated without a search; then the search goes on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cluster/brown/recorder.hpp"
#include "cluster/brown/window/window_engine.hpp"

namespace firth::brown {

class Replay {
 public:
  using NodePair = std::pair<std::uint32_t, std::uint32_t>;

  /// `path`: the checkpoint, for messages.
  Replay(const Recorder& recorder, std::string path) : recorder_(recorder), path_(std::move(path)) {}

  void set_merges(std::vector<NodePair> merges) { merges_ = std::move(merges); }

  /// Whether the next merge is known.
  bool active() const { return recorder_.merges().size() < merges_.size(); }

  void insert(WindowEngine& engine, WordId word) const;
  /// The first of the words that wait enters, then two clusters merge.
  void insert_and_merge(WindowEngine& engine, std::span<const WordId> waiting) const;
  /// Throws FormatError if the checkpoint merges clusters that are not there.
  void merge(MergeEngine& engine) const;

 private:
  const Recorder& recorder_;
  std::string path_;
  std::vector<NodePair> merges_;
};

}  // namespace firth::brown
