#include "cluster/brown/window/search.hpp"

#include <stdexcept>

namespace firth::brown {
namespace {

constexpr std::size_t kFirstRows = 8;     // looked at one by one: they bring the limit down
constexpr std::size_t kRowsOfRound = 64;  // looked at together, before the limit is brought down again
constexpr std::size_t kPairsOfRow = 16;   // from this part of a row on, it may be evaluated as a whole
constexpr std::size_t kPairsForTeam = 4;  // a pair takes a microsecond or two: fewer are not worth sharing

}  // namespace

template <class Cell>
Search<Cell>::Search(const Window<Cell>& window, Bounds& bounds, base::Team& team, const RunOptions& run)
    : window_(window),
      bounds_(bounds),
      team_(team),
      run_(run),
      row_(window.stride()),
      scorer_(window),
      losses_(window.stride()),
      known_(window.stride()),
      round_best_(window.stride()),
      in_round_(window.stride()) {}

/// Whether the least pair of the row is still what it was.
template <class Cell>
bool Search<Cell>::is_known(Slot v) const {
  const Known& known = known_[v];
  return known.best.w != kNoSlot && known.row_state == bounds_.state(v) &&
         known.partner_state == bounds_.state(known.best.w);
}

/// Whether the row may have a better pair. Of many pairs that lose the same, one whose first cluster ranks
/// first wins: the row of that cluster will do.
template <class Cell>
bool Search<Cell>::may_beat(Slot v, const Candidate& best) const {
  const Known& known = known_[v];
  if (known.best.w == kNoSlot || known.row_state != bounds_.state(v)) return true;
  return known.best.loss < best.loss || (known.best.loss == best.loss && window_.rank(v) <= best.first);
}

/// All pairs of the row with bounds up to `limit` have been evaluated.
template <class Cell>
void Search<Cell>::learn(Slot v, Bound limit) {
  const Candidate& best = round_best_[v];
  if (best.w == kNoSlot || bounds_.units(best.loss) > limit) return;
  known_[v] = {best, bounds_.state(v), bounds_.state(best.w)};
}

/// A pair of a row has been evaluated because the other row has changed.
template <class Cell>
void Search<Cell>::learn_pair(const Candidate& pair) {
  Known& known = known_[pair.v];
  if (known.best.w == kNoSlot || known.row_state != bounds_.state(pair.v)) return;
  if (pair.loss < known.best.loss || (is_known(pair.v) && pair < known.best))
    known = {pair, bounds_.state(pair.v), bounds_.state(pair.w)};
}

template <class Cell>
void Search<Cell>::list_pairs(std::span<const std::uint32_t> rows, Bound limit) {
  const std::span<Bound> row(row_.data(), window_.lanes());
  pairs_.clear();
  row_pairs_.clear();
  for (const Slot v : rows) {
    bounds_.read(v, row);
    lanes_.clear();
    collect(row, limit, lanes_);
    if (lanes_.empty()) {
      // Nothing will change in this row: take its bounds over while they are at hand.
      bounds_.finish(v, row);
      in_round_[v] = 0;
      continue;
    }
    if (lanes_.size() > window_.lanes() / kPairsOfRow &&
        is_short(window_.after_fill(v) + window_.before_fill(v))) {
      evaluate_row(v, limit);
      continue;
    }
    for (const Slot w : lanes_)
      if (in_round_[w] == 0 || w > v) pairs_.push_back({v, w, 0});  // else its own row does it
  }
}

// Context by context.
template <class Cell>
std::span<const Score> Search<Cell>::row_losses(Slot v) {
  const std::span<Score> losses(losses_.data(), window_.lanes());
  std::fill(losses.begin(), losses.end(), 0);
  window_.list_meetings(v, meetings_);
  scorer_.add_contexts(meetings_, losses);
  for (Slot w = 0; w < losses.size(); ++w)
    if (window_.is_live(w) && w != v) losses[w] += window_.own_loss(v, w);
  evaluations_ += window_.live() - 1;
  return losses;
}

template <class Cell>
void Search<Cell>::evaluate_row(Slot v, Bound limit) {
  const std::span<const Score> losses = row_losses(v);
  for (Slot w = 0; w < losses.size(); ++w) {
    if (row_[w] == Bounds::kNever) continue;
    bounds_.set_pair(v, w, losses[w]);
    if (bounds_.units(losses[w]) <= limit) row_pairs_.push_back({v, w, losses[w]});
  }
}

template <class Cell>
void Search<Cell>::evaluate_pairs() {
  evaluations_ += pairs_.size();
  const auto evaluate = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pairs_[i].loss = window_.loss(pairs_[i].v, pairs_[i].w);
  };
  if (pairs_.size() < kPairsForTeam || team_.size() == 1) return evaluate(0, pairs_.size());
  const std::size_t pieces = std::min<std::size_t>(pairs_.size(), team_.size() * std::size_t{16});
  team_.share(pieces, [&](unsigned, std::size_t i) {
    evaluate(i * pairs_.size() / pieces, (i + 1) * pairs_.size() / pieces);
  });
}

template <class Cell>
Candidate Search<Cell>::visit(std::span<const std::uint32_t> rows, Candidate best) {
  for (const Slot v : rows) {
    in_round_[v] = 1;
    round_best_[v] = {};
  }
  // Bounds just above the limit would fall below it soon: evaluating them now saves looking at their rows
  // again.
  const Bound limit = bounds_.units(best.loss) + typical_ / 16;
  list_pairs(rows, limit);
  evaluate_pairs();
  for (const auto& [v, w, loss] : pairs_) bounds_.set_pair(v, w, loss);
  pairs_.insert(pairs_.end(), row_pairs_.begin(), row_pairs_.end());
  for (const auto& [v, w, loss] : pairs_) {
    const Candidate pair = Candidate::of(loss, v, window_.rank(v), w, window_.rank(w));
    best = std::min(best, pair);
    round_best_[v] = std::min(round_best_[v], pair);
    const Candidate reverse = Candidate::of(loss, w, window_.rank(w), v, window_.rank(v));
    if (in_round_[w] != 0)
      round_best_[w] = std::min(round_best_[w], reverse);
    else
      learn_pair(reverse);
    typical_ += (bounds_.units(loss) - typical_) / 64;
  }
  for (const Slot v : rows) {
    if (in_round_[v] == 0) continue;
    bounds_.finish(v);
    learn(v, limit);
    in_round_[v] = 0;
  }
  scans_ += rows.size();
  run_.check_stop();
  return best;
}

/// The least of the rows that are known; the covers of all others are pending.
template <class Cell>
Candidate Search<Cell>::known_pairs() {
  Candidate best;
  pending_.assign(bounds_.covers().begin(), bounds_.covers().end());
  for (Slot v = 0; v < pending_.size(); ++v) {
    if (!is_known(v)) continue;
    pending_[v] = Bounds::kNever;
    best = std::min(best, known_[v].best);
  }
  return best;
}

/// The least of the most promising rows that are pending, at most `best`.
template <class Cell>
Candidate Search<Cell>::first_pairs(Candidate best) {
  const std::span<Bound> row(row_.data(), window_.lanes());
  for (std::size_t round = 0; round < kFirstRows; ++round) {
    const Bound least = smallest(std::span<const Bound>(pending_));
    if (least == Bounds::kNever || least > bounds_.units(best.loss)) break;
    const auto v = static_cast<Slot>(std::find(pending_.begin(), pending_.end(), least) - pending_.begin());
    pending_[v] = Bounds::kNever;
    if (!may_beat(v, best)) continue;
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
  Candidate best = first_pairs(known_pairs());
  rows_.clear();
  collect(pending_, bounds_.units(best.loss), rows_);
  std::vector<std::uint32_t> round;
  for (std::size_t i = 0; i < rows_.size();) {
    round.clear();
    for (; i < rows_.size() && round.size() < kRowsOfRound; ++i)
      if (bounds_.covers()[rows_[i]] <= bounds_.units(best.loss) && may_beat(rows_[i], best))
        round.push_back(rows_[i]);
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
  std::erase_if(rows_, [&](Slot v) { return !may_beat(v, rival); });
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

template <class Cell>
void Search<Cell>::check() {
  Candidate best;
  for (Slot v = 0; v < window_.used(); ++v)
    for (Slot w = 0; w < v; ++w) {
      if (!window_.is_live(v) || !window_.is_live(w)) continue;
      best = std::min(best, Candidate::of(window_.loss(v, w), v, window_.rank(v), w, window_.rank(w)));
    }
  const Candidate found = least();
  if (found < best || best < found)
    throw std::logic_error("Brown clustering: the pair that was found is not the least");
}

template class Search<std::uint32_t>;
template class Search<std::uint64_t>;

}  // namespace firth::brown
