// From what was learned to what the parser uses.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "grammar/parser_model.hpp"
#include "grammar/word_tags.hpp"

namespace firth {
namespace grammar {
namespace {

// The arrays of a plain PCFG.
struct PlainStorage {
  std::vector<BinaryRule> rules;
  std::vector<float> probabilities;
  std::vector<float> roots;
  std::vector<float> priors;
  std::vector<float> lexical;

  PlainArrays arrays() const { return {rules, probabilities, roots, priors, lexical}; }
};

// The arrays of a model that was just trained. Large because it has one array per section of the file.
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
  PlainStorage coarse;
  PlainStorage plain;

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
    a.coarse = coarse.arrays();
    a.plain = plain.arrays();
    return a;
  }
};

std::vector<float> to_float(std::span<const double> values) {
  std::vector<float> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [](double v) { return static_cast<float>(v); });
  return result;
}

Preprocessing spelling_of(const Clustering& clusters) {
  return clusters.preprocessing().value_or(Preprocessing{});
}

class Packer {
 public:
  Packer(const TrainingSet& set, const LatentGrammar& grammar) : set_(set), grammar_(grammar) {}

  std::shared_ptr<ParserModel> run(const Clustering* clusters, const RunOptions& run) {
    copy_grammar();
    storage_->words = make_word_tags(set_, run);
    add_plain();
    add_any_word();
    auto model = std::make_shared<ParserModel>();
    if (clusters != nullptr) {
      add_clusters(*clusters, model->cluster_words);
      model->cluster_spelling = spelling_of(*clusters);
    }
    model->spelling = set_.spelling;
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
    storage_->coarse.lexical.push_back(
        static_cast<float>(count / coarse_counts_[storage_->coarse_of[rule.tag]]));
    storage_->plain.lexical.push_back(
        static_cast<float>(count / static_cast<double>(set_.rules.symbols[rule.tag])));
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

  // Symbols without their annotations, and the grammar's own.
  void add_plain() {
    treebank::SymbolTable coarse;
    std::vector<std::uint32_t> own;
    for (SymbolId symbol = 0; symbol < set_.symbols.size(); ++symbol) {
      const std::string name = treebank::plain_symbol(set_.symbols.name(symbol));
      storage_->coarse_of.push_back(coarse.intern(name, set_.symbols.is_tag(symbol)));
      own.push_back(symbol);
    }
    coarse_counts_ = count_symbols(storage_->coarse_of, coarse.size());
    storage_->coarse = make_plain(storage_->coarse_of, coarse_counts_);
    storage_->plain = make_plain(own, count_symbols(own, own.size()));
  }

  std::vector<double> count_symbols(std::span<const std::uint32_t> of, std::size_t size) const {
    std::vector<double> counts(size, 0.0);
    for (SymbolId symbol = 0; symbol < of.size(); ++symbol) {
      counts[of[symbol]] += static_cast<double>(set_.rules.symbols[symbol]);
    }
    return counts;
  }

  // Relative frequencies, with symbol i taken for of[i].
  PlainStorage make_plain(std::span<const std::uint32_t> of, std::span<const double> counts) const {
    PlainStorage plain;
    std::vector<double> roots(counts.size(), 0.0);
    for (SymbolId symbol = 0; symbol < of.size(); ++symbol) {
      roots[of[symbol]] +=
          static_cast<double>(set_.rules.roots[symbol]) / static_cast<double>(set_.tree_count());
    }
    plain.roots = to_float(roots);
    const double nodes = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (const double count : counts) plain.priors.push_back(static_cast<float>(count / nodes));
    add_plain_rules(of, counts, plain);
    for (std::size_t i = 0; i < set_.rules.lexical.size(); ++i) {
      const auto count = static_cast<double>(set_.rules.lexical_counts[i]);
      plain.lexical.push_back(static_cast<float>(count / counts[of[set_.rules.lexical[i].tag]]));
    }
    return plain;
  }

  void add_plain_rules(std::span<const std::uint32_t> of, std::span<const double> counts,
                       PlainStorage& plain) const {
    std::map<std::tuple<SymbolId, SymbolId, SymbolId>, double> sums;
    for (std::size_t i = 0; i < set_.rules.rules.size(); ++i) {
      const BinaryRule& rule = set_.rules.rules[i];
      sums[{of[rule.left], of[rule.right], of[rule.parent]}] +=
          static_cast<double>(set_.rules.rule_counts[i]);
    }
    for (const auto& [key, count] : sums) {
      const auto [left, right, parent] = key;
      plain.rules.push_back({parent, left, right});
      plain.probabilities.push_back(static_cast<float>(count / counts[parent]));
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

std::shared_ptr<const ParserModel> make_parser_model(const TrainingSet& set,
                                                     std::span<const LatentGrammar> grammars,
                                                     const Clustering* clusters, const RunOptions& run) {
  const auto model = Packer(set, grammars.front()).run(clusters, run);
  const auto owners = std::make_shared<std::vector<std::shared_ptr<const void>>>(1, model->owner);
  for (const LatentGrammar& grammar : grammars.subspan(1)) {
    const auto further = Packer(set, grammar).run(clusters, run);
    model->more_grammars.push_back(further->arrays);
    owners->push_back(further->owner);
  }
  model->owner = owners;
  return model;
}

}  // namespace grammar

const Preprocessing& Lpcfg::preprocessing() const {
  return model_->spelling;
}

LpcfgInfo Lpcfg::info() const {
  LpcfgInfo info;
  const grammar::ModelArrays& a = model_->arrays;
  for (grammar::SymbolId symbol = 0; symbol < a.states.size(); ++symbol) {
    ++(model_->symbols.is_tag(symbol) ? info.tags : info.phrases);
    info.states += a.states[symbol];
  }
  info.binary_rules = a.rules.size();
  info.lexical_rules = a.lexical.size();
  info.grammars = 1 + model_->more_grammars.size();
  info.parameters = a.tensors.size() + a.vectors.size() + a.roots.size();
  for (const auto values : {a.tensors, a.vectors, a.roots}) {
    info.negative += static_cast<std::uint64_t>(
        std::count_if(values.begin(), values.end(), [](float value) { return value < 0; }));
  }
  info.words = model_->lexicon.known_words();
  info.classes = model_->lexicon.size() - model_->lexicon.known_words();
  return info;
}

}  // namespace firth
