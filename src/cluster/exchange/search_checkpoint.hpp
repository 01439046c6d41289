// What a search needs in order to go on after it was interrupted, in memory and in a file.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cluster/exchange/problem.hpp"
#include "firth/cluster_result.hpp"
#include "firth/constraints.hpp"
#include "firth/counts.hpp"

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
  std::vector<ClassId> class_of;
  std::vector<ClassId> kept;        ///< the best partition so far; may be empty
  std::vector<ClassId> known;       ///< classes at a start from given classes; may be empty ...
  std::vector<ClassId> kept_known;  ///< ... and those of the start of the best partition so far
  ContextSnapshot context;
};

/// Tells runs apart: everything that decides a result is added, one after the other.
class Fingerprint {
 public:
  Fingerprint& add(std::span<const std::byte> bytes);
  Fingerprint& add(std::uint64_t value);
  Fingerprint& add(double value);
  Fingerprint& add(const std::string& text);
  Fingerprint& add(const Counts& counts);
  Fingerprint& add(const Constraints& constraints);
  template <typename T>
  Fingerprint& add_all(std::span<const T> values) {
    return add(std::as_bytes(values));
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// Where the searches of a run leave their snapshots. May be used from several threads at once.
class SearchCheckpoint {
 public:
  struct Options {
    std::string path;    ///< empty = snapshots are not kept at all
    double seconds = 1;  ///< between two writes, at least
    bool resume = false;
  };

  /// With `resume`, reads the file if it exists. Throws FormatError if it is damaged or belongs to another run.
  SearchCheckpoint(Options options, std::uint64_t fingerprint, std::size_t units);

  bool enabled() const noexcept { return !options_.path.empty(); }

  /// Keeps a snapshot in place of the one before, and writes the file if it is time. Throws IoError.
  void put(SearchSnapshot snapshot);
  /// Snapshots of finished parts are not needed any more.
  void forget(std::span<const std::uint64_t> places);
  std::optional<SearchSnapshot> find(std::uint64_t place) const;

  /// Writes all snapshots, if there are any and they have changed. Throws IoError.
  void write();

 private:
  void write_locked();
  void read();
  void check(const SearchSnapshot& snapshot) const;

  Options options_;
  std::uint64_t fingerprint_;
  std::size_t units_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, SearchSnapshot> snapshots_;
  bool changed_ = false;
  std::chrono::steady_clock::time_point last_write_ = std::chrono::steady_clock::now();
};

}  // namespace firth::exchange
