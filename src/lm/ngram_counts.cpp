#include "lm/ngram_counts.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

#include "base/memory_limit.hpp"
#include "firth/error.hpp"
#include "lm/key_counter.hpp"

namespace firth::lm {
namespace {

__extension__ using WideKey = unsigned __int128;

/// Where the n-grams begin that extend a context.
template <typename Key>
struct ChildRanges {
  struct Begin {
    Key context;
    std::uint64_t first;
  };
  std::vector<Begin> begins;  ///< rising; only contexts with children
  std::uint64_t end = 0;
};

/// Gives first_child to n-grams that come in rising order.
template <typename Key>
class ChildFinder {
 public:
  explicit ChildFinder(const ChildRanges<Key>& children) : children_(children) {}
  std::uint64_t first_child(Key key) {
    const auto& begins = children_.begins;
    while (next_ < begins.size() && begins[next_].context < key) ++next_;
    return next_ < begins.size() ? begins[next_].first : children_.end;
  }

 private:
  const ChildRanges<Key>& children_;
  std::size_t next_ = 0;
};

}  // namespace

class NgramCounter::Engine {
 public:
  virtual ~Engine() = default;
  virtual void add(std::span<const Symbol> sentence) = 0;
  virtual void add(std::span<const Symbol> ngram, Count count) = 0;
  virtual void for_each(const NgramVisitor& visit) = 0;
  virtual NgramLevels finish(LowerCounts lower) = 0;
};

/// A key is an n-gram with its first symbol in the highest bits, so that sorting groups by context. Text
/// positions with less than order - 1 symbols before them are filled up with <s>: a key with two leading <s>
/// stands for the shorter n-gram that follows the first of them.
template <typename Key>
class NgramCounter::KeyEngine final : public Engine {
 public:
  KeyEngine(const NgramCountOptions& options, unsigned bits, const RunOptions& run)
      : options_(options),
        bits_(bits),
        run_(run),
        mask_((Key{1} << bits) - 1),
        keys_(std::make_unique<KeyCounter<Key>>(run)) {
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
      if (have == options_.order) keys_->add(key);
    }
    if (!options_.boundaries) return;
    push(kEndSymbol);
    keys_->add(key);
  }

  void add(std::span<const Symbol> ngram, Count count) override {
    Key key = 0;
    for (const Symbol symbol : ngram) key = (key << bits_) | symbol;
    keys_->add(Item{key, count});
  }

  void for_each(const NgramVisitor& visit) override {
    std::vector<Symbol> ngram(static_cast<std::size_t>(options_.order));
    keys_->for_each([&](const Item& item) {
      for (int place = 0; place < options_.order; ++place) {
        ngram[static_cast<std::size_t>(place)] = symbol_at(item.key, options_.order, place);
      }
      visit(ngram, item.count);
    });
  }

  NgramLevels finish(LowerCounts lower) override {
    NgramLevels levels(static_cast<std::size_t>(options_.order));
    std::vector<Count> unigrams(options_.symbols, 0);
    Children children;
    for (int order = options_.order; order > 1; --order) {
      run_.check_stop();
      auto shorter = std::make_unique<KeyCounter<Key>>(run_);
      children = fill_level(levels, {order, lower, children}, [&](const Item& item) {
        if (order > 2) {
          shorter->add(item);
        } else {
          unigrams[static_cast<std::size_t>(item.key)] += item.count;
        }
      });
      keys_ = std::move(shorter);
    }
    if (options_.order == 1) {
      keys_->for_each([&](const Item& item) { unigrams[static_cast<std::size_t>(item.key)] = item.count; });
    }
    fill_unigrams(levels[0], std::move(unigrams), children);
    return levels;
  }

 private:
  using Item = Counted<Key>;
  using Children = ChildRanges<Key>;

  Symbol first(Key key, int order) const { return symbol_at(key, order, 0); }
  Symbol symbol_at(Key key, int order, int place) const {
    return static_cast<Symbol>((key >> (bits_ * static_cast<unsigned>(order - 1 - place))) & mask_);
  }
  bool is_filled_up(Key key, int order) const {
    return order > 1 && first(key, order) == kBeginSymbol && symbol_at(key, order, 1) == kBeginSymbol;
  }

  struct LevelTask {
    int order;
    LowerCounts lower;
    const Children& children;  ///< of the n-grams of this level
  };

  /// The level of `keys_`, and what its n-grams extend. Calls shorter(item) for each of its keys without their
  /// first symbol; keys that only stand for those are no n-grams.
  template <typename Shorter>
  Children fill_level(NgramLevels& levels, const LevelTask& task, const Shorter& shorter) {
    NgramLevel& level = levels[static_cast<std::size_t>(task.order - 1)];
    const bool is_highest = task.order == options_.order;
    reserve(level, keys_->distinct(), !is_highest);
    const Key low_bits = (Key{1} << (bits_ * static_cast<unsigned>(task.order - 1))) - 1;
    ChildFinder<Key> finder(task.children);
    Children contexts;
    keys_->for_each([&](const Item& item) {
      const bool filled_up = is_filled_up(item.key, task.order);
      const bool counts_once = task.lower == LowerCounts::continuations && !filled_up;
      shorter(Item{item.key & low_bits, counts_once ? 1 : item.count});
      if (filled_up) return;
      const Key context = item.key >> bits_;
      if (contexts.begins.empty() || contexts.begins.back().context != context) {
        contexts.begins.push_back({context, level.last.size()});
      }
      if (!is_highest) level.first_child.push_back(finder.first_child(item.key));
      level.last.push_back(static_cast<Symbol>(item.key & mask_));
      level.counts.push_back(item.count);
    });
    contexts.end = level.last.size();
    return contexts;
  }

  void reserve(NgramLevel& level, std::uint64_t ngrams, bool has_children) const {
    constexpr std::uint64_t kNgramBytes = sizeof(Symbol) + sizeof(Count) + sizeof(std::uint64_t);
    base::require_memory(run_, ngrams * kNgramBytes, "the table of n-grams",
                         "lower the order or the number of words");
    level.last.reserve(ngrams);
    level.counts.reserve(ngrams);
    if (has_children) level.first_child.reserve(ngrams);
  }

  // Every symbol, also those never seen. <s> is context only: it was never predicted.
  void fill_unigrams(NgramLevel& level, std::vector<Count> counts, const Children& children) const {
    counts[kBeginSymbol] = 0;
    ChildFinder<Key> finder(children);
    for (std::size_t symbol = 0; symbol < counts.size(); ++symbol) {
      level.last.push_back(static_cast<Symbol>(symbol));
      if (options_.order > 1) level.first_child.push_back(finder.first_child(static_cast<Key>(symbol)));
    }
    level.counts = std::move(counts);
  }

  NgramCountOptions options_;
  unsigned bits_;
  const RunOptions& run_;
  Key mask_;
  Key key_mask_;
  std::unique_ptr<KeyCounter<Key>> keys_;
};

NgramCounter::NgramCounter(const NgramCountOptions& options, const RunOptions& run) {
  const auto bits = static_cast<unsigned>(std::bit_width(options.symbols - 1));
  const unsigned used = bits * static_cast<unsigned>(options.order);
  if (used > kMaxKeyBits) {
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

void NgramCounter::add(std::span<const Symbol> ngram, Count count) {
  engine_->add(ngram, count);
}

void NgramCounter::for_each(const NgramVisitor& visit) {
  engine_->for_each(visit);
}

NgramLevels NgramCounter::finish(LowerCounts lower) {
  return engine_->finish(lower);
}

}  // namespace firth::lm
