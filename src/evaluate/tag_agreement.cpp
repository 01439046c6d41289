#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/group_by.hpp"
#include "evaluate/bootstrap.hpp"
#include "evaluate/contingency.hpp"
#include "firth/error.hpp"
#include "firth/gold_tags.hpp"

namespace firth {
namespace evaluate {
namespace {

/// Classes 0..K-1 of tokens and of words, whatever they were called.
struct Labels {
  std::vector<std::string> names;
  std::vector<std::uint32_t> of_token;
};

/// For every word the value that most of its tokens have, the smaller of equals.
std::vector<std::uint32_t> main_values(const GoldText& text, std::span<const std::uint32_t> of_token,
                                       std::size_t values) {
  // The counts of one word at a time fit a table of all values.
  const base::Groups tokens_of(text.words, text.vocabulary.size());
  std::vector<Count> counts(values);
  std::vector<std::uint32_t> result(text.vocabulary.size());
  for (WordId word = 0; word < result.size(); ++word) {
    const auto mine = tokens_of[word];
    for (const std::uint32_t token : mine) ++counts[of_token[token]];
    std::uint32_t best = of_token[mine.front()];
    for (const std::uint32_t token : mine) {
      const std::uint32_t value = of_token[token];
      if (counts[value] > counts[best] || (counts[value] == counts[best] && value < best)) best = value;
    }
    for (const std::uint32_t token : mine) counts[of_token[token]] = 0;
    result[word] = best;
  }
  return result;
}

/// The word that stands most often in each class: the prototype of section 3 of Lamar et al. (2010); the one
/// of smaller rank among equals.
std::vector<WordId> prototypes(const GoldText& gold, const Labels& labels) {
  std::vector<std::uint64_t> pairs(gold.tokens());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = std::uint64_t{labels.of_token[i]} << 32 | gold.words[i];
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<WordId> best(labels.names.size(), 0);
  std::vector<Count> most(labels.names.size(), 0);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    const auto label = static_cast<std::size_t>(pairs[i] >> 32);
    if (end - i > most[label]) {
      most[label] = end - i;
      best[label] = static_cast<WordId>(pairs[i]);
    }
    i = end;
  }
  return best;
}

/// One scoring: everything that several parts of the report need.
class Scorer {
 public:
  Scorer(const GoldText& gold, Labels labels)
      : gold_(gold),
        labels_(std::move(labels)),
        main_tag_(main_values(gold, gold.tag_of, gold.tags.size())),
        main_label_(main_values(gold, labels_.of_token, labels_.names.size())),
        prototype_(prototypes(gold, labels_)),
        table_(labels_.names.size(), gold.tags.size()) {
    for (const WordId word : prototype_) prototype_tag_.push_back(main_tag_[word]);
    for (std::size_t i = 0; i < gold.tokens(); ++i) {
      table_.add(table_.cell(labels_.of_token[i], gold.tag_of[i]), 1);
    }
  }

  GoldReport report(const GoldOptions& options, const RunOptions& run) const {
    GoldReport report;
    report.token_count = gold_.tokens();
    report.type_count = gold_.vocabulary.size();
    const std::vector<Count> sums = table_.class_sums();
    report.class_count = static_cast<std::uint64_t>(
        std::count_if(sums.begin(), sums.end(), [](Count count) { return count > 0; }));
    report.tag_count = gold_.tags.size();
    report.tokens = score(table_, prototype_tag_);
    report.types = score(type_table(), prototype_tag_);
    Count bound = 0;
    for (std::size_t i = 0; i < gold_.tokens(); ++i) bound += main_tag_[gold_.words[i]] == gold_.tag_of[i];
    report.upper_bound = static_cast<double>(bound) / static_cast<double>(gold_.tokens());
    report.tags = tag_rows();
    report.largest = largest(options, sums);
    if (options.resamples > 0) add_intervals(options, run, report);
    return report;
  }

  /// Scores over tokens when every word has its main class.
  TagAgreement collapsed() const {
    Labels one = labels_;
    for (std::size_t i = 0; i < gold_.tokens(); ++i) one.of_token[i] = main_label_[gold_.words[i]];
    const Scorer scorer(gold_, std::move(one));
    return score(scorer.table_, scorer.prototype_tag_);
  }

 private:
  Contingency type_table() const {
    Contingency types(labels_.names.size(), gold_.tags.size());
    for (WordId word = 0; word < main_tag_.size(); ++word) {
      types.add(types.cell(main_label_[word], main_tag_[word]), 1);
    }
    return types;
  }

  std::vector<TagRow> tag_rows() const {
    std::vector<TagRow> rows(gold_.tags.size());
    const std::vector<Count> sums = table_.tag_sums();
    for (std::size_t tag = 0; tag < rows.size(); ++tag) {
      rows[tag].tag = gold_.tags[tag];
      rows[tag].tokens = sums[tag];
    }
    const std::vector<Count> classes = table_.class_sums();
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (classes[c] == 0) continue;
      TagRow& row = rows[table_.best_tag(c)];
      ++row.classes;
      row.predicted += classes[c];
      row.correct += table_.at(c, table_.best_tag(c));
    }
    return rows;
  }

  std::vector<ClassTags> largest(const GoldOptions& options, std::span<const Count> sums) const {
    std::vector<std::size_t> order(sums.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    std::vector<ClassTags> rows;
    for (const std::size_t c : order) {
      if (rows.size() == options.classes || sums[c] == 0) break;
      rows.push_back({.name = labels_.names[c],
                      .tokens = sums[c],
                      .prototype = std::string(gold_.vocabulary.word(prototype_[c])),
                      .prototype_tag = gold_.tags[prototype_tag_[c]],
                      .tags = tags_of(c, options.tags)});
    }
    return rows;
  }

  std::vector<std::pair<std::string, Count>> tags_of(std::size_t c, std::size_t max_tags) const {
    std::vector<std::pair<std::string, Count>> tags;
    for (std::size_t tag = 0; tag < gold_.tags.size(); ++tag) {
      if (table_.at(c, tag) > 0) tags.emplace_back(gold_.tags[tag], table_.at(c, tag));
    }
    std::stable_sort(tags.begin(), tags.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    tags.resize(std::min(tags.size(), max_tags));
    return tags;
  }

  void add_intervals(const GoldOptions& options, const RunOptions& run, GoldReport& report) const {
    std::vector<std::uint32_t> cells(gold_.tokens());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = static_cast<std::uint32_t>(table_.cell(labels_.of_token[i], gold_.tag_of[i]));
    }
    const BootstrapTable shape{labels_.names.size(), gold_.tags.size(), prototype_tag_};
    report.token_intervals = bootstrap(shape, {cells, gold_.ends}, options.resamples, run);
    std::vector<std::uint32_t> type_cells(main_tag_.size());
    std::vector<std::uint64_t> ends(main_tag_.size());
    for (WordId word = 0; word < main_tag_.size(); ++word) {
      type_cells[word] = static_cast<std::uint32_t>(table_.cell(main_label_[word], main_tag_[word]));
      ends[word] = word + 1;
    }
    report.type_intervals = bootstrap(shape, {type_cells, ends}, options.resamples, run);
  }

  const GoldText& gold_;
  Labels labels_;
  std::vector<std::uint32_t> main_tag_;    // of each word
  std::vector<std::uint32_t> main_label_;  // of each word
  std::vector<WordId> prototype_;          // of each class
  std::vector<std::uint32_t> prototype_tag_;
  Contingency table_;
};

void require_words(const GoldText& gold) {
  if (gold.words.empty()) throw UsageError("there are no tagged words to score against");
}

}  // namespace
}  // namespace evaluate

GoldReport score_against_gold(const GoldText& gold, const Clustering& clustering, const GoldOptions& options,
                              const RunOptions& run) {
  evaluate::require_words(gold);
  const std::vector<ClassId> known = classes_for(gold.vocabulary, clustering, UnknownWords::leave_out);
  const std::vector<ClassId> classes = classes_for(gold.vocabulary, clustering, options.unknown);
  evaluate::Labels labels;
  for (ClassId c = 0; c < clustering.class_count(); ++c) labels.names.push_back(fmt::format("{}", c));
  labels.names.emplace_back("-");
  Count known_tokens = 0;
  for (const WordId word : gold.words) {
    labels.of_token.push_back(classes[word] == kNoClass ? clustering.class_count() : classes[word]);
    known_tokens += known[word] != kNoClass;
  }
  GoldReport report = evaluate::Scorer(gold, std::move(labels)).report(options, run);
  report.known_tokens = known_tokens;
  return report;
}

GoldReport score_against_gold(const GoldText& gold, const GoldText& predicted, const GoldOptions& options,
                              const RunOptions& run) {
  evaluate::require_words(gold);
  const std::size_t both = std::min(gold.tokens(), predicted.tokens());
  for (std::size_t i = 0; i < both; ++i) {
    const std::string_view wanted = gold.vocabulary.word(gold.words[i]);
    const std::string_view found = predicted.vocabulary.word(predicted.words[i]);
    if (wanted != found) {
      throw InputError(
          {}, fmt::format("token {} is '{}' in the gold text and '{}' in the other", i + 1, wanted, found),
          "both must hold the same words in the same order, in the same case");
    }
  }
  if (gold.tokens() != predicted.tokens()) {
    throw InputError({}, fmt::format("{} gold tokens but {} tagged ones", gold.tokens(), predicted.tokens()),
                     "both must hold the same words in the same order");
  }
  const evaluate::Scorer scorer(gold, {predicted.tags, predicted.tag_of});
  GoldReport report = scorer.report(options, run);
  report.collapsed = scorer.collapsed();
  report.known_tokens = report.token_count;
  return report;
}

}  // namespace firth
