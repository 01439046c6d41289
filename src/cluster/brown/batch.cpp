#include "cluster/brown/batch.hpp"

#include <algorithm>
#include <atomic>

#include "cluster/brown/potentials.hpp"

namespace firth::brown {
namespace {

constexpr std::size_t kMostWords = 24;
constexpr std::size_t kManyNeighbours = 48;  // from here on, the lanes of one word are shared out

}  // namespace

template <class Cell>
Batch<Cell>::Batch(const EngineInput& input, const Window<Cell>& window, base::Team& team)
    : input_(input),
      window_(window),
      team_(team),
      words_(1),
      meets_(window.stride()),
      changes_(window.stride()) {
  for (unsigned thread = 0; thread < team.size(); ++thread) {
    scorers_.emplace_back(window);
    gatherers_.emplace_back(input);
  }
  if (team.size() > 1) position_.resize(input.counts.vocabulary().size());
}

// Words with many neighbours come one by one. Others come together, but not so many that scoring lanes again
// would take longer than the words themselves.
template <class Cell>
std::size_t Batch<Cell>::choose_size(std::span<const WordId> words) const {
  if (team_.size() == 1) return 1;
  const std::size_t most = std::min({words.size(), kMostWords, window_.live() / 8});
  std::size_t size = 0;
  while (size < most && input_.counts.bigrams().right_words(words[size]).size() +
                                input_.transposed.right_words(words[size]).size() <
                            kManyNeighbours)
    ++size;
  return std::max<std::size_t>(size, 1);
}

template <class Cell>
void Batch<Cell>::score_one(ScoredWord& scored, WordId word) {
  gatherers_[0].gather(window_, word, scored.word);
  scored.losses.resize(window_.lanes());
  if (team_.size() == 1 || scored.word.meetings.size() < kManyNeighbours)
    return scorers_[0].score(scored.word, scored.losses);
  const auto terms = scorers_[0].prepare(scored.word);
  const std::size_t blocks = window_.lanes() / kLaneBlock;
  const std::size_t pieces = std::min<std::size_t>(blocks, team_.size() * std::size_t{4});
  std::atomic<std::size_t> next{0};
  team_.run([&](unsigned) {
    for (std::size_t i = next++; i < pieces; i = next++)
      scorers_[0].lanes(scored.word, terms, scored.losses, i * blocks / pieces * kLaneBlock,
                        (i + 1) * blocks / pieces * kLaneBlock);
  });
  scorers_[0].finish(scored.word, terms, scored.losses);
}

template <class Cell>
bool Batch<Cell>::follows(WordId word, std::size_t position) const {
  const auto earlier = [&](WordId other) { return position_[other] != 0 && position_[other] - 1 < position; };
  const auto after = input_.counts.bigrams().right_words(word);
  const auto before = input_.transposed.right_words(word);
  return std::any_of(after.begin(), after.end(), earlier) ||
         std::any_of(before.begin(), before.end(), earlier);
}

template <class Cell>
void Batch<Cell>::score_batch(std::span<const WordId> words) {
  for (std::size_t i = 0; i < words.size(); ++i) position_[words[i]] = static_cast<std::uint32_t>(i + 1);
  if (words_.size() < words.size()) words_.resize(words.size());
  std::atomic<std::size_t> next{0};
  team_.run([&](unsigned thread) {
    for (std::size_t i = next++; i < words.size(); i = next++) {
      ScoredWord& scored = words_[i];
      scored.word.word = words[i];
      scored.follows = follows(words[i], i);
      if (scored.follows) continue;
      scored.losses.resize(window_.lanes());
      gatherers_[thread].gather(window_, words[i], scored.word);
      scorers_[thread].score(scored.word, scored.losses);
    }
  });
  for (const WordId word : words) position_[word] = 0;
}

template <class Cell>
void Batch<Cell>::rescore(ScoredWord& scored, Slot lane) {
  scored.losses[lane] = scorers_[0].lane(scored.word, lane);
  changes_[lane] = Change::none;
}

// What the absorptions so far have done to the losses of a word. Where the word does not meet the cluster s
// that grew, a cluster w that met the newcomer d times loses d ln(1 + M/Mw) more with it than before.
template <class Cell>
void Batch<Cell>::catch_up(ScoredWord& scored) {
  for (const Meeting& meeting : scored.word.meetings) meets_[meeting.slot] = 1;
  for (const auto& [slot, begin, end] : absorptions_) {
    const Change change = meets_[slot] != 0 ? Change::any : Change::risen;
    changes_[slot] = Change::any;
    for (std::size_t i = begin; i < end; ++i) changes_[touched_[i]] = std::max(changes_[touched_[i]], change);
  }
  for (const Meeting& meeting : scored.word.meetings) meets_[meeting.slot] = 0;
  const auto refresh = [&](Slot lane) {
    if (changes_[lane] == Change::any) rescore(scored, lane);
  };
  for (const auto& absorption : absorptions_) refresh(absorption.slot);
  for (const Slot lane : touched_) refresh(lane);
}

template <class Cell>
ScoredWord& Batch<Cell>::next(std::span<const WordId> words) {
  for (const Slot lane : touched_) changes_[lane] = Change::none;
  if (done_ == size_ || words_[done_].word.word != words[0]) {
    absorptions_.clear();
    touched_.clear();
    done_ = 0;
    size_ = choose_size(words);
    if (size_ > 1) score_batch(words.first(size_));
    if (size_ == 1) score_one(words_[0], words[0]);
    return words_[done_++];
  }
  ScoredWord& scored = words_[done_++];
  if (scored.follows)
    score_one(scored, words[0]);
  else
    catch_up(scored);
  return scored;
}

template <class Cell>
Score Batch<Cell>::least(std::vector<std::uint32_t>& ties) {
  ScoredWord& scored = words_[done_ - 1];
  for (;;) {
    const Score least = smallest(std::span<const Score>(scored.losses));
    ties.clear();
    collect(std::span<const Score>(scored.losses), least + kTouchSlack, ties);
    bool exact = true;
    for (const Slot lane : ties) {
      if (changes_[lane] == Change::none) continue;
      rescore(scored, lane);
      exact = false;
    }
    if (!exact) continue;
    std::erase_if(ties, [&](Slot lane) { return scored.losses[lane] > least; });
    return least;
  }
}

template <class Cell>
void Batch<Cell>::settle() {
  for (const Slot lane : touched_)
    if (changes_[lane] != Change::none) rescore(words_[done_ - 1], lane);
}

template <class Cell>
void Batch<Cell>::absorbed(const NewWord& word, Slot slot) {
  if (done_ == size_) return;
  const std::size_t begin = touched_.size();
  for (const Meeting& meeting : word.meetings) touched_.push_back(meeting.slot);
  absorptions_.push_back({slot, begin, touched_.size()});
}

template class Batch<std::uint32_t>;
template class Batch<std::uint64_t>;

}  // namespace firth::brown
