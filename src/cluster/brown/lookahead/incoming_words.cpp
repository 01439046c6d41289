#include "cluster/brown/lookahead/incoming_words.hpp"

#include <algorithm>
#include <limits>

#include "cluster/brown/window/loss_drops.hpp"

namespace firth::brown {
namespace {

constexpr std::size_t kManyNeighbours = 48;  // from here on, the contexts of one word may be shared out
constexpr std::size_t kContextsOfPiece = 8;
constexpr std::size_t kWordsForScouts = 64;  // fewer are not worth a copy of the window
// Words with more neighbours change most losses of those behind them: scoring them ahead is in vain.
constexpr std::size_t kNeighboursForScouts = 256;

}  // namespace

template <class Cell>
IncomingWords<Cell>::IncomingWords(const EngineInput& input, const Window<Cell>& window, base::Team& team,
                                   bool lookahead)
    : lookahead_(input, team),
      input_(input),
      window_(window),
      team_(team),
      may_scout_(lookahead && team.size() > 1),
      has_sums_(team.size()),
      meets_(window.stride()),
      changes_(window.stride()) {
  for (unsigned thread = 0; thread < team.size(); ++thread) scorers_.emplace_back(input, window);
}

/// Words enter by falling frequency: if the next few have few neighbours, so have nearly all the others.
template <class Cell>
bool IncomingWords<Cell>::worth_scouting(std::span<const WordId> words) const {
  return words.size() >= kWordsForScouts &&
         std::all_of(words.begin(), words.begin() + kWordsForScouts / 2, [&](WordId word) {
           return input_.counts.bigrams().right_words(word).size() +
                      input_.transposed.right_words(word).size() <
                  kNeighboursForScouts;
         });
}

template <class Cell>
void IncomingWords<Cell>::score_now(WordId word) {
  word_ = &own_;
  whole_row_ = true;
  scorers_[0].gatherer.gather(window_, word, own_);
  if (team_.size() > 1 && own_.meetings.size() >= kManyNeighbours) return share_contexts(own_);
  scorers_[0].rows.score(own_, sums(scorers_[0]));
}

// Every thread adds up the contexts that it takes, all lanes of them.
template <class Cell>
void IncomingWords<Cell>::share_contexts(const NewWord& word) {
  std::fill(has_sums_.begin(), has_sums_.end(), 0);
  const auto begin_sums = [&](unsigned thread) {
    if (has_sums_[thread] == 0) std::ranges::fill(sums(scorers_[thread]), 0);
    has_sums_[thread] = 1;
  };
  const std::size_t size = word.meetings.size();
  const std::size_t pieces = std::min(size / kContextsOfPiece, std::size_t{team_.size()} * 8);
  team_.share(pieces, [&](unsigned thread, std::size_t i) {
    begin_sums(thread);
    const std::size_t begin = i * size / pieces;
    scorers_[thread].rows.add_contexts(
        std::span(word.meetings).subspan(begin, (i + 1) * size / pieces - begin), sums(scorers_[thread]));
  });
  begin_sums(0);
  const std::span<Score> all = sums(scorers_[0]);
  for (unsigned thread = 1; thread < team_.size(); ++thread) {
    if (has_sums_[thread] == 0) continue;
    const std::span<const Score> part = sums(scorers_[thread]);
    for (std::size_t w = 0; w < all.size(); ++w) all[w] += part[w];
  }
  scorers_[0].rows.finish(word, all);
}

template <class Cell>
bool IncomingWords<Cell>::knows(const typename LookaheadScorers<Cell>::Report& report) const {
  return !report.scored.follows && report.seen >= first_known_;
}

// What words that entered meanwhile have done to the losses of a word. Where the word does not meet the
// cluster s that grew, a cluster w that met the newcomer d times loses d ln(1 + M/Mw) more with it than
// before.
template <class Cell>
void IncomingWords<Cell>::mark_changes(const NewWord& word, std::uint32_t seen) {
  for (const Neighbour& meeting : word.meetings) meets_[meeting.slot] = 1;
  for (std::uint32_t i = seen; i < lookahead_.position(); ++i) {
    const Slot slot = recent(i).slot;
    const Change change = meets_[slot] != 0 ? Change::any : Change::risen;
    changes_[slot] = Change::any;
    for (const Slot touched : recent(i).touched) changes_[touched] = std::max(changes_[touched], change);
  }
  for (const Neighbour& meeting : word.meetings) meets_[meeting.slot] = 0;
}

// The clusters that may lose least today; false if others than those of the list may.
template <class Cell>
bool IncomingWords<Cell>::catch_up(const typename LookaheadScorers<Cell>::Report& report) {
  const auto& [scored, seen] = report;
  mark_changes(scored.word, seen);
  candidates_.clear();
  Score least = std::numeric_limits<Score>::max();
  const auto add = [&](Slot slot, Score loss) {
    candidates_.push_back({slot, loss});
    least = std::min(least, loss);
  };
  const auto renew = [&](Slot slot) { add(slot, scorers_[0].rows.lane(report.scored.word, slot)); };
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::none) add(slot, loss);
  const auto renew_once = [&](Slot slot) {
    if (changes_[slot] != Change::any) return;
    changes_[slot] = Change::none;
    renew(slot);
  };
  for (std::uint32_t i = seen; i < lookahead_.position(); ++i) {
    renew_once(recent(i).slot);
    for (const Slot slot : recent(i).touched) renew_once(slot);
  }
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::risen && loss <= least + kTouchSlack) renew(slot);
  for (std::uint32_t i = seen; i < lookahead_.position(); ++i)
    for (const Slot slot : recent(i).touched) changes_[slot] = Change::none;
  return least + kTouchSlack <= scored.limit;
}

template <class Cell>
const NewWord& IncomingWords<Cell>::next(std::span<const WordId> words) {
  if (may_scout_ && !lookahead_.on_the_way() && worth_scouting(words)) {
    may_scout_ = lookahead_.begin(window_, words);
    first_known_ = 0;
  }
  const auto* const report = lookahead_.on_the_way() ? lookahead_.take(scorers_[0]) : nullptr;
  if (report == nullptr || !knows(*report) || !catch_up(*report)) {
    score_now(words[0]);
  } else {
    word_ = &report->scored.word;
    whole_row_ = false;
    ++from_scouts_;
  }
  return *word_;
}

template <class Cell>
Score IncomingWords<Cell>::least(std::vector<std::uint32_t>& ties) {
  ties.clear();
  if (whole_row_) {
    const std::span<const Score> losses = sums(scorers_[0]);
    const Score least = smallest(losses);
    collect(losses, least, ties);
    return least;
  }
  Score least = std::numeric_limits<Score>::max();
  for (const Lane& lane : candidates_) least = std::min(least, lane.loss);
  for (const Lane& lane : candidates_)
    if (lane.loss == least) ties.push_back(lane.slot);
  return least;
}

template <class Cell>
std::span<const Score> IncomingWords<Cell>::losses() {
  if (!whole_row_) score_now(word_->word);
  return scorers_[0].losses;
}

template <class Cell>
void IncomingWords<Cell>::entered(Placement entrance) {
  if (!lookahead_.on_the_way()) return;
  Recent& recent = recent_[lookahead_.position() % recent_.size()];
  recent.slot = entrance.slot;
  recent.touched.clear();
  for (const Neighbour& meeting : word_->meetings) recent.touched.push_back(meeting.slot);
  if (entrance.gone != kNoSlot) first_known_ = lookahead_.position() + 1;
  lookahead_.entered(entrance);
}

template class IncomingWords<std::uint32_t>;
template class IncomingWords<std::uint64_t>;

}  // namespace firth::brown
