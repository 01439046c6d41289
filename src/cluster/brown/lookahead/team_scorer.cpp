#include "cluster/brown/lookahead/team_scorer.hpp"

#include <algorithm>

namespace firth::brown {
namespace {

constexpr std::size_t kMinNeighboursToShare = 48;
constexpr std::size_t kContextsPerPiece = 8;

}  // namespace

template <class Cell>
TeamScorer<Cell>::TeamScorer(const EngineInput& input, const Window<Cell>& window, base::Team& team)
    : team_(team), has_sums_(team.size()) {
  for (unsigned thread = 0; thread < team.size(); ++thread) scorers_.emplace_back(input, window);
}

template <class Cell>
std::span<const Score> TeamScorer<Cell>::score(WordId word, NewWord& new_word) {
  own().counter.count(own().window, word, new_word);
  if (team_.size() > 1 && new_word.neighbours.size() >= kMinNeighboursToShare)
    share_contexts(new_word);
  else
    own().rows.score(new_word, sums(own()));
  return losses();
}

// Every thread adds up the contexts that it takes, all lanes of them.
template <class Cell>
void TeamScorer<Cell>::share_contexts(const NewWord& word) {
  std::fill(has_sums_.begin(), has_sums_.end(), 0);
  const auto begin_sums = [&](unsigned thread) {
    if (has_sums_[thread] == 0) std::ranges::fill(sums(scorers_[thread]), 0);
    has_sums_[thread] = 1;
  };
  const std::size_t size = word.neighbours.size();
  const std::size_t pieces = std::min(size / kContextsPerPiece, std::size_t{team_.size()} * 8);
  team_.share(pieces, [&](unsigned thread, std::size_t i) {
    begin_sums(thread);
    const std::size_t begin = i * size / pieces;
    scorers_[thread].rows.add_contexts(
        std::span(word.neighbours).subspan(begin, (i + 1) * size / pieces - begin), sums(scorers_[thread]));
  });
  begin_sums(0);
  const std::span<Score> all = sums(scorers_[0]);
  for (unsigned thread = 1; thread < team_.size(); ++thread) {
    if (has_sums_[thread] == 0) continue;
    const std::span<const Score> part = sums(scorers_[thread]);
    for (std::size_t w = 0; w < all.size(); ++w) all[w] += part[w];
  }
  own().rows.finish(word, all);
}

template class TeamScorer<std::uint32_t>;
template class TeamScorer<std::uint64_t>;

}  // namespace firth::brown
