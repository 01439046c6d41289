// What a search needs in order to go on after it was interrupted, in memory and in a file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/checkpoint_file.hpp"
#include "base/fingerprint.hpp"
#include "base/message.hpp"
#include "base/ranks.hpp"
#include "cluster/exchange/problem.hpp"
#include "firth/cluster_result.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"
#include "firth/run.hpp"
#include "firth/search_limits.hpp"

namespace firth::exchange {

/// Random numbers, order of units and log of a SearchContext.
struct ContextSnapshot {
  std::array<std::uint64_t, 4> rng = {};
  std::vector<UnitId> order;
  std::vector<std::uint8_t> frozen_for;  ///< may be empty: no unit is frozen
  std::vector<IterationStats> history;
};

/// One search between two of its steps.
struct SearchSnapshot {
  std::uint64_t place = 0;  ///< which of the searches of a run, from 1
  std::uint64_t next = 0;   ///< the next step
  bool finished = false;
  ClassId classes = 0;
  std::uint32_t failures = 0;
  std::int64_t kept_objective = 0;
  std::int64_t parts_objective = 0;  ///< of the better of two parts
  std::vector<ClassId> class_of;
  std::vector<ClassId> kept;   ///< the best partition so far; may be empty
  std::vector<ClassId> known;  ///< classes at a start from given classes; may be empty
  ContextSnapshot context;
};

/// What the snapshots of a run must look like.
struct SearchShape {
  std::size_t units = 0;
  std::size_t words = 0;    ///< that take part
  ClassId classes = 0;      ///< wanted, with that of the line ends
  ClassId max_classes = 0;  ///< during the search
  bool boundary = false;    ///< the last unit is alone in class 0
};

/// Adds counts to what decides a result. Where rank 0 alone has the pairs, its counts are meant.
void add_counts(base::Fingerprint& print, const Counts& counts, const base::Ranks& ranks);
void add_constraints(base::Fingerprint& print, const Constraints& constraints);

/// Throws WorldError if the ranks of the run are not about to do the same work.
void require_same_work(std::uint64_t fingerprint, const base::Ranks& ranks);

/// Where the searches of a run leave their snapshots. May be used from several threads at once. Rank 0 alone reads
/// and writes the file; snapshots that were read are known to all ranks.
class SearchCheckpoint {
 public:
  /// With `resume`, reads the file if it exists. Throws FormatError if it is damaged or belongs to another run.
  SearchCheckpoint(const SearchLimits& limits, std::uint64_t fingerprint, const SearchShape& shape,
                   const base::Ranks& ranks);

  /// Whether a search is to leave snapshots here: with ranks, the first of those that `search` runs on does.
  bool wants_from(const RunOptions& search) const noexcept {
    return file_.is_kept() && base::Ranks(search).is_root();
  }

  /// Keeps a snapshot in place of the one before, and writes the file if it is time; on other ranks than 0, it waits
  /// for collect(). A file that cannot be written does not end the search: report() tells.
  void put(SearchSnapshot snapshot);
  /// Snapshots of finished parts are not needed any more.
  void forget(std::span<const std::uint64_t> places);
  std::optional<SearchSnapshot> find(std::uint64_t place) const;
  /// What other ranks have put and forgotten comes to rank 0; to be called by all of them.
  void collect();

  /// Writes all snapshots, if there are any and they have changed.
  void write();
  /// Warns, once, that the file could not be written.
  void report(const RunOptions& run);

  /// FormatError: the file cannot come from this run.
  [[noreturn]] void damaged() const { file_.damaged(); }

 private:
  void put_locked(SearchSnapshot snapshot);
  void write_locked();
  void read(base::SectionReader& reader);
  void check(const SearchSnapshot& snapshot) const;

  base::Ranks ranks_;
  SearchShape shape_;
  base::CheckpointFile file_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, SearchSnapshot> snapshots_;
  base::MessageWriter outbox_;  ///< on other ranks than 0
  bool changed_ = false;
};

}  // namespace firth::exchange
