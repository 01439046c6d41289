#include "lm/ngram_counts.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

#include "firth/error.hpp"
#include "lm/key_counter.hpp"

namespace firth::lm {
namespace {

__extension__ using WideKey = unsigned __int128;

}  // namespace

class NgramCounter::Engine {
 public:
  virtual ~Engine() = default;
  virtual void add(std::span<const Symbol> sentence) = 0;
  virtual NgramLevels finish(LowerCounts lower) = 0;
};

/// A key is an n-gram with its first symbol in the highest bits, so that sorting groups by context. Text
/// positions with less than order - 1 symbols before them are filled up with <s>: a key with two leading <s>
/// stands for the shorter n-gram that follows the first of them.
template <typename Key>
class NgramCounter::KeyEngine final : public Engine {
 public:
  KeyEngine(const NgramCountOptions& options, unsigned bits, const RunOptions& run)
      : options_(options), bits_(bits), run_(run), mask_((Key{1} << bits) - 1), keys_(run) {
    const int used = options.order * static_cast<int>(bits);
    key_mask_ = used == 8 * static_cast<int>(sizeof(Key)) ? ~Key{0} : (Key{1} << used) - 1;
  }

  void add(std::span<const Symbol> sentence) override {
    Key key = 0;
    int have = 0;
    const auto push = [&](Symbol symbol) {
      key = ((key << bits_) | symbol) & key_mask_;
      have = std::min(have + 1, options_.order);
    };
    if (options_.boundaries) {
      for (int i = 0; i < options_.order - 1; ++i) push(kBeginSymbol);
      have = options_.order;
    }
    for (const Symbol symbol : sentence) {
      push(symbol);
      if (have == options_.order) keys_.add(key);
    }
    if (!options_.boundaries) return;
    push(kEndSymbol);
    keys_.add(key);
  }

  NgramLevels finish(LowerCounts lower) override {
    std::vector<Item> items = keys_.take();
    NgramLevels levels(static_cast<std::size_t>(options_.order));
    std::vector<Item> shorter;
    for (int order = options_.order; order > 1; --order) {
      run_.check_stop();
      shorter = take_shorter(items, order, lower);
      fill_level(levels, order, items, shorter);
      items = std::move(shorter);
    }
    fill_unigrams(levels, items);
    return levels;
  }

 private:
  using Item = Counted<Key>;

  Symbol first(Key key, int order) const { return symbol_at(key, order, 0); }
  Symbol symbol_at(Key key, int order, int place) const {
    return static_cast<Symbol>((key >> (bits_ * static_cast<unsigned>(order - 1 - place))) & mask_);
  }
  bool is_filled_up(Key key, int order) const {
    return order > 1 && first(key, order) == kBeginSymbol && symbol_at(key, order, 1) == kBeginSymbol;
  }

  // The n-grams one symbol shorter; keys that only stood for those leave `items`.
  std::vector<Item> take_shorter(std::vector<Item>& items, int order, LowerCounts lower) const {
    KeyCounter<Key>::require(items.size() * 4, run_);
    const Key low_bits = (Key{1} << (bits_ * static_cast<unsigned>(order - 1))) - 1;
    std::vector<Item> shorter;
    shorter.reserve(items.size());
    std::size_t kept = 0;
    for (const Item& item : items) {
      const bool filled_up = is_filled_up(item.key, order);
      const bool counts_once = lower == LowerCounts::continuations && !filled_up;
      shorter.push_back({item.key & low_bits, counts_once ? 1 : item.count});
      if (!filled_up) items[kept++] = item;
    }
    items.resize(kept);
    if (order == 2) return dense(shorter);
    parallel_sort(shorter, run_.threads);
    collapse(shorter);
    shorter.shrink_to_fit();
    return shorter;
  }

  // One item per symbol, also for those never seen. <s> is context only: it was never predicted.
  std::vector<Item> dense(const std::vector<Item>& unigrams) const {
    std::vector<Item> all(options_.symbols);
    for (std::size_t symbol = 0; symbol < all.size(); ++symbol) all[symbol] = {static_cast<Key>(symbol), 0};
    for (const Item& item : unigrams) all[static_cast<std::size_t>(item.key)].count += item.count;
    all[kBeginSymbol].count = 0;
    return all;
  }

  // The children of `parents`, both sorted. Every n-gram's context is among the shorter n-grams.
  void fill_level(NgramLevels& levels, int order, const std::vector<Item>& items,
                  const std::vector<Item>& parents) const {
    NgramLevel& level = levels[static_cast<std::size_t>(order - 1)];
    std::vector<std::uint64_t>& first_child = levels[static_cast<std::size_t>(order - 2)].first_child;
    first_child.reserve(parents.size());
    level.last.reserve(items.size());
    level.counts.reserve(items.size());
    std::size_t child = 0;
    for (const Item& parent : parents) {
      if (is_filled_up(parent.key, order - 1)) continue;  // leaves its level, too
      first_child.push_back(child);
      while (child < items.size() && (items[child].key >> bits_) == parent.key) {
        level.last.push_back(static_cast<Symbol>(items[child].key & mask_));
        level.counts.push_back(items[child].count);
        ++child;
      }
    }
  }

  void fill_unigrams(NgramLevels& levels, const std::vector<Item>& items) const {
    const std::vector<Item> all = options_.order == 1 ? dense(items) : items;
    for (const Item& item : all) {
      levels[0].last.push_back(static_cast<Symbol>(item.key));
      levels[0].counts.push_back(item.count);
    }
  }

  NgramCountOptions options_;
  unsigned bits_;
  const RunOptions& run_;
  Key mask_;
  Key key_mask_;
  KeyCounter<Key> keys_;
};

NgramCounter::NgramCounter(const NgramCountOptions& options, const RunOptions& run) {
  const auto bits = static_cast<unsigned>(std::bit_width(options.symbols - 1));
  const unsigned used = bits * static_cast<unsigned>(options.order);
  if (used > 128) {
    throw UsageError(fmt::format("order {} with {} words is too much", options.order, options.symbols),
                     "lower LmTrainOptions::order, or the number of words with VocabularyOptions::min_count",
                     "LmTrainOptions::order");
  }
  if (used <= 64) {
    engine_ = std::make_unique<KeyEngine<std::uint64_t>>(options, bits, run);
  } else {
    engine_ = std::make_unique<KeyEngine<WideKey>>(options, bits, run);
  }
}

NgramCounter::~NgramCounter() = default;

void NgramCounter::add(std::span<const Symbol> sentence) {
  engine_->add(sentence);
}

NgramLevels NgramCounter::finish(LowerCounts lower) {
  return engine_->finish(lower);
}

}  // namespace firth::lm
