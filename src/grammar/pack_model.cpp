// From what was learned to what the parser uses.
#include <algorithm>
#include <map>
#include <tuple>

#include "grammar/parser_model.hpp"
#include "grammar/word_tags.hpp"

namespace firth {
namespace grammar {
namespace {

// The arrays of a model that was just trained.
struct Storage {
  std::vector<std::uint32_t> states;
  std::vector<BinaryRule> rules;
  std::vector<std::uint64_t> tensor_begin;
  std::vector<float> tensors;
  std::vector<LexicalRule> lexical;
  std::vector<std::uint64_t> vector_begin;
  std::vector<float> vectors;
  std::vector<std::uint64_t> root_begin;
  std::vector<float> roots;
  WordTags words;
  std::vector<std::uint32_t> cluster_of;
  std::vector<std::uint32_t> coarse_of;
  std::vector<BinaryRule> coarse_rules;
  std::vector<float> coarse_probabilities;
  std::vector<float> coarse_roots;
  std::vector<float> coarse_priors;
  std::vector<float> coarse_lexical;

  ModelArrays arrays() const {
    ModelArrays a;
    a.states = states;
    a.rules = rules;
    a.tensor_begin = tensor_begin;
    a.tensors = tensors;
    a.lexical = lexical;
    a.vector_begin = vector_begin;
    a.vectors = vectors;
    a.root_begin = root_begin;
    a.roots = roots;
    a.word_begin = words.begin;
    a.word_tags = words.tags;
    a.cluster_of = cluster_of;
    a.coarse_of = coarse_of;
    a.coarse_rules = coarse_rules;
    a.coarse_probabilities = coarse_probabilities;
    a.coarse_roots = coarse_roots;
    a.coarse_priors = coarse_priors;
    a.coarse_lexical = coarse_lexical;
    return a;
  }
};

std::vector<float> to_float(std::span<const double> values) {
  std::vector<float> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [](double v) { return static_cast<float>(v); });
  return result;
}

class Packer {
 public:
  Packer(const TrainingSet& set, const LatentGrammar& grammar) : set_(set), grammar_(grammar) {}

  std::shared_ptr<const ParserModel> run(const Clustering* clusters) {
    copy_grammar();
    storage_->words = make_word_tags(set_);
    add_coarse();
    add_any_word();
    auto model = std::make_shared<ParserModel>();
    if (clusters != nullptr) add_clusters(*clusters, model->cluster_words);
    model->binarize = set_.binarize;
    model->symbols = set_.symbols;
    model->lexicon = set_.lexicon;
    model->words = set_.words;
    model->arrays = storage_->arrays();
    model->owner = storage_;
    return model;
  }

 private:
  void copy_grammar() {
    storage_->states = grammar_.states;
    storage_->rules = grammar_.rules;
    storage_->tensor_begin = grammar_.tensor_begin;
    storage_->tensors = to_float(grammar_.tensors);
    storage_->lexical = grammar_.lexical;
    storage_->vector_begin = grammar_.vector_begin;
    storage_->vectors = to_float(grammar_.vectors);
    storage_->root_begin = grammar_.root_begin;
    storage_->roots = to_float(grammar_.roots);
  }

  void add_lexical(const LexicalRule& rule, std::span<const double> vector, double count) {
    storage_->lexical.push_back(rule);
    for (const double value : vector) storage_->vectors.push_back(static_cast<float>(value));
    storage_->vector_begin.push_back(storage_->vectors.size());
    storage_->coarse_lexical.push_back(static_cast<float>(count / coarse_count(rule.tag)));
  }

  // Any word: the sum over all rules of a tag.
  void add_any_word() {
    const auto any = static_cast<TerminalId>(set_.lexicon.size());
    std::vector<std::vector<double>> sums(grammar_.states.size());
    for (std::size_t i = 0; i < grammar_.lexical.size(); ++i) {
      std::vector<double>& sum = sums[grammar_.lexical[i].tag];
      const auto vector = grammar_.vector(i);
      sum.resize(vector.size(), 0.0);
      for (std::size_t h = 0; h < vector.size(); ++h) sum[h] += vector[h];
    }
    for (SymbolId tag = 0; tag < sums.size(); ++tag) {
      if (set_.symbols.is_tag(tag)) {
        add_lexical({tag, any}, sums[tag], static_cast<double>(set_.rules.symbols[tag]));
      }
    }
  }

  void add_clusters(const Clustering& clusters, treebank::Interner& words) {
    const auto first = static_cast<TerminalId>(set_.lexicon.size() + 1);
    ClusterRules made = make_cluster_rules(set_, grammar_, storage_->words, clusters, first);
    for (std::size_t i = 0; i < made.rules.size(); ++i) {
      add_lexical(made.rules[i], made.vectors[i], made.counts[i]);
    }
    for (WordId word = 0; word < clusters.word_count(); ++word) {
      if (made.cluster_of[word] == kNoTerminal) continue;
      words.intern(clusters.vocabulary().word(word));
      storage_->cluster_of.push_back(made.cluster_of[word]);
    }
  }

  double coarse_count(SymbolId symbol) const { return coarse_counts_[storage_->coarse_of[symbol]]; }

  // Symbols without their annotations, and relative frequencies of rules between them.
  void add_coarse() {
    treebank::SymbolTable coarse;
    for (SymbolId symbol = 0; symbol < set_.symbols.size(); ++symbol) {
      const std::string name = treebank::plain_symbol(set_.symbols.name(symbol));
      storage_->coarse_of.push_back(coarse.intern(name, set_.symbols.is_tag(symbol)));
    }
    coarse_counts_.assign(coarse.size(), 0.0);
    std::vector<double> roots(coarse.size(), 0.0);
    double nodes = 0;
    for (SymbolId symbol = 0; symbol < set_.symbols.size(); ++symbol) {
      const auto count = static_cast<double>(set_.rules.symbols[symbol]);
      coarse_counts_[storage_->coarse_of[symbol]] += count;
      nodes += count;
      roots[storage_->coarse_of[symbol]] +=
          static_cast<double>(set_.rules.roots[symbol]) / static_cast<double>(set_.tree_count());
    }
    storage_->coarse_roots = to_float(roots);
    for (const double count : coarse_counts_) {
      storage_->coarse_priors.push_back(static_cast<float>(count / nodes));
    }
    add_coarse_rules();
    for (std::size_t i = 0; i < set_.rules.lexical.size(); ++i) {
      storage_->coarse_lexical.push_back(static_cast<float>(
          static_cast<double>(set_.rules.lexical_counts[i]) / coarse_count(set_.rules.lexical[i].tag)));
    }
  }

  void add_coarse_rules() {
    std::map<std::tuple<SymbolId, SymbolId, SymbolId>, double> counts;
    const auto& of = storage_->coarse_of;
    for (std::size_t i = 0; i < set_.rules.rules.size(); ++i) {
      const BinaryRule& rule = set_.rules.rules[i];
      counts[{of[rule.left], of[rule.right], of[rule.parent]}] +=
          static_cast<double>(set_.rules.rule_counts[i]);
    }
    for (const auto& [key, count] : counts) {
      const auto [left, right, parent] = key;
      storage_->coarse_rules.push_back({parent, left, right});
      storage_->coarse_probabilities.push_back(static_cast<float>(count / coarse_counts_[parent]));
    }
  }

  const TrainingSet& set_;
  const LatentGrammar& grammar_;
  std::shared_ptr<Storage> storage_ = std::make_shared<Storage>();
  std::vector<double> coarse_counts_;
};

}  // namespace

std::pair<std::uint32_t, std::uint32_t> ParserModel::rules_of(TerminalId terminal) const {
  const auto before = [](const LexicalRule& rule, TerminalId value) { return rule.terminal < value; };
  const auto begin = arrays.lexical.begin();
  const auto first = std::lower_bound(begin, arrays.lexical.end(), terminal, before);
  const auto last = std::lower_bound(first, arrays.lexical.end(), terminal + 1, before);
  return {static_cast<std::uint32_t>(first - begin), static_cast<std::uint32_t>(last - begin)};
}

std::shared_ptr<const ParserModel> make_parser_model(const TrainingSet& set, const LatentGrammar& grammar,
                                                     const Clustering* clusters) {
  return Packer(set, grammar).run(clusters);
}

}  // namespace grammar

LpcfgInfo Lpcfg::info() const {
  LpcfgInfo info;
  const grammar::ModelArrays& a = model_->arrays;
  for (grammar::SymbolId symbol = 0; symbol < a.states.size(); ++symbol) {
    ++(model_->symbols.is_tag(symbol) ? info.tags : info.phrases);
    info.states += a.states[symbol];
  }
  info.binary_rules = a.rules.size();
  info.lexical_rules = a.lexical.size();
  info.parameters = a.tensors.size() + a.vectors.size() + a.roots.size();
  info.words = model_->lexicon.known_words();
  info.classes = model_->lexicon.size() - model_->lexicon.known_words();
  return info;
}

}  // namespace firth
