#include "tagger/decode.hpp"

#include <algorithm>
#include <limits>

namespace firth::tagger {
namespace {

/// Beams up to this width are filled by insertion, wider ones by sorting.
constexpr std::size_t kMaxInsertion = 32;

History start(const TagSet& tags) {
  return {tags.size(), tags.size()};
}

}  // namespace

TagId best_tag(std::span<const Score> scores, std::span<const std::uint8_t> may_follow,
               std::span<const std::uint8_t> may_end) {
  std::size_t best = scores.size();
  for (std::size_t tag = 0; tag < scores.size(); ++tag) {
    if (may_follow[tag] == 0 || (!may_end.empty() && may_end[tag] == 0)) continue;
    if (best == scores.size() || scores[tag] > scores[best]) best = tag;
  }
  return static_cast<TagId>(best);
}

void Decoder::decode(const Lattice& lattice, HistoryScorer& scorer, int width, std::vector<TagId>& tags) {
  tags.resize(lattice.length);
  if (lattice.length == 0) return;
  if (width == 1) return decode_greedy(lattice, scorer, tags);
  if (levels_.size() < lattice.length + 1) levels_.resize(lattice.length + 1);
  levels_[0].assign(1, {start(lattice.tags), 0, 0});
  for (std::size_t i = 0; i < lattice.length; ++i) {
    extend(lattice, scorer, i);
    if (width == 0) {
      keep_best_of_each_history(lattice.tags.size());
    } else {
      keep_best(static_cast<std::size_t>(width));
    }
    levels_[i + 1].swap(candidates_);
  }
  prefix(lattice.length, tags);
}

std::size_t Decoder::best_state(std::size_t level) const {
  const std::vector<State>& states = levels_[level];
  std::size_t best = 0;
  for (std::size_t s = 1; s < states.size(); ++s) {
    if (states[s].score > states[best].score) best = s;
  }
  return best;
}

void Decoder::prefix(std::size_t length, std::vector<TagId>& tags) const {
  tags.resize(length);
  std::size_t at = best_state(length);
  for (std::size_t i = length; i > 0; --i) {
    tags[i - 1] = static_cast<TagId>(levels_[i][at].history.before);
    at = levels_[i][at].parent;
  }
}

void Decoder::decode_greedy(const Lattice& lattice, HistoryScorer& scorer, std::vector<TagId>& tags) {
  History history = start(lattice.tags);
  for (std::size_t i = 0; i < lattice.length; ++i) {
    const std::span<const Score> local = lattice.at(i);
    scores_.assign(local.begin(), local.end());
    scorer.add(i, history, scores_);
    const bool last = i + 1 == lattice.length;
    tags[i] = best_tag(scores_, lattice.tags.followers(history.before),
                       last ? lattice.tags.ends() : std::span<const std::uint8_t>());
    history = {tags[i], history.before};
  }
}

// Every way to go on from the states of level i, in order of state and tag.
void Decoder::extend(const Lattice& lattice, HistoryScorer& scorer, std::size_t i) {
  candidates_.clear();
  const bool last = i + 1 == lattice.length;
  for (std::size_t s = 0; s < levels_[i].size(); ++s) {
    const State& state = levels_[i][s];
    const std::span<const Score> local = lattice.at(i);
    scores_.assign(local.begin(), local.end());
    scorer.add(i, state.history, scores_);
    const std::span<const std::uint8_t> allowed = lattice.tags.followers(state.history.before);
    for (std::size_t tag = 0; tag < scores_.size(); ++tag) {
      if (allowed[tag] == 0 || (last && !lattice.tags.may_end(static_cast<TagId>(tag)))) continue;
      candidates_.push_back(
          {{tag, state.history.before}, state.score + scores_[tag], static_cast<std::uint32_t>(s)});
    }
  }
}

// Two states with the same two last tags go on alike: only the better one can be part of the best sequence.
void Decoder::keep_best_of_each_history(std::size_t tags) {
  order_.assign((tags + 1) * (tags + 1), std::numeric_limits<std::uint32_t>::max());
  std::size_t kept = 0;
  for (const State& candidate : candidates_) {
    std::uint32_t& at = order_[candidate.history.second * (tags + 1) + candidate.history.before];
    if (at == std::numeric_limits<std::uint32_t>::max()) {
      at = static_cast<std::uint32_t>(kept);
      candidates_[kept++] = candidate;
    } else if (candidate.score > candidates_[at].score) {
      candidates_[at] = candidate;
    }
  }
  candidates_.resize(kept);
}

// The best `width` candidates, by falling score; of equals those that came first. A narrow beam is filled by insertion: most
// candidates are compared with its last state only.
void Decoder::keep_best(std::size_t width) {
  if (width > kMaxInsertion) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const State& a, const State& b) { return a.score > b.score; });
    if (candidates_.size() > width) candidates_.resize(width);
    return;
  }
  std::size_t kept = 0;
  for (const State candidate : candidates_) {  // a copy: another may take its place
    if (kept == width && candidate.score <= candidates_[kept - 1].score) continue;
    std::size_t place = kept == width ? kept - 1 : kept++;
    for (; place > 0 && candidate.score > candidates_[place - 1].score; --place) {
      candidates_[place] = candidates_[place - 1];
    }
    candidates_[place] = candidate;
  }
  candidates_.resize(kept);
}

}  // namespace firth::tagger
