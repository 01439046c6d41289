#include "cluster/brown/search.hpp"

#include <atomic>

namespace firth::brown {
namespace {

constexpr std::size_t kFirstRows = 8;     // looked at one by one: they bring the limit down
constexpr std::size_t kRowsOfRound = 64;  // looked at together, before the limit is brought down again
constexpr std::size_t kRowsForTeam = 4;   // fewer are not worth waking anybody

}  // namespace

template <class Cell>
Search<Cell>::Search(const Window<Cell>& window, Bounds& bounds, base::Team& team, const RunOptions& run)
    : window_(window),
      bounds_(bounds),
      team_(team),
      run_(run),
      workers_(team.size()),
      in_round_(window.stride()) {
  for (Worker& worker : workers_) worker.row.resize(window.stride());
}

template <class Cell>
void Search<Cell>::visit_row(Worker& worker, Slot v, Bound limit) const {
  const std::span<Bound> row(worker.row.data(), window_.lanes());
  bounds_.read(v, row);
  worker.lanes.clear();
  collect(row, limit, worker.lanes);
  for (const Slot w : worker.lanes) {
    if (in_round_[w] != 0 && w < v) continue;  // its own row does it
    worker.evaluated.push_back({v, w, window_.loss(v, w)});
  }
}

template <class Cell>
Candidate Search<Cell>::visit(std::span<const std::uint32_t> rows, Candidate best) {
  for (const Slot v : rows) in_round_[v] = 1;
  // Bounds just above the limit would fall below it soon: evaluating them now saves looking at their rows
  // again.
  const Bound limit = bounds_.units(best.loss) + typical_ / 16;
  if (rows.size() < kRowsForTeam || team_.size() == 1) {
    for (const Slot v : rows) {
      visit_row(workers_[0], v, limit);
      if (!workers_[0].lanes.empty()) continue;
      // Nothing will change in this row: take its bounds over while they are at hand.
      bounds_.finish(v, {workers_[0].row.data(), window_.lanes()});
      in_round_[v] = 0;
    }
  } else {
    std::atomic<std::size_t> next{0};
    team_.run([&](unsigned thread) {
      for (std::size_t i = next++; i < rows.size(); i = next++) visit_row(workers_[thread], rows[i], limit);
    });
  }
  for (Worker& worker : workers_) {
    for (const auto& [v, w, loss] : worker.evaluated) {
      bounds_.set_pair(v, w, loss);
      best = std::min(best, Candidate::of(loss, v, window_.rank(v), w, window_.rank(w)));
      typical_ += (bounds_.units(loss) - typical_) / 64;
    }
    evaluations_ += worker.evaluated.size();
    worker.evaluated.clear();
  }
  for (const Slot v : rows) {
    if (in_round_[v] == 0) continue;
    bounds_.finish(v);
    in_round_[v] = 0;
  }
  scans_ += rows.size();
  run_.check_stop();
  return best;
}

template <class Cell>
Candidate Search<Cell>::first_pairs() {
  Candidate best;
  pending_.assign(bounds_.covers().begin(), bounds_.covers().end());
  const std::span<Bound> row(workers_[0].row.data(), window_.lanes());
  for (std::size_t round = 0; round < kFirstRows; ++round) {
    const Bound least = smallest(std::span<const Bound>(pending_));
    if (least == Bounds::kNever || least > bounds_.units(best.loss)) break;
    const auto v = static_cast<Slot>(std::find(pending_.begin(), pending_.end(), least) - pending_.begin());
    pending_[v] = Bounds::kNever;
    bounds_.read(v, row);
    const Bound first = smallest(std::span<const Bound>(row));
    if (first == Bounds::kNever) continue;
    const auto w = static_cast<Slot>(std::find(row.begin(), row.end(), first) - row.begin());
    const Score loss = window_.loss(v, w);
    ++evaluations_;
    bounds_.set_pair(v, w, loss);
    best = std::min(best, Candidate::of(loss, v, window_.rank(v), w, window_.rank(w)));
    best = visit(std::span(&v, 1), best);
  }
  return best;
}

template <class Cell>
Candidate Search<Cell>::least() {
  Candidate best = first_pairs();
  rows_.clear();
  collect(bounds_.covers(), bounds_.units(best.loss), rows_);
  std::vector<std::uint32_t> round;
  for (std::size_t i = 0; i < rows_.size();) {
    round.clear();
    for (; i < rows_.size() && round.size() < kRowsOfRound; ++i)
      if (bounds_.covers()[rows_[i]] <= bounds_.units(best.loss)) round.push_back(rows_[i]);
    best = visit(round, best);
  }
  return best;
}

template <class Cell>
bool Search<Cell>::any_at_most(Score loss) {
  Candidate rival;
  rival.loss = loss;
  rows_.clear();
  collect(bounds_.covers(), bounds_.units(loss), rows_);
  for (std::size_t i = 0; i < rows_.size(); i += kRowsOfRound) {
    const std::size_t size = std::min(kRowsOfRound, rows_.size() - i);
    if (visit(std::span(rows_).subspan(i, size), rival).v != kNoSlot) return true;
  }
  return false;
}

template <class Cell>
void Search<Cell>::add_to(EngineStats& stats) const {
  stats.evaluations += evaluations_;
  stats.scans += scans_;
}

template class Search<std::uint32_t>;
template class Search<std::uint64_t>;

}  // namespace firth::brown
