#include <algorithm>
#include <numeric>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "lm/model.hpp"

namespace firth {
namespace lm {
namespace {

/// Draws from one component.
class ComponentSampler {
 public:
  explicit ComponentSampler(const Component& component) : component_(component) {
    const Probabilities& all = component.trie.arrays().probabilities;
    const auto unigrams = all.values().first(component.trie.symbol_count());
    sums_.resize(unigrams.size());
    std::partial_sum(unigrams.begin(), unigrams.end(), sums_.begin());
    if (component.has_classes()) members_ = component.members();
    for (std::size_t begin = 0; begin + kBlock <= all.size(); begin += kBlock) {
      double sum = 0;
      for (std::size_t entry = begin; entry < begin + kBlock; ++entry) sum += all[entry];
      block_sums_.push_back(sum);
    }
  }

  WordId draw(Node state, base::Rng& rng) const {
    const Symbol symbol = draw_symbol(state, rng);
    if (!component_.has_classes()) return symbol;
    const std::span<const WordId> words = members_.of(symbol);
    double left = rng.uniform();
    for (const WordId word : words) {
      left -= component_.emission[word];
      if (left < 0) return word;
    }
    return words.front();
  }

 private:
  // What a context has no n-gram for follows the distribution of the shorter context without the symbols that
  // it does have: drawn from there, and drawn again if it is one of them.
  Symbol draw_symbol(Node node, base::Rng& rng) const {
    if (node == kRoot) return draw_unigram(rng);
    const Trie& trie = component_.trie;
    const TrieArrays& arrays = trie.arrays();
    const std::uint64_t drawn = draw_entry(trie.children_begin(node), trie.children_end(node), rng.uniform());
    if (drawn != Trie::kNone) return arrays.symbols[drawn];
    if (arrays.backoffs[node] <= 0) return arrays.symbols[trie.children_begin(node)];
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      const Symbol symbol = draw_symbol(trie.suffix(node), rng);
      if (trie.find(node, symbol) == Trie::kNone) return symbol;
    }
    return kEndSymbol;
  }

  /// The entry at which the sum of the probabilities exceeds `left`, or none. Whole blocks are passed at once: what
  /// follows a frequent word are tens of thousands of entries.
  std::uint64_t draw_entry(std::uint64_t begin, std::uint64_t end, double left) const {
    const Probabilities& probabilities = component_.trie.arrays().probabilities;
    for (std::uint64_t entry = begin; entry < end;) {
      if (entry % kBlock == 0 && entry + kBlock <= end && block_sums_[entry / kBlock] <= left) {
        left -= block_sums_[entry / kBlock];
        entry += kBlock;
      } else {
        left -= probabilities[entry];
        if (left < 0) return entry;
        ++entry;
      }
    }
    return Trie::kNone;
  }

  Symbol draw_unigram(base::Rng& rng) const {
    const double at = rng.uniform() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
    const auto place =
        std::min<std::ptrdiff_t>(found - sums_.begin(), static_cast<std::ptrdiff_t>(sums_.size()) - 1);
    return static_cast<Symbol>(place);
  }

  static constexpr int kMaxAttempts = 100'000;
  static constexpr std::uint64_t kBlock = 64;

  const Component& component_;
  std::vector<double> sums_;        // of the probabilities of single symbols
  std::vector<double> block_sums_;  // of the probabilities of kBlock entries at a time, of any context
  Members members_;
};

}  // namespace
}  // namespace lm

struct LmSampler::Impl {
  LanguageModel model;
  base::Rng rng;
  std::vector<lm::ComponentSampler> parts;
  std::vector<std::vector<WordId>> model_words;

  WordId draw(const LmState& state) {
    const auto& parts_of_model = base::internals(model).parts;
    double left = rng.uniform();
    std::size_t chosen = 0;
    while (chosen + 1 < parts.size() && (left -= parts_of_model[chosen].weight) >= 0) ++chosen;
    const WordId own = parts[chosen].draw(state.nodes[chosen], rng);
    return parts_of_model[chosen].words.empty() ? own
                                                : model.find(parts_of_model[chosen].component->words[own]);
  }
};

LmSampler::LmSampler(const LanguageModel& model, std::uint64_t seed)
    : impl_(std::make_unique<Impl>(Impl{model, base::Rng(seed), {}, {}})) {
  for (const lm::Part& part : base::internals(model).parts) impl_->parts.emplace_back(*part.component);
}

LmSampler::~LmSampler() = default;
LmSampler::LmSampler(LmSampler&&) noexcept = default;
LmSampler& LmSampler::operator=(LmSampler&&) noexcept = default;

std::vector<WordId> LmSampler::sentence(std::size_t max_words) {
  constexpr int kMaxAttempts = 1000;
  std::vector<WordId> words;
  LmState state = impl_->model.begin_sentence();
  while (words.size() < max_words) {
    WordId word = impl_->draw(state);
    for (int attempt = 0; word == LanguageModel::kUnknown && attempt < kMaxAttempts; ++attempt) {
      word = impl_->draw(state);
    }
    if (word <= LanguageModel::kEnd) break;  // a model of nothing but <unk> has nothing to say
    impl_->model.advance(state, word);
    words.push_back(word);
  }
  return words;
}

}  // namespace firth
