#include "cluster/exchange/anytime.hpp"

namespace firth::exchange {

SearchEnd::SearchEnd(const RunOptions& run, const std::stop_token& finish, double max_seconds)
    : outer_(run.stop),
      on_stop_(run.stop, Request{&source_}),
      on_finish_(finish, Request{&source_}),
      run_(run) {
  run_.stop = source_.get_token();
  if (max_seconds > 0) {
    deadline_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(max_seconds));
  }
}

void SearchEnd::check_time() noexcept {
  if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) source_.request_stop();
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

double BestPartition::ami_bits() const {
  const std::lock_guard lock(mutex_);
  return ami_bits_;
}

}  // namespace firth::exchange
