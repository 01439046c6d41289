#include "cluster/brown/lookahead/incoming_words.hpp"

#include <algorithm>
#include <limits>

namespace firth::brown {
namespace {

constexpr std::size_t kMinWordsForLookahead = 64;  // fewer are not worth a copy of the window
// Words with more neighbours change most losses of those behind them: scoring those ahead is in vain.
constexpr std::size_t kMaxNeighboursForLookahead = 256;

}  // namespace

template <class Cell>
IncomingWords<Cell>::IncomingWords(const EngineInput& input, const Window<Cell>& window, base::Team& team,
                                   bool lookahead)
    : lookahead_(input, team),
      input_(input),
      window_(window),
      scorer_(input, window, team),
      recent_(window.stride()),
      lookahead_allowed_(lookahead && team.size() > 1) {}

/// Words enter by falling frequency: if the next few have few neighbours, so have nearly all the others.
template <class Cell>
bool IncomingWords<Cell>::is_worth_lookahead(std::span<const WordId> words) const {
  return words.size() >= kMinWordsForLookahead &&
         std::all_of(words.begin(), words.begin() + kMinWordsForLookahead / 2, [&](WordId word) {
           return input_.counts.bigrams().right_words(word).size() +
                      input_.transposed.right_words(word).size() <
                  kMaxNeighboursForLookahead;
         });
}

template <class Cell>
void IncomingWords<Cell>::score_now(WordId word) {
  word_ = &own_;
  has_all_losses_ = true;
  scorer_.score(word, own_);
}

template <class Cell>
bool IncomingWords<Cell>::take_report() {
  if (!lookahead_.running()) return false;
  const auto* const report = lookahead_.take(scorer_.own());
  if (report == nullptr || !recent_.update(*report, lookahead_.position(), scorer_.own().rows, candidates_))
    return false;
  word_ = &report->scored.word;
  has_all_losses_ = false;
  ++scored_ahead_;
  return true;
}

template <class Cell>
const NewWord& IncomingWords<Cell>::next(std::span<const WordId> words) {
  if (lookahead_allowed_ && !lookahead_.running() && is_worth_lookahead(words)) {
    lookahead_allowed_ = lookahead_.begin(window_, words);
    recent_.clear();
  }
  if (!take_report()) score_now(words[0]);
  return *word_;
}

template <class Cell>
Score IncomingWords<Cell>::least(std::vector<std::uint32_t>& ties) {
  ties.clear();
  if (has_all_losses_) {
    const std::span<const Score> losses = scorer_.losses();
    const Score least = smallest(losses);
    collect(losses, least, ties);
    return least;
  }
  Score least = std::numeric_limits<Score>::max();
  for (const SlotLoss& candidate : candidates_) least = std::min(least, candidate.loss);
  for (const SlotLoss& candidate : candidates_)
    if (candidate.loss == least) ties.push_back(candidate.slot);
  return least;
}

template <class Cell>
std::span<const Score> IncomingWords<Cell>::losses() {
  if (!has_all_losses_) score_now(word_->word);
  return scorer_.losses();
}

template <class Cell>
void IncomingWords<Cell>::placed(Placement placement) {
  if (!lookahead_.running()) return;
  recent_.add(lookahead_.position(), *word_, placement);
  lookahead_.placed(placement);
}

template class IncomingWords<std::uint32_t>;
template class IncomingWords<std::uint64_t>;

}  // namespace firth::brown
