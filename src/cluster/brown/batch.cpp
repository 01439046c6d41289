#include "cluster/brown/batch.hpp"

#include <algorithm>
#include <limits>

#include "cluster/brown/potentials.hpp"

namespace firth::brown {
namespace {

constexpr std::size_t kMostWords = 24;
constexpr std::size_t kManyNeighbours = 48;  // from here on, the contexts of one word are shared out
constexpr std::size_t kContextsOfPiece = 8;
constexpr Score kNear = 8;  // losses above the least by this part of it are not handed over

}  // namespace

template <class Cell>
Batch<Cell>::Batch(const EngineInput& input, const Window<Cell>& window, base::Team& team)
    : input_(input),
      window_(window),
      team_(team),
      words_(1),
      meets_(window.stride()),
      changes_(window.stride()) {
  for (unsigned thread = 0; thread < team.size(); ++thread) workers_.emplace_back(input, window);
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

// Rows of losses stay with the thread that computes them: only the few that matter are handed over.
template <class Cell>
void Batch<Cell>::list_near(Scored& scored, Worker& worker) const {
  const std::span<const Score> losses(worker.losses.data(), window_.lanes());
  const Score least = smallest(losses);
  scored.limit = least + std::max(least / kNear, 4 * kTouchSlack);
  worker.lanes.clear();
  collect(losses, scored.limit, worker.lanes);
  scored.near.clear();
  for (const Slot slot : worker.lanes) scored.near.push_back({slot, losses[slot]});
}

// What other threads have written about the words will be needed one by one, soon: all of it is asked for at
// once.
template <class Cell>
void Batch<Cell>::fetch_batch(std::size_t size) const {
  const auto fetch = [](const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += base::kCacheLine)
      __builtin_prefetch(static_cast<const char*>(data) + i);
  };
  fetch(words_.data(), size * sizeof(Scored));
  for (std::size_t i = 0; i < size; ++i) {
    fetch(words_[i].word.meetings.data(), words_[i].word.meetings.size() * sizeof(Meeting));
    fetch(words_[i].near.data(), words_[i].near.size() * sizeof(Lane));
  }
}

template <class Cell>
void Batch<Cell>::score_batch(std::span<const WordId> words) {
  if (words_.size() < words.size()) words_.resize(words.size());
  team_.share(words.size(), [&](unsigned thread, std::size_t i) {
    Worker& worker = workers_[thread];
    Scored& scored = words_[i];
    worker.gatherer.gather(window_, words[i], scored.word);
    scored.follows = scored.word.first_outside < input_.rank[words[i]];
    if (scored.follows) return;
    worker.scorer.score(scored.word, {worker.losses.data(), window_.lanes()});
    list_near(scored, worker);
  });
  fetch_batch(words.size());
}

template <class Cell>
void Batch<Cell>::score_now(NewWord& word) {
  Worker& worker = workers_[0];
  worker.gatherer.gather(window_, word.word, word);
  whole_row_ = true;
  if (team_.size() > 1 && word.meetings.size() >= kManyNeighbours) return share_contexts(word);
  worker.scorer.score(word, {worker.losses.data(), window_.lanes()});
}

// Every thread adds up the contexts that it takes, all lanes of them.
template <class Cell>
void Batch<Cell>::share_contexts(const NewWord& word) {
  const std::size_t lanes = window_.lanes();
  for (Worker& worker : workers_) worker.has_contexts = false;
  const auto clear = [&](Worker& worker) {
    if (!worker.has_contexts) std::fill_n(worker.losses.begin(), lanes, 0);
    worker.has_contexts = true;
  };
  const std::size_t size = word.meetings.size();
  const std::size_t pieces = std::min(size / kContextsOfPiece, std::size_t{team_.size()} * 8);
  team_.share(pieces, [&](unsigned thread, std::size_t i) {
    Worker& worker = workers_[thread];
    clear(worker);
    const std::size_t begin = i * size / pieces;
    worker.scorer.add_contexts(std::span(word.meetings).subspan(begin, (i + 1) * size / pieces - begin),
                               {worker.losses.data(), lanes});
  });
  Worker& first = workers_[0];
  clear(first);
  for (std::size_t thread = 1; thread < workers_.size(); ++thread) {
    const Worker& other = workers_[thread];
    if (!other.has_contexts) continue;
    for (std::size_t w = 0; w < lanes; ++w) first.losses[w] += other.losses[w];
  }
  first.scorer.finish(word, {first.losses.data(), lanes});
}

// What the absorptions so far have done to the losses of a word. Where the word does not meet the cluster s
// that grew, a cluster w that met the newcomer d times loses d ln(1 + M/Mw) more with it than before.
template <class Cell>
void Batch<Cell>::mark_changes(const NewWord& word) {
  for (const Meeting& meeting : word.meetings) meets_[meeting.slot] = 1;
  for (const auto& [slot, begin, end] : absorptions_) {
    const Change change = meets_[slot] != 0 ? Change::any : Change::risen;
    changes_[slot] = Change::any;
    for (std::size_t i = begin; i < end; ++i) changes_[touched_[i]] = std::max(changes_[touched_[i]], change);
  }
  for (const Meeting& meeting : word.meetings) meets_[meeting.slot] = 0;
}

// The clusters that may lose least today; false if others than those of the list may.
template <class Cell>
bool Batch<Cell>::catch_up(const Scored& scored) {
  mark_changes(scored.word);
  candidates_.clear();
  Score least = std::numeric_limits<Score>::max();
  const auto add = [&](Slot slot, Score loss) {
    candidates_.push_back({slot, loss});
    least = std::min(least, loss);
  };
  const auto renew = [&](Slot slot) { add(slot, workers_[0].scorer.lane(scored.word, slot)); };
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::none) add(slot, loss);
  const auto renew_once = [&](Slot slot) {
    if (changes_[slot] != Change::any) return;
    changes_[slot] = Change::none;
    renew(slot);
  };
  for (const auto& absorption : absorptions_) renew_once(absorption.slot);
  for (const Slot slot : touched_) renew_once(slot);
  for (const auto& [slot, loss] : scored.near)
    if (changes_[slot] == Change::risen && loss <= least + kTouchSlack) renew(slot);
  for (const Slot slot : touched_) changes_[slot] = Change::none;
  return least + kTouchSlack <= scored.limit;
}

template <class Cell>
const NewWord& Batch<Cell>::next(std::span<const WordId> words) {
  if (done_ == size_ || words_[done_].word.word != words[0]) {
    absorptions_.clear();
    touched_.clear();
    done_ = 0;
    size_ = choose_size(words);
    if (size_ > 1) score_batch(words.first(size_));
    words_[0].word.word = words[0];
    words_[0].follows = size_ == 1;
  }
  Scored& scored = words_[done_++];
  whole_row_ = false;
  if (scored.follows || !catch_up(scored)) score_now(scored.word);
  return scored.word;
}

template <class Cell>
Score Batch<Cell>::least(std::vector<std::uint32_t>& ties) {
  ties.clear();
  if (whole_row_) {
    const std::span<const Score> losses(workers_[0].losses.data(), window_.lanes());
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
std::span<const Score> Batch<Cell>::losses() {
  if (!whole_row_) score_now(words_[done_ - 1].word);
  return workers_[0].losses;
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
