// Any model as one plain n-gram model: static interpolation, then pruning.
#include <fmt/format.h>

#include <algorithm>

#include "base/internals.hpp"
#include "base/stage.hpp"
#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "lm/arpa_write.hpp"
#include "lm/expand.hpp"
#include "lm/model.hpp"
#include "lm/trie_builder.hpp"

namespace firth {
namespace lm {
namespace {

/// The n-grams of a part, and its words as words of the model.
struct PartNgrams {
  Trie trie;
  std::vector<WordId> words;
};

class StaticMixture {
 public:
  StaticMixture(const LanguageModel& model, double threshold, const RunOptions& run)
      : model_(model), run_(run) {
    for (const Part& part : base::internals(model).parts) {
      const Component& c = *part.component;
      parts_.push_back({c.has_classes() ? expand_classes(c, threshold, run) : c.trie, model_words(c)});
    }
  }

  Trie make() {
    add_words();
    for (int level = 2; level <= model_.order(); ++level) {
      std::vector<NgramRow> rows;
      for (const PartNgrams& part : parts_) {
        if (level <= part.trie.order()) add_level(part, level, rows);
      }
      leave_one_of_each(rows);
      builder_.add_level(std::move(rows));
    }
    return normalised(builder_.finish(run_.threads));
  }

 private:
  std::vector<WordId> model_words(const Component& component) const {
    std::vector<WordId> words;
    for (WordId word = 0; word < component.words.size(); ++word)
      words.push_back(model_.find(component.words[word]));
    return words;
  }

  void add_words() {
    std::vector<NgramRow> rows;
    for (WordId word = 0; word < model_.word_count(); ++word)
      rows.push_back({kRoot, word, model_.probability(model_.no_context(), word), 1, 0});
    builder_.add_level(std::move(rows));
  }

  void add_level(const PartNgrams& part, int level, std::vector<NgramRow>& rows) {
    const auto levels = part.trie.arrays().level_begin;
    const auto index = static_cast<std::size_t>(level);
    LevelWalker walker(part.trie, level);
    std::vector<Symbol> words;
    std::vector<Symbol> context;
    Node parent = kRoot;
    LmState state;
    for (std::uint64_t entry = levels[index - 1]; entry < levels[index]; ++entry) {
      words.clear();
      for (const Symbol symbol : walker.symbols(entry)) words.push_back(part.words[symbol]);
      const Symbol last = words.back();
      words.pop_back();
      if (words != context) {
        run_.check_stop();
        require(rows.size());
        context = words;
        parent = builder_.find(context).value_or(kRoot);
        state = state_after(context);
      }
      if (parent == kRoot) continue;  // its context has probability 0
      const double p = model_.probability(state, last);
      if (p > 0) rows.push_back({parent, last, p, 1, 0});
    }
  }

  LmState state_after(const std::vector<Symbol>& words) const {
    LmState state = model_.no_context();
    for (const Symbol word : words) model_.advance(state, word);
    return state;
  }

  static void leave_one_of_each(std::vector<NgramRow>& rows) {
    const auto key = [](const NgramRow& row) { return std::pair(row.parent, row.symbol); };
    std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    rows.erase(
        std::unique(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        rows.end());
  }

  void require(std::size_t rows) const {
    const std::uint64_t all = builder_.entries() + rows;
    const bool fits = run_.memory_bytes == 0 || all * 2 * sizeof(NgramRow) <= run_.memory_bytes;
    if (fits && all <= kMaxNodes) return;
    throw ResourceError(fmt::format("the mixture has more than {} n-grams", all),
                        "raise LmExpandOptions::threshold or the memory limit");
  }

  const LanguageModel& model_;
  const RunOptions& run_;
  std::vector<PartNgrams> parts_;
  TrieBuilder builder_;
};

Trie plain_trie(const LanguageModel& model, double threshold, const RunOptions& run) {
  const Model& parts = base::internals(model);
  if (!parts.single()) return StaticMixture(model, threshold, run).make();
  return model.has_classes() ? expand_classes(parts.first(), threshold, run) : parts.first().trie;
}

}  // namespace
}  // namespace lm

void validate(const LmExpandOptions& options) {
  if (!(options.threshold >= 0)) throw UsageError("a threshold is a number of 0 or more");
  if (!(options.prune >= 0)) throw UsageError("a threshold of pruning is a number of 0 or more");
}

LanguageModel expand_lm(const LanguageModel& model, const LmExpandOptions& options, const RunOptions& run) {
  validate(options);
  const base::Stage stage(run, "expanding");
  auto component = std::make_shared<lm::Component>();
  component->words = base::internals(model).words;
  component->boundaries = model.has_boundaries();
  component->preprocessing = model.preprocessing();
  component->trie = lm::plain_trie(model, options.threshold, run);
  if (options.prune > 0 || options.max_ngrams > 0)
    component->trie = lm::pruned(component->trie, {options.prune, options.max_ngrams}, run);
  return LanguageModel(lm::make_model(std::move(component)));
}

void save_expanded_arpa(const std::string& path, const LanguageModel& model, double threshold,
                        const RunOptions& run) {
  if (!model.has_classes())
    throw UsageError("only a class model can be expanded", "train one with train_class_lm()");
  save_arpa(path, expand_lm(model, {.threshold = threshold}, run));
}

}  // namespace firth
