// Searches that may end early: when time is up, or somebody asks for what there is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/ranks.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/run.hpp"

namespace firth::exchange {

/// Stops a search by the stop token of its run when somebody asks for its end or its time is up. Ranks agree on
/// it in agree(), or with what they tell each other anyway: none of them stops alone.
class SearchEnd {
 public:
  /// `max_seconds` 0 = no limit.
  SearchEnd(const RunOptions& run, const std::stop_token& finish, double max_seconds);

  /// The options of the run with a stop token that also says when to end early.
  const RunOptions& run() const noexcept { return run_; }

  /// Looks at the clock; to be called now and then by any thread.
  void check() noexcept;

  /// How much of the time is used, from 0 to 1; 0 without a limit.
  double share_of_time() const noexcept;

  /// What this rank wants, for the others, and what any of them wants, at a place where all of them are.
  std::uint64_t wishes() noexcept;
  void agreed(std::uint64_t wishes) noexcept;

  /// Groups of ranks go their own ways: only agree() asks all of them, and wishes() are none.
  void set_apart(bool apart) noexcept { apart_ = apart; }
  /// To be called by all ranks at the same place: all of them stop if one wants it.
  void agree();
  /// The search is complete: throws Cancelled, on all ranks, if one of them has been stopped in the meantime.
  void check_complete();

  /// Whether the work ended early, rather than being stopped altogether.
  bool ended_early() const noexcept { return source_.stop_requested() && (wishes_ & kStop) == 0; }

 private:
  static constexpr std::uint64_t kStop = 1;
  static constexpr std::uint64_t kEnd = 2;
  struct Request {
    SearchEnd* end;
    std::uint64_t wish;
    void operator()() const noexcept { end->ask_for(wish); }
  };

  /// Alone, this stops the search at once.
  void ask_for(std::uint64_t wish) noexcept;

  base::Ranks ranks_;
  std::stop_source source_;
  std::atomic<std::uint64_t> wishes_ = 0;
  std::stop_callback<Request> on_stop_;
  std::stop_callback<Request> on_finish_;
  RunOptions run_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool apart_ = false;
};

/// The best partition with the wanted number of classes that any part of a search has seen. May be used from
/// several threads at once.
class BestPartition {
 public:
  explicit BestPartition(ClassId classes) : wanted_(classes) {}

  /// Partitions with more classes than wanted are kept only until there is one with the wanted number.
  void offer(const State& state);

  /// The best of all ranks, on every rank; to be called by all of them.
  void agree(const base::Ranks& ranks);

  bool empty() const { return class_of_.empty(); }
  ClassId classes() const { return classes_; }
  const std::vector<ClassId>& class_of() const { return class_of_; }
  /// AMI of the best partition with the wanted number of classes, 0 if there is none yet.
  double ami_bits() const;

 private:
  ClassId wanted_;
  mutable std::mutex mutex_;
  ClassId classes_ = 0;
  std::vector<ClassId> class_of_;
  std::int64_t objective_ = 0;
  double ami_bits_ = 0;
};

}  // namespace firth::exchange
