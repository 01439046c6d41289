#include "cluster/exchange/anytime.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "base/message.hpp"
#include "firth/error.hpp"

namespace firth::exchange {

SearchEnd::SearchEnd(const RunOptions& run, const std::stop_token& finish, double max_seconds)
    : ranks_(run),
      on_stop_(run.stop, Request{this, kStop}),
      on_finish_(finish, Request{this, kEnd}),
      run_(run) {
  run_.stop = source_.get_token();
  if (max_seconds > 0) {
    deadline_ = started_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(max_seconds));
  }
}

void SearchEnd::ask_for(std::uint64_t wish) noexcept {
  wishes_ |= wish;
  if (ranks_.alone()) source_.request_stop();
}

void SearchEnd::check() noexcept {
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) ask_for(kEnd);
}

double SearchEnd::share_of_time() const noexcept {
  if (!deadline_) return 0;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started_;
  return std::min(1.0, used / std::chrono::duration<double>(*deadline_ - started_));
}

std::uint64_t SearchEnd::wishes() noexcept {
  check();
  return apart_ ? 0 : wishes_.load();
}

void SearchEnd::agreed(std::uint64_t wishes) noexcept {
  wishes_ |= wishes;
  source_.request_stop();
}

void SearchEnd::agree() {
  check();
  if (ranks_.alone() || source_.stop_requested()) return;
  const std::uint64_t wishes = ranks_.any(wishes_);
  if (wishes != 0) agreed(wishes);
}

void SearchEnd::check_complete() {
  if (apart_) {
    check();
  } else {
    agree();
  }
  if (source_.stop_requested() && !ended_early()) throw Cancelled();
}

void BestPartition::offer(const State& state) {
  const std::lock_guard lock(mutex_);
  if (state.classes() < wanted_) return;
  const bool has_wanted = !class_of_.empty() && classes_ == wanted_;
  if (has_wanted && (state.classes() != wanted_ || state.objective() <= objective_)) return;
  classes_ = state.classes();
  class_of_.assign(state.class_of().begin(), state.class_of().end());
  objective_ = state.objective();
  if (classes_ == wanted_) ami_bits_ = state.ami_bits();
}

void BestPartition::agree(const base::Ranks& ranks) {
  if (ranks.alone()) return;
  const std::lock_guard lock(mutex_);
  struct Offer {
    bool any;
    bool wanted;
    std::int64_t objective;
    auto operator<=>(const Offer&) const = default;
  };
  std::vector<Offer> offers(ranks.size());
  offers[ranks.rank()] = {!class_of_.empty(), classes_ == wanted_, objective_};
  ranks.gather(std::span(offers));
  base::MessageWriter writer;
  if (std::ranges::max_element(offers) - offers.begin() == ranks.rank()) {
    writer.put(classes_);
    writer.put(objective_);
    writer.put(ami_bits_);
    writer.put_all(class_of_);
  }
  for (const std::vector<std::byte>& message : ranks.gather_messages(writer.take())) {
    if (message.empty()) continue;
    base::MessageReader reader(message);
    classes_ = reader.get<ClassId>();
    objective_ = reader.get<std::int64_t>();
    ami_bits_ = reader.get<double>();
    reader.get_all(class_of_);
  }
}

double BestPartition::ami_bits() const {
  const std::lock_guard lock(mutex_);
  return ami_bits_;
}

}  // namespace firth::exchange
