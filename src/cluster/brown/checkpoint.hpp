// What a killed run needs to go on: the order of the words and the merges so far. Everything else follows
// from them without a search.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/brown/options_names.hpp"
#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"

namespace firth::brown {

/// What to do with a checkpoint that cannot be used.
inline constexpr std::string_view kCheckpointRemedy = "remove the file to start from the beginning";

struct Checkpoint {
  std::vector<WordId> order;                                    ///< all words: those inside, then the others
  std::vector<std::pair<std::uint32_t, std::uint32_t>> merges;  ///< nodes
};

/// A number that differs when counts or options that decide the result differ.
std::uint64_t fingerprint(const Counts& counts, const BrownOptions& options, std::span<const WordId> order);

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint, std::uint64_t fingerprint);

/// Nothing if there is no such file. Throws FormatError if it is damaged or belongs to another run.
std::optional<Checkpoint> load_checkpoint(const std::string& path, std::uint64_t fingerprint);

/// Keeps the checkpoint of a run; does nothing if the options name no file.
class Checkpointer {
 public:
  /// `order`: that of the words at the start.
  Checkpointer(const Counts& counts, const BrownOptions& options, std::span<const WordId> order);

  /// What to continue from, if the options ask for that and there is a file. Throws FormatError.
  std::optional<Checkpoint> load() const;

  /// Whether enough time has passed since the file was written, or the run began.
  bool is_due() const;
  /// A file that cannot be written does not end the run: there is a warning, the first time.
  void save(std::span<const WordId> order, std::span<const TreeMerge> merges, const RunOptions& run);

 private:
  using Clock = std::chrono::steady_clock;

  std::string path_;  ///< empty: no checkpoint
  double seconds_;
  bool resume_;
  std::size_t words_ = 0;  // that the order of a checkpoint must have
  std::uint64_t fingerprint_ = 0;
  Clock::time_point saved_ = Clock::now();
  bool warned_ = false;
};

}  // namespace firth::brown
