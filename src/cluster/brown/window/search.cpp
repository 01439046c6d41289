#include "cluster/brown/window/search.hpp"

#include <algorithm>
#include <stdexcept>

namespace firth::brown {
namespace {

constexpr std::size_t kFirstRows = 8;        // read one by one: they bring the limit down
constexpr std::size_t kRowsPerRound = 64;    // read together, before the limit is brought down again
constexpr std::size_t kPartOfRow = 16;       // from this part of a row on, it may be evaluated as a whole
constexpr std::size_t kMinPairsForTeam = 4;  // a pair takes a microsecond or two: fewer are not worth sharing

}  // namespace

template <class Cell>
Search<Cell>::Search(BoundedWindow<Cell>& clusters, base::Team& team, const RunOptions& run)
    : window_(clusters.window()),
      bounds_(clusters.bounds()),
      team_(team),
      run_(run),
      scorer_(clusters.scorer()),
      known_(bounds_, window_.stride()),
      round_(window_.stride()),
      row_(window_.stride()) {}

template <class Cell>
void Search<Cell>::list_pairs(std::span<const std::uint32_t> rows, Bound limit) {
  const std::span<Bound> row(row_.data(), window_.lanes());
  round_.pairs.clear();
  round_.row_pairs.clear();
  for (const Slot v : rows) {
    bounds_.read(v, row);
    lanes_.clear();
    collect(row, limit, lanes_);
    if (lanes_.empty()) {
      // Nothing will change in this row: its bounds are used while they are at hand.
      bounds_.finish(v, row);
      round_.contains[v] = 0;
      continue;
    }
    const std::size_t neighbours = window_.cells().after_fill(v) + window_.cells().before_fill(v);
    if (lanes_.size() > window_.lanes() / kPartOfRow && scorer_.is_worth_it(neighbours)) {
      evaluate_row(v, limit);
      continue;
    }
    for (const Slot w : lanes_)
      if (round_.contains[w] == 0 || w > v) round_.pairs.push_back({v, w, 0});  // else its own row does it
  }
}

template <class Cell>
void Search<Cell>::evaluate_row(Slot v, Bound limit) {
  const std::span<const Score> losses = scorer_.losses(v);
  for (Slot w = 0; w < losses.size(); ++w) {
    if (row_[w] == Bounds::kNever) continue;
    bounds_.set_pair(v, w, losses[w]);
    if (bounds_.units(losses[w]) <= limit) round_.row_pairs.push_back({v, w, losses[w]});
  }
}

template <class Cell>
void Search<Cell>::evaluate_pairs() {
  std::vector<Evaluated>& pairs = round_.pairs;
  const auto evaluate = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pairs[i].loss = window_.loss(pairs[i].v, pairs[i].w);
  };
  if (pairs.size() < kMinPairsForTeam || team_.size() == 1) return evaluate(0, pairs.size());
  const std::size_t pieces = std::min<std::size_t>(pairs.size(), team_.size() * std::size_t{16});
  team_.share(pieces, [&](unsigned, std::size_t i) {
    evaluate(i * pairs.size() / pieces, (i + 1) * pairs.size() / pieces);
  });
}

/// What the evaluated pairs say about their rows; the least of them, if below `best`.
template <class Cell>
Candidate Search<Cell>::learn_pairs(Candidate best) {
  for (const auto& [v, w, loss] : round_.pairs) {
    const Candidate pair = candidate(v, w, loss);
    best = std::min(best, pair);
    round_.best[v] = std::min(round_.best[v], pair);
    const Candidate reverse = candidate(w, v, loss);
    if (round_.contains[w] != 0)
      round_.best[w] = std::min(round_.best[w], reverse);
    else
      known_.learn_pair(reverse);
    typical_ += (bounds_.units(loss) - typical_) / 64;
  }
  return best;
}

template <class Cell>
Candidate Search<Cell>::visit(std::span<const std::uint32_t> rows, Candidate best) {
  for (const Slot v : rows) {
    round_.contains[v] = 1;
    round_.best[v] = {};
  }
  // Bounds just above the limit would fall below it soon: evaluating them now saves reading their rows again.
  const Bound limit = bounds_.units(best.loss) + typical_ / 16;
  list_pairs(rows, limit);
  evaluate_pairs();
  for (const auto& [v, w, loss] : round_.pairs) bounds_.set_pair(v, w, loss);
  round_.pairs.insert(round_.pairs.end(), round_.row_pairs.begin(), round_.row_pairs.end());
  best = learn_pairs(best);
  for (const Slot v : rows) {
    if (round_.contains[v] == 0) continue;
    bounds_.finish(v);
    known_.learn_row(round_.best[v], limit);
    round_.contains[v] = 0;
  }
  run_.check_stop();
  return best;
}

/// The least of the rows that are known; the covers of all others are pending.
template <class Cell>
Candidate Search<Cell>::known_pairs() {
  Candidate best;
  pending_.assign(bounds_.covers().begin(), bounds_.covers().end());
  for (Slot v = 0; v < pending_.size(); ++v) {
    if (!known_.is_known(v)) continue;
    pending_[v] = Bounds::kNever;
    best = std::min(best, known_.best(v));
  }
  return best;
}

/// The least of the most promising rows that are pending, at most `best`.
template <class Cell>
Candidate Search<Cell>::first_pairs(Candidate best) {
  const std::span<Bound> row(row_.data(), window_.lanes());
  for (std::size_t i = 0; i < kFirstRows; ++i) {
    const Bound least = smallest(std::span<const Bound>(pending_));
    if (least == Bounds::kNever || least > bounds_.units(best.loss)) break;
    const auto v = static_cast<Slot>(std::find(pending_.begin(), pending_.end(), least) - pending_.begin());
    pending_[v] = Bounds::kNever;
    if (!known_.may_beat(v, window_.rank(v), best)) continue;
    bounds_.read(v, row);
    const Bound first = smallest(std::span<const Bound>(row));
    if (first == Bounds::kNever) continue;
    const auto w = static_cast<Slot>(std::find(row.begin(), row.end(), first) - row.begin());
    const Score loss = window_.loss(v, w);
    bounds_.set_pair(v, w, loss);
    best = visit(std::span(&v, 1), std::min(best, candidate(v, w, loss)));
  }
  return best;
}

template <class Cell>
Candidate Search<Cell>::least() {
  Candidate best = first_pairs(known_pairs());
  rows_.clear();
  collect(pending_, bounds_.units(best.loss), rows_);
  std::vector<std::uint32_t> together;
  for (std::size_t i = 0; i < rows_.size();) {
    together.clear();
    for (; i < rows_.size() && together.size() < kRowsPerRound; ++i)
      if (bounds_.covers()[rows_[i]] <= bounds_.units(best.loss) &&
          known_.may_beat(rows_[i], window_.rank(rows_[i]), best))
        together.push_back(rows_[i]);
    best = visit(together, best);
  }
  return best;
}

template <class Cell>
bool Search<Cell>::any_at_most(Score loss) {
  Candidate rival;
  rival.loss = loss;
  rows_.clear();
  collect(bounds_.covers(), bounds_.units(loss), rows_);
  std::erase_if(rows_, [&](Slot v) { return !known_.may_beat(v, window_.rank(v), rival); });
  for (std::size_t i = 0; i < rows_.size(); i += kRowsPerRound) {
    const std::size_t size = std::min(kRowsPerRound, rows_.size() - i);
    if (visit(std::span(rows_).subspan(i, size), rival).v != kNoSlot) return true;
  }
  return false;
}

template <class Cell>
void Search<Cell>::check() {
  Candidate best;
  for (Slot v = 0; v < window_.used(); ++v)
    for (Slot w = 0; w < v; ++w)
      if (window_.is_live(v) && window_.is_live(w) && !bounds_.closed().contains(v, w))
        best = std::min(best, candidate(v, w, window_.loss(v, w)));
  const Candidate found = least();
  if (found < best || best < found)
    throw std::logic_error("Brown clustering: the pair that was found is not the least");
}

template class Search<std::uint32_t>;
template class Search<std::uint64_t>;

}  // namespace firth::brown
