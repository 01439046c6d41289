// Searches that may end early: when time is up, or somebody asks for what there is.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "cluster/exchange/state.hpp"
#include "firth/run.hpp"

namespace firth::exchange {

/// Stops a search by the stop token of its run when somebody asks for its end or its time is up.
class SearchEnd {
 public:
  /// `max_seconds` 0 = no limit.
  SearchEnd(const RunOptions& run, const std::stop_token& finish, double max_seconds);

  /// The options of the run with a stop token that also says when to end early.
  const RunOptions& run() const noexcept { return run_; }

  /// Looks at the clock; to be called now and then by any thread.
  void check_time() noexcept;

  /// Whether the work ended early, rather than being stopped altogether.
  bool ended_early() const noexcept { return source_.stop_requested() && !outer_.stop_requested(); }

 private:
  struct Request {
    std::stop_source* source;
    void operator()() const noexcept { source->request_stop(); }
  };

  std::stop_source source_;
  std::stop_token outer_;
  std::stop_callback<Request> on_stop_;
  std::stop_callback<Request> on_finish_;
  RunOptions run_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

/// The best partition with the wanted number of classes that any part of a search has seen. May be used from
/// several threads at once.
class BestPartition {
 public:
  explicit BestPartition(ClassId classes) : wanted_(classes) {}

  /// Partitions with more classes than wanted are kept only until there is one with the wanted number.
  void offer(const State& state);

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
