#include "lm/sentence_walk.hpp"

#include <array>

namespace firth::lm {
namespace {

// As many as the processor can wait for at a time; twice or half as many are hardly slower.
constexpr std::size_t kLanes = 16;
// Symbols of a cache line: from here on a search needs no more memory.
constexpr std::uint64_t kNear = 64 / sizeof(Symbol);

template <class T>
void prefetch(const T& value) {
  __builtin_prefetch(&value);
}

}  // namespace

void SentenceWalk::add(std::span<const std::span<const WordId>> sentences, std::span<double> tokens) {
  waiting_ = sentences;
  next_token_ = tokens.data();
  std::array<Lane, kLanes> lanes;
  std::size_t used = 0;
  while (used < kLanes && begin_sentence(lanes[used])) ++used;
  while (used > 0) {
    for (std::size_t i = 0; i < used;) {
      if (advance(lanes[i])) {
        ++i;
      } else {
        lanes[i] = lanes[--used];
      }
    }
  }
}

bool SentenceWalk::begin_sentence(Lane& lane) {
  const Component& component = *part_.component;
  while (!waiting_.empty() && waiting_.front().empty()) waiting_ = waiting_.subspan(1);
  if (waiting_.empty()) return false;
  lane.words = waiting_.front();
  lane.token = next_token_;
  lane.at_end = false;
  waiting_ = waiting_.subspan(1);
  next_token_ += token_count(lane.words, component.boundaries);
  begin_word(lane, lane.words.front(), component.begin_sentence());
  return true;
}

void SentenceWalk::begin_word(Lane& lane, WordId word, Node state) {
  lane.word = part_.word(word);
  lane.symbol = part_.component->symbol_of(lane.word);
  lane.factor = 1;
  go_to(lane, state);
}

void SentenceWalk::go_to(Lane& lane, Node node) {
  lane.node = node;
  if (node == kRoot) return found(lane, lane.symbol);
  prefetch(trie_.first_child[node]);
  trie_.backoffs.prefetch(node);
  prefetch(trie_.links[node - 1]);
  lane.stage = Stage::open;
}

void SentenceWalk::found(Lane& lane, std::uint64_t entry) {
  lane.begin = entry;
  trie_.probabilities.prefetch(entry);
  prefetch(trie_.links[entry]);
  lane.stage = Stage::take;
}

void SentenceWalk::back_off(Lane& lane) {
  lane.factor *= trie_.backoffs[lane.node];
  go_to(lane, trie_.links[lane.node - 1]);
}

void SentenceWalk::open(Lane& lane) {
  lane.begin = trie_.first_child[lane.node];
  lane.size = trie_.first_child[lane.node + 1] - lane.begin;
  if (lane.size == 0) return back_off(lane);
  prefetch(trie_.symbols[lane.begin + lane.size / 2]);
  lane.stage = Stage::search;
}

// As Trie::find(), but for the waiting.
void SentenceWalk::search(Lane& lane) {
  const Symbol* const symbols = trie_.symbols.data();
  do {
    const std::uint64_t half = lane.size / 2;
    if (half > 0 && symbols[lane.begin + half] <= lane.symbol) lane.begin += half;
    lane.size -= half;
  } while (lane.size > 1 && lane.size <= kNear);
  if (lane.size > 1) return prefetch(symbols[lane.begin + lane.size / 2]);
  if (symbols[lane.begin] != lane.symbol) return back_off(lane);
  found(lane, lane.begin);
}

/// False at the end of the text.
bool SentenceWalk::take(Lane& lane) {
  const Component& component = *part_.component;
  double p = lane.factor * trie_.probabilities[lane.begin];
  p *= component.emission_of(lane.word);
  p *= part_.share(lane.word);
  *lane.token++ += part_.weight * p;
  lane.words = lane.words.subspan(lane.at_end ? 0 : 1);
  const Node state = component.trie.after(lane.begin);
  if (!lane.words.empty()) {
    begin_word(lane, lane.words.front(), state);
  } else if (component.boundaries && !lane.at_end) {
    lane.at_end = true;
    begin_word(lane, LanguageModel::kEnd, state);
  } else {
    return begin_sentence(lane);
  }
  return true;
}

bool SentenceWalk::advance(Lane& lane) {
  switch (lane.stage) {
    case Stage::open:
      open(lane);
      return true;
    case Stage::search:
      search(lane);
      return true;
    case Stage::take:
      return take(lane);
  }
  return false;
}

}  // namespace firth::lm
