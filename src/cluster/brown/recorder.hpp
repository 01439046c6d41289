// The record of a run: merges, and the AMI after every event.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cluster/brown/objective_terms.hpp"
#include "cluster/brown/options_names.hpp"
#include "firth/clustering.hpp"

namespace firth::brown {

/// The state of the window after an event.
struct WindowState {
  Score objective = 0;
  Count inside = 0;
  std::size_t clusters = 0;
};

class Recorder {
 public:
  using EventSink = std::function<void(const BrownEvent&)>;

  /// `on_event` is told of every event, unless it is empty.
  Recorder(const ObjectiveTerms& terms, std::uint32_t words, EventSink on_event);

  /// The end of a line is inside from the beginning: it takes part in the AMI, but is no word.
  void add_line_end() { inserted_ = line_ends_ = 1; }

  void inserted(const WindowState& state);

  /// Returns the node of the merged cluster.
  std::uint32_t merged(std::uint32_t left, std::uint32_t right, const WindowState& state);

  const std::vector<TreeMerge>& merges() const noexcept { return merges_; }
  /// Words that have entered, and the end of a line if it counts.
  std::uint64_t entered() const noexcept { return inserted_; }
  std::uint64_t inserted_words() const noexcept { return inserted_ - line_ends_; }
  double ami_bits() const noexcept { return ami_bits_; }

  /// The tree of all merges.
  MergeTree finish();

 private:
  void tell(bool merged, const WindowState& state) const;

  const ObjectiveTerms& terms_;
  std::uint32_t words_;
  std::uint64_t inserted_ = 0;
  std::uint64_t line_ends_ = 0;
  double ami_bits_ = 0;
  std::vector<TreeMerge> merges_;
  EventSink on_event_;
};

}  // namespace firth::brown
