// A class model written out over words: p(w | h) = p(c(w) | classes of h) p(w | c(w)).
#include "lm/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/stage.hpp"
#include "firth/error.hpp"
#include "lm/trie_builder.hpp"

namespace firth::lm {
namespace {

/// A word n-gram that was kept: where it is in the word trie, where in the class trie, how likely it is.
struct Context {
  Node words = kRoot;    ///< in the trie that is being built
  Node classes = kRoot;  ///< state of the class trie after its words
  Node shorter = kRoot;  ///< the state without its first word
  double probability = 1;
};

class Expansion {
 public:
  Expansion(const Component& component, double threshold, const RunOptions& run)
      : c_(component), members_(component.members()), threshold_(threshold), run_(run) {}

  Trie make() {
    add_unigrams();
    for (int level = 2; level <= c_.trie.order(); ++level) add_level(level);
    return normalised(builder_.finish(run_.threads));
  }

 private:
  void require(std::size_t rows) const {
    const std::uint64_t bytes = (builder_.entries() + 2 * rows) * (sizeof(NgramRow) + sizeof(Context));
    const bool too_many = builder_.entries() + rows > kMaxNodes;
    if (!too_many && (run_.memory_bytes == 0 || bytes <= run_.memory_bytes)) return;
    throw ResourceError(
        fmt::format("the expanded model has more than {} n-grams", builder_.entries() + rows),
        "raise the threshold of pruning (or RunOptions::memory_bytes), or export the class n-grams and the classes instead");
  }

  void add_unigrams() {
    std::vector<NgramRow> rows;
    const double end = c_.trie.arrays().probabilities[kEndSymbol];
    for (WordId word = 0; word < c_.words.size(); ++word) {
      const Step step = c_.step(kRoot, word);
      rows.push_back({kRoot, word, step.probability, 1, 0});
      // There are as many beginnings as ends.
      const double probability = word == LanguageModel::kBegin ? end : step.probability;
      const bool context = word != LanguageModel::kEnd;
      if (context) contexts_.push_back({static_cast<Node>(word + 1), step.next, kRoot, probability});
    }
    builder_.add_level(std::move(rows));
  }

  // Contexts are in the order of their nodes, and words of a class are taken out by likelihood: the builder
  // sorts.
  void add_level(int level) {
    std::vector<NgramRow> rows;
    std::vector<Context> next;
    const base::Stage stage(run_, "expansion", "contexts", contexts_.size());
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      run_.check_stop();
      add_after(contexts_[i], level, rows, next);
      require(rows.size());
      stage.advance(i + 1);
    }
    // The builder puts rows in order of (parent, symbol); the new contexts must know their nodes there.
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return rows[a].parent != rows[b].parent ? rows[a].parent < rows[b].parent
                                              : rows[a].symbol < rows[b].symbol;
    });
    const std::uint64_t first = builder_.entries();
    contexts_.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      Context context = next[order[i]];
      context.words = static_cast<Node>(first + i + 1);
      if (rows[order[i]].symbol != LanguageModel::kEnd) contexts_.push_back(context);
    }
    builder_.add_level(std::move(rows));
  }

  // The classes that follow: those with an n-gram of this length (order 2: all, as there is little to back
  // off to).
  void add_after(const Context& context, int level, std::vector<NgramRow>& rows, std::vector<Context>& next) {
    const std::uint64_t begin = c_.trie.children_begin(context.classes);
    const std::uint64_t end = c_.trie.children_end(context.classes);
    if (context.classes == kRoot || length_of(context.classes) + 1 != level) return;
    for (std::uint64_t entry = begin; entry < end; ++entry) {
      const Symbol symbol = c_.trie.arrays().symbols[entry];
      const double p = c_.trie.arrays().probabilities[entry];
      const Step shorter = c_.trie.step(context.shorter, symbol);
      const double ratio = shorter.probability > 0 ? std::abs(std::log(p / shorter.probability)) : 1;
      const double weight = context.probability * p * ratio;
      for (const WordId word : members_.of(symbol)) {
        const double emission = c_.emission_of(word);
        if (weight * emission < threshold_ || emission <= 0 || p <= 0) break;
        rows.push_back({context.words, word, p * emission, 1, 0});
        next.push_back({kRoot, c_.trie.after(entry), shorter.next, context.probability * p * emission});
      }
    }
  }

  int length_of(Node node) const {
    const auto levels = c_.trie.arrays().level_begin;
    int length = 1;
    while (node - 1 >= levels[static_cast<std::size_t>(length)]) ++length;
    return length;
  }

  const Component& c_;
  Members members_;
  double threshold_;
  const RunOptions& run_;
  TrieBuilder builder_;
  std::vector<Context> contexts_;
};

}  // namespace

Trie normalised(const Trie& trie) {
  const TrieArrays& a = trie.arrays();
  TrieStorage storage{{a.level_begin.begin(), a.level_begin.end()},
                      {a.symbols.begin(), a.symbols.end()},
                      {},
                      {a.links.begin(), a.links.end()},
                      {},
                      {a.first_child.begin(), a.first_child.end()}};
  storage.probabilities.reserve(a.probabilities.size());
  storage.backoffs.reserve(a.backoffs.size());
  for (std::uint64_t entry = 0; entry < a.probabilities.size(); ++entry)
    storage.probabilities.push_back(a.probabilities[entry]);
  for (Node node = 0; node < trie.node_count(); ++node) storage.backoffs.push_back(a.backoffs[node]);
  const Trie growing(storage.arrays(), nullptr);
  for (Node node = 1; node < growing.node_count(); ++node) {
    const Trie::ChildMass mass = growing.child_mass(node);
    const double left = std::max(0.0, 1 - mass.own);
    const double room = 1 - mass.shorter;
    storage.backoffs[node] = room > 1e-12 ? left / room : 0;
  }
  return make_trie(std::move(storage));
}

Trie expand_classes(const Component& component, double threshold, const RunOptions& run) {
  return Expansion(component, threshold, run).make();
}

}  // namespace firth::lm
