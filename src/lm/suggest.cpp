#include <algorithm>
#include <limits>
#include <numeric>

#include "lm/model.hpp"

namespace firth::lm {
namespace {

constexpr WordId kNoModelWord = std::numeric_limits<WordId>::max();

bool better(const LmWord& a, const LmWord& b) {
  return a.probability != b.probability ? a.probability > b.probability : a.word < b.word;
}

void keep_best(std::vector<LmWord>& words, std::size_t max_words) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(max_words, words.size()));
  std::partial_sort(words.begin(), words.begin() + kept, words.end(), better);
  words.resize(static_cast<std::size_t>(kept));
}

/// What the part gives each word of the model that it does not know.
double unknown_share(const Part& part, Node state) {
  if (part.unknown_words <= 1) return 0;  // only <unk> itself, which is never suggested
  return part.component->step(state, LanguageModel::kUnknown).probability / part.unknown_words;
}

/// The best word of a class that was not taken yet.
struct Head {
  LmWord word;
  Symbol symbol;
  std::size_t rank;

  friend bool operator<(const Head& a, const Head& b) { return better(b.word, a.word); }
};

}  // namespace

Suggester::Suggester(const Component& component) : component_(component) {
  const Probabilities& unigrams = component.trie.arrays().probabilities;
  by_probability_.resize(component.trie.symbol_count());
  std::iota(by_probability_.begin(), by_probability_.end(), Symbol{0});
  std::stable_sort(by_probability_.begin(), by_probability_.end(),
                   [&](Symbol a, Symbol b) { return unigrams[a] > unigrams[b]; });
  mark_.assign(by_probability_.size(), 0);
  if (component.has_classes()) members_ = component.members();
}

// Candidates: every symbol with an n-gram in some context of the state, and of the others, which all have the
// same factor on their unigram probability, the `max_words` likeliest.
void Suggester::collect(Node state, std::size_t max_words) {
  const Trie& trie = component_.trie;
  const TrieArrays& arrays = trie.arrays();
  found_.clear();
  ++call_;
  double factor = 1;
  for (Node node = state; node != kRoot; node = trie.suffix(node)) {
    for (std::uint64_t entry = trie.children_begin(node); entry < trie.children_end(node); ++entry) {
      const Symbol symbol = arrays.symbols[entry];
      if (mark_[symbol] == call_) continue;
      mark_[symbol] = call_;
      found_.push_back({symbol, factor * arrays.probabilities[entry]});
    }
    factor *= arrays.backoffs[node];
  }
  std::size_t fresh = 0;
  for (const Symbol symbol : by_probability_) {
    if (mark_[symbol] == call_) continue;
    if (++fresh > max_words) break;
    found_.push_back({symbol, factor * arrays.probabilities[symbol]});
  }
}

std::vector<LmWord> Suggester::symbols(Node state, std::size_t max_words, bool with_unknown) {
  collect(state, max_words + 2);  // <s> and <unk> may be among them
  std::erase_if(found_, [&](const LmWord& w) {
    return w.word == kBeginSymbol || (w.word == kUnknownSymbol && !with_unknown);
  });
  keep_best(found_, max_words);
  return found_;
}

std::vector<LmWord> Suggester::words(Node state, std::size_t max_words) {
  return component_.has_classes() ? class_words(state, max_words) : symbols(state, max_words, false);
}

std::vector<LmWord> Suggester::class_words(Node state, std::size_t max_words) {
  std::vector<double> classes(component_.trie.symbol_count());
  component_.trie.distribution(state, classes);
  const auto head = [&](Symbol symbol, std::size_t rank) {
    const WordId word = members_.of(symbol)[rank];
    return Head{{word, classes[symbol] * component_.emission[word]}, symbol, rank};
  };
  std::vector<Head> heads;
  for (Symbol symbol = 0; symbol < classes.size(); ++symbol) {
    const bool offered = symbol != kBeginSymbol && symbol != kUnknownSymbol && !members_.of(symbol).empty();
    if (offered) heads.push_back(head(symbol, 0));
  }
  std::make_heap(heads.begin(), heads.end());
  std::vector<LmWord> result;
  while (result.size() < max_words && !heads.empty()) {
    std::pop_heap(heads.begin(), heads.end());
    const Head best = heads.back();
    heads.pop_back();
    result.push_back(best.word);
    if (best.rank + 1 == members_.of(best.symbol).size()) continue;
    heads.push_back(head(best.symbol, best.rank + 1));
    std::push_heap(heads.begin(), heads.end());
  }
  return result;
}

ModelSuggester::ModelSuggester(const Model& model) : model_(model) {
  for (const Part& part : model.parts) {
    parts_.emplace_back(*part.component);
    std::vector<WordId>& back = model_word_.emplace_back();
    if (part.words.empty()) continue;
    back.assign(part.component->words.size(), kNoModelWord);
    for (WordId word = 0; word < part.words.size(); ++word) {
      if (part.words[word] != LanguageModel::kUnknown) back[part.words[word]] = word;
    }
  }
}

std::vector<LmWord> ModelSuggester::words(const LmState& state, std::size_t max_words) {
  if (model_.single()) return parts_.front().words(state.nodes[0], max_words);
  return mixed_words(state, max_words);
}

std::span<const WordId> ModelSuggester::words_with(std::string_view prefix) {
  const Names& names = model_.words;
  if (by_spelling_.empty()) {
    by_spelling_.resize(names.size() - kSpecialSymbols);
    std::iota(by_spelling_.begin(), by_spelling_.end(), WordId{kSpecialSymbols});
    std::sort(by_spelling_.begin(), by_spelling_.end(),
              [&](WordId a, WordId b) { return names[a] < names[b]; });
  }
  const auto begin_of = [&](WordId word) { return names[word].substr(0, prefix.size()); };
  const auto first = std::lower_bound(by_spelling_.begin(), by_spelling_.end(), prefix,
                                      [&](WordId word, std::string_view p) { return begin_of(word) < p; });
  const auto last = std::upper_bound(first, by_spelling_.end(), prefix,
                                     [&](std::string_view p, WordId word) { return p < begin_of(word); });
  return {first, last};
}

// Few words are looked up one by one. Where many words begin so, some are among the likeliest of all.
std::vector<LmWord> ModelSuggester::completions(const LmState& state, std::string_view prefix,
                                                std::size_t max_words) {
  constexpr std::size_t kFew = 300;
  constexpr std::size_t kPerWord = 16;
  constexpr std::size_t kGrowth = 4;
  const std::span<const WordId> candidates = words_with(prefix);
  std::vector<LmWord> found;
  for (std::size_t depth = kPerWord * max_words; candidates.size() > std::max(depth, kFew);
       depth *= kGrowth) {
    found = words(state, depth);
    std::erase_if(found, [&](const LmWord& w) {
      return w.word < kSpecialSymbols || !model_.words[w.word].starts_with(prefix);
    });
    if (found.size() < max_words) continue;
    found.resize(max_words);
    return found;
  }
  found.clear();
  const LanguageModel whole(std::shared_ptr<const Model>(std::shared_ptr<const Model>{}, &model_));
  for (const WordId word : candidates) found.push_back({word, whole.probability(state, word)});
  keep_best(found, max_words);
  return found;
}

// Fagin's threshold algorithm: look deeper into each part's list until no word outside the lists can be
// better than the last one kept.
std::vector<LmWord> ModelSuggester::mixed_words(const LmState& state, std::size_t max_words) {
  constexpr std::size_t kGrowth = 4;
  const LanguageModel whole(std::shared_ptr<const Model>(std::shared_ptr<const Model>{}, &model_));
  for (std::size_t depth = max_words * kGrowth;; depth *= kGrowth) {
    std::vector<WordId> candidates;
    double bound = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = model_.parts[i];
      const std::vector<LmWord> best = parts_[i].words(state.nodes[i], depth);
      for (const LmWord& word : best) {
        candidates.push_back(part.words.empty() ? word.word : model_word_[i][word.word]);
      }
      const double last = best.size() < depth ? 0 : best.back().probability;
      bound += part.weight * std::max(last, unknown_share(part, state.nodes[i]));
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<LmWord> words;
    words.reserve(candidates.size());
    for (const WordId word : candidates) words.push_back({word, whole.probability(state, word)});
    keep_best(words, max_words);
    const bool sure = words.size() == max_words && words.back().probability > bound;
    if (sure || depth >= model_.words.size()) return words;
  }
}

}  // namespace firth::lm
