// Probabilities of many sentences at once.
#pragma once

#include <span>
#include <vector>

#include "lm/model.hpp"

namespace firth::lm {

/// Words that are scored: those of a sentence that is not empty, and </s> if the model has boundaries.
inline std::size_t token_count(std::span<const WordId> sentence, bool boundaries) {
  return sentence.empty() ? 0 : sentence.size() + (boundaries ? 1 : 0);
}

/// Walks through several sentences at a time, a step of each in turn: a search in a large model mostly waits for
/// memory, and meanwhile the others go on. The numbers are those of Part::step(), bit for bit.
class SentenceWalk {
 public:
  explicit SentenceWalk(const Part& part) : part_(part), trie_(part.component->trie.arrays()) {}

  /// Adds weight * p(word | words before it) to the token of each word, sentence after sentence.
  void add(std::span<const std::span<const WordId>> sentences, std::span<double> tokens);

 private:
  enum class Stage { open, search, take };
  /// A sentence on its way.
  struct Lane {
    std::span<const WordId> words = {};
    double* token = nullptr;
    bool at_end = false;  ///< the next word is </s>
    WordId word = 0;
    Symbol symbol = 0;
    Node node = kRoot;
    double factor = 1;
    std::uint64_t begin = 0;  ///< of the children among which the symbol may be
    std::uint64_t size = 0;
    Stage stage = Stage::open;
  };

  bool begin_sentence(Lane& lane);
  void begin_word(Lane& lane, WordId word, Node state);
  void go_to(Lane& lane, Node node);
  void back_off(Lane& lane);
  void found(Lane& lane, std::uint64_t entry);
  void open(Lane& lane);
  void search(Lane& lane);
  bool take(Lane& lane);
  bool advance(Lane& lane);

  const Part& part_;
  const TrieArrays& trie_;
  std::span<const std::span<const WordId>> waiting_;
  double* next_token_ = nullptr;
};

}  // namespace firth::lm
