#include "reference/naive_constrained_brown.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "cluster/brown/objective_terms.hpp"

namespace firth::reference {
namespace {

using brown::ObjectiveTerms;
using brown::Score;
using Words = std::set<std::string>;
using Pair = std::pair<std::string, std::string>;

const std::string kLineEnd = "\n";  // no word has one

class Naive {
 public:
  Naive(const Lines& lines, const BrownOptions& options)
      : options_(options), counts_(count_lines(lines)), index_(counts_.vocabulary()) {
    find_units();
    count_pairs(lines);
    sort_units();
  }

  ConstrainedBrown run() {
    const std::uint64_t window = std::min<std::uint64_t>(
        options_.window == 0 ? options_.classes + 1ULL : options_.window, queue_.size());
    while (clusters_.size() < window) insert();
    std::uint64_t merges = 0;
    while (!queue_.empty()) {
      if (!merge_best(true)) return std::move(result_);
      insert();
      if (options_.variant == BrownVariant::resort && ++merges % options_.resort_every == 0) resort();
    }
    while (clusters_.size() > options_.classes)
      if (!merge_best(true)) return std::move(result_);
    for (const Cluster& cluster : clusters_) result_.classes.push_back(cluster.words);
    while (clusters_.size() > 1) merge_best(false);
    return std::move(result_);
  }

 private:
  struct Cluster {
    Words words;
    std::uint32_t rank = 0;
  };

  struct Terms {
    Count total = 0;
    Count tokens = 0;
  };

  bool is_out(const std::string& word) const {
    return std::any_of(options_.constraints.items.begin(), options_.constraints.items.end(),
                       [&](const Constraint& item) {
                         return item.kind == Constraint::Kind::out &&
                                std::count(item.words.begin(), item.words.end(), word) > 0;
                       });
  }

  /// Joins sets that share a word with one that must be together, again and again.
  void find_units() {
    const Vocabulary& vocabulary = counts_.vocabulary();
    for (WordId word = 0; word < vocabulary.size(); ++word)
      if (!is_out(std::string(vocabulary.word(word)))) units_.push_back({std::string(vocabulary.word(word))});
    std::map<std::string, Words> seeds;
    std::vector<Words> together;
    for (const Constraint& item : options_.constraints.items) {
      if (item.kind == Constraint::Kind::together)
        together.emplace_back(item.words.begin(), item.words.end());
      if (item.kind == Constraint::Kind::seed) seeds[item.name].insert(item.words.begin(), item.words.end());
    }
    for (const auto& [name, words] : seeds) together.push_back(words);
    for (const Words& words : together) {
      Words joined;
      std::erase_if(units_, [&](const Words& unit) {
        const bool shared =
            std::any_of(unit.begin(), unit.end(), [&](const auto& word) { return words.contains(word); });
        if (shared) joined.insert(unit.begin(), unit.end());
        return shared;
      });
      if (!joined.empty()) units_.push_back(joined);
    }
    for (const auto& [name, words] : seeds)
      for (const auto& [other, others] : seeds)
        if (name != other) keep_apart(words, others);
    for (const Constraint& item : options_.constraints.items)
      if (item.kind == Constraint::Kind::apart)
        for (const std::string& word : item.words) keep_apart({word}, {item.words.begin(), item.words.end()});
  }

  void keep_apart(const Words& words, const Words& others) {
    for (const std::string& word : words)
      for (const std::string& other : others)
        if (word != other) apart_.insert({word, other});
  }

  bool may_merge(const Words& a, const Words& b) const {
    return std::none_of(a.begin(), a.end(), [&](const std::string& word) {
      return std::any_of(b.begin(), b.end(), [&](const std::string& other) {
        return apart_.contains({word, other}) || apart_.contains({other, word});
      });
    });
  }

  void count_pairs(const Lines& lines) {
    for (const auto& line : lines) {
      std::optional<std::string> before;
      if (options_.boundaries) before = kLineEnd;
      for (const std::string& word : line) {
        ++terms_of_text_.tokens;
        const bool out = is_out(word);
        if (before && !out) ++pairs_[{*before, word}];
        before = out ? std::nullopt : std::optional(word);
      }
      if (options_.boundaries && !line.empty() && before) ++pairs_[{*before, kLineEnd}];
    }
    Count starts = 0;
    Count ends = 0;
    for (const auto& [pair, count] : pairs_) {
      terms_of_text_.total += count;
      if (pair.first == kLineEnd) starts += count;
      if (pair.second == kLineEnd) ends += count;
    }
    line_ends_ = std::max(starts, ends);
    terms_of_text_.tokens += line_ends_;
    terms_.emplace(Counts(Vocabulary::from_words({{"x", terms_of_text_.tokens}}),
                          PairCounts::from_pairs(1, terms_of_text_.total > 0
                                                        ? std::vector<PairCount>{{0, 0, terms_of_text_.total}}
                                                        : std::vector<PairCount>{}),
                          CountsInfo{.tokens = terms_of_text_.tokens}),
                   options_.marginals, 1);
  }

  Count count_of(const Words& words) const {
    Count sum = 0;
    for (const std::string& word : words) sum += counts_.vocabulary().count(*index_.find(word));
    return sum;
  }

  WordId first_of(const Words& words) const {
    WordId first = std::numeric_limits<WordId>::max();
    for (const std::string& word : words) first = std::min(first, *index_.find(word));
    return first;
  }

  /// By the first of its words in the order that is given, then by frequency.
  void sort_units() {
    const auto place = [&](const Words& unit) {
      std::size_t first = options_.order.size();
      for (std::size_t i = 0; i < options_.order.size(); ++i)
        if (unit.contains(std::string(counts_.vocabulary().word(options_.order[i]))))
          first = std::min(first, i);
      return first;
    };
    queue_ = units_;
    std::sort(queue_.begin(), queue_.end(), [&](const Words& a, const Words& b) {
      const auto key = [&](const Words& unit) {
        return std::tuple(place(unit), place(unit) < options_.order.size() ? Count{0} : ~count_of(unit),
                          first_of(unit));
      };
      return key(a) < key(b);
    });
    for (std::uint32_t i = 0; i < queue_.size(); ++i) rank_[queue_[i]] = i;
  }

  void insert() {
    clusters_.push_back({queue_.front(), rank_[queue_.front()]});
    queue_.erase(queue_.begin());
  }

  Count pairs(const Words& left, const Words& right) const {
    Count sum = 0;
    for (const auto& [pair, count] : pairs_)
      if (left.contains(pair.first) && right.contains(pair.second)) sum += count;
    return sum;
  }

  /// Of the units that a cluster is made of, because the larger of counts is taken for each of them.
  std::pair<Count, Count> marginals(const Words& words) const {
    if (words.contains(kLineEnd) && options_.marginals == BrownMarginals::unigram)
      return {line_ends_, line_ends_};
    Count left = 0;
    Count right = 0;
    for (const auto& [pair, count] : pairs_) {
      if (words.contains(pair.first)) left += count;
      if (words.contains(pair.second)) right += count;
    }
    if (options_.marginals == BrownMarginals::bigram) return {left, right};
    return {count_of(words), count_of(words)};  // in text, at least as many as neighbours
  }

  std::vector<Words> all_clusters(const std::vector<Cluster>& clusters) const {
    std::vector<Words> all;
    if (options_.boundaries) all.push_back({kLineEnd});
    for (const Cluster& cluster : clusters) all.push_back(cluster.words);
    return all;
  }

  std::pair<Score, Count> objective(const std::vector<Cluster>& inside) const {
    const std::vector<Words> clusters = all_clusters(inside);
    Score sum = 0;
    Count bigrams = 0;
    std::vector<Count> row(clusters.size());
    std::vector<Count> column(clusters.size());
    for (std::size_t i = 0; i < clusters.size(); ++i)
      for (std::size_t j = 0; j < clusters.size(); ++j) {
        const Count pair = pairs(clusters[i], clusters[j]);
        sum += terms_->h(pair);
        bigrams += pair;
        row[i] += pair;
        column[j] += pair;
      }
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const auto [left, right] = marginals(clusters[i]);
      sum -= terms_->weigh(static_cast<double>(row[i]), ObjectiveTerms::ln(left)) +
             terms_->weigh(static_cast<double>(column[i]), ObjectiveTerms::ln(right));
    }
    return {sum, bigrams};
  }

  void resort() {
    const auto key = [&](const Words& unit) {
      Score sum = 0;
      const auto add = [&](Count pair, Count left, Count right) {
        if (pair > 0)
          sum += terms_->h(pair) - terms_->weigh(static_cast<double>(pair), ObjectiveTerms::ln(left) +
                                                                                ObjectiveTerms::ln(right) -
                                                                                terms_->inside_weight());
      };
      for (const Words& cluster : all_clusters(clusters_)) {
        add(pairs(unit, cluster), marginals(unit).first, marginals(cluster).second);
        add(pairs(cluster, unit), marginals(cluster).first, marginals(unit).second);
      }
      return sum;
    };
    std::vector<std::pair<std::tuple<Score, std::uint32_t>, Words>> keyed;
    for (const Words& unit : queue_) keyed.push_back({{-key(unit), rank_[unit]}, unit});
    std::sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < keyed.size(); ++i) queue_[i] = keyed[i].second;
  }

  std::vector<Cluster> merged(std::size_t i, std::size_t j) const {
    std::vector<Cluster> clusters = clusters_;
    clusters[i].words.insert(clusters[j].words.begin(), clusters[j].words.end());
    clusters[i].rank = std::min(clusters[i].rank, clusters[j].rank);
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(j));
    return clusters;
  }

  bool merge_best(bool constrained) {
    using Key = std::tuple<Score, std::uint32_t, std::uint32_t, std::size_t, std::size_t>;
    std::optional<Key> best;
    const Score now = objective(clusters_).first;
    for (std::size_t i = 0; i < clusters_.size(); ++i)
      for (std::size_t j = i + 1; j < clusters_.size(); ++j) {
        if (constrained && !may_merge(clusters_[i].words, clusters_[j].words)) continue;
        const Key key{now - objective(merged(i, j)).first, std::min(clusters_[i].rank, clusters_[j].rank),
                      std::max(clusters_[i].rank, clusters_[j].rank), i, j};
        if (!best || key < *best) best = key;
      }
    result_.stuck = !best;
    if (!best) return false;
    const auto i = std::get<3>(*best);
    const auto j = std::get<4>(*best);
    ConstrainedMerge merge{clusters_[i].words, clusters_[j].words, 0};
    clusters_ = merged(i, j);
    const auto [value, inside] = objective(clusters_);
    merge.ami_bits = terms_->ami_bits(value, inside);
    result_.merges.push_back(std::move(merge));
    return true;
  }

  const BrownOptions& options_;
  Counts counts_;
  WordIndex index_;
  std::vector<Words> units_;
  std::set<Pair> apart_;
  std::map<Pair, Count> pairs_;
  Terms terms_of_text_;
  Count line_ends_ = 0;
  std::optional<ObjectiveTerms> terms_;
  std::vector<Words> queue_;
  std::map<Words, std::uint32_t> rank_;
  std::vector<Cluster> clusters_;
  ConstrainedBrown result_;
};

}  // namespace

Counts count_lines(const Lines& lines) {
  std::map<std::string, Count> counts;
  Count tokens = 0;
  for (const auto& line : lines)
    for (const std::string& word : line) {
      ++counts[word];
      ++tokens;
    }
  const Vocabulary vocabulary = Vocabulary::from_words({counts.begin(), counts.end()});
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (const auto& line : lines)
    for (std::size_t i = 1; i < line.size(); ++i)
      pairs.push_back({*index.find(line[i - 1]), *index.find(line[i]), 1});
  return {vocabulary, PairCounts::from_pairs(vocabulary.size(), std::move(pairs)), {.tokens = tokens}};
}

ConstrainedBrown naive_constrained_brown(const Lines& lines, const BrownOptions& options) {
  return Naive(lines, options).run();
}

}  // namespace firth::reference
