// The record of a run: merges, and the AMI after every event.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cluster/brown/objective_terms.hpp"
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
  /// `trace_file`: where the table of AMI goes; empty = nowhere.
  Recorder(const ObjectiveTerms& terms, std::uint32_t words, const std::string& trace_file);

  void inserted(const WindowState& state);

  /// Returns the node of the merged cluster.
  std::uint32_t merged(std::uint32_t left, std::uint32_t right, const WindowState& state);

  const std::vector<Merge>& merges() const noexcept { return merges_; }
  std::uint64_t inserted_words() const noexcept { return inserted_; }
  double ami_bits() const noexcept { return ami_bits_; }

  /// Completes the trace file and returns the tree.
  MergeTree finish();

 private:
  void trace(const char* event, const WindowState& state);

  const ObjectiveTerms& terms_;
  std::uint32_t words_;
  std::uint64_t inserted_ = 0;
  double ami_bits_ = 0;
  std::vector<Merge> merges_;
  std::unique_ptr<base::OutputFile> trace_;
};

}  // namespace firth::brown
