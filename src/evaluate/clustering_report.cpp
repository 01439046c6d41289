#include <algorithm>
#include <limits>
#include <numeric>

#include "firth/error.hpp"
#include "firth/evaluate.hpp"

namespace firth {
namespace {

SizeSummary summarise(std::vector<Count> sizes) {
  if (sizes.empty()) return {};
  std::sort(sizes.begin(), sizes.end());
  const std::size_t middle = sizes.size() / 2;
  const auto upper = static_cast<double>(sizes[middle]);
  const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0, [](double total, Count size) {
    return total + static_cast<double>(size);
  });
  return {.min = sizes.front(),
          .median = sizes.size() % 2 == 1 ? upper : (static_cast<double>(sizes[middle - 1]) + upper) / 2,
          .mean = sum / static_cast<double>(sizes.size()),
          .max = sizes.back()};
}

/// Counts of the clustering's words in the text; words that the text does not have count 0.
std::vector<Count> counts_in_text(const Clustering& clustering, const Vocabulary& text) {
  const WordIndex index(text);
  std::vector<Count> counts(clustering.word_count());
  for (WordId word = 0; word < counts.size(); ++word) {
    const std::optional<WordId> found = index.find(clustering.vocabulary().word(word));
    if (found) counts[word] = text.count(*found);
  }
  return counts;
}

ClassSummary summarise_class(const Clustering& clustering, ClassId id, std::vector<WordId> members,
                             std::span<const Count> counts, std::size_t words) {
  ClassSummary summary{.id = id, .words = members.size(), .tokens = 0, .top_words = {}};
  for (const WordId word : members) summary.tokens += counts[word];
  const std::size_t listed = std::min(words, members.size());
  std::partial_sort(
      members.begin(), members.begin() + static_cast<std::ptrdiff_t>(listed), members.end(),
      [&](WordId a, WordId b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  for (std::size_t i = 0; i < listed; ++i) {
    summary.top_words.emplace_back(clustering.vocabulary().word(members[i]));
  }
  return summary;
}

ClusteringReport describe(const Clustering& clustering, std::span<const Count> counts,
                          const ReportOptions& options) {
  const std::vector<std::vector<WordId>> members = clustering.members();
  ClusteringReport report;
  report.words = clustering.word_count();
  report.classes = clustering.class_count();
  std::vector<Count> words;
  std::vector<Count> tokens;
  for (const std::vector<WordId>& one : members) {
    if (one.size() == 1) ++report.singletons;
    words.push_back(one.size());
    tokens.push_back(std::accumulate(one.begin(), one.end(), Count{0},
                                     [&](Count sum, WordId word) { return sum + counts[word]; }));
  }
  std::vector<ClassId> order(members.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) {
    return tokens[a] != tokens[b] ? tokens[a] > tokens[b] : words[a] > words[b];
  });
  order.resize(std::min(order.size(), options.classes));
  for (const ClassId id : order) {
    report.largest.push_back(summarise_class(clustering, id, members[id], counts, options.words));
  }
  report.class_words = summarise(std::move(words));
  report.class_tokens = summarise(std::move(tokens));
  return report;
}

TextCoverage bigram_coverage(const PairCounts& bigrams, std::span<const ClassId> classes) {
  TextCoverage coverage{.covered = 0, .total = bigrams.total()};
  bigrams.for_each_pair([&](WordId left, WordId right, Count count) {
    if (classes[left] != kNoClass && classes[right] != kNoClass) coverage.covered += count;
  });
  return coverage;
}

TextScores score(const Clustering& clustering, const Counts& counts, UnknownWords unknown) {
  const Vocabulary& vocabulary = counts.vocabulary();
  const std::vector<ClassId> known = classes_for(vocabulary, clustering, UnknownWords::leave_out);
  TextScores scores;
  scores.types.total = vocabulary.size();
  Count all_tokens = 0;
  for (WordId word = 0; word < known.size(); ++word) {
    all_tokens += vocabulary.count(word);
    if (known[word] == kNoClass) continue;
    ++scores.types.covered;
    scores.tokens.covered += vocabulary.count(word);
  }
  // Tokens outside the vocabulary of the counts were read, too.
  scores.tokens.total = std::max(counts.info().tokens, all_tokens);
  scores.bigrams = bigram_coverage(counts.bigrams(), known);
  const std::vector<ClassId> classes = classes_for(vocabulary, clustering, unknown);
  scores.ami_bits = average_mutual_information(counts, classes, AmiNorm::bigrams);
  scores.ami_tokens_bits = average_mutual_information(counts, classes, AmiNorm::tokens);
  try {
    scores.ami_unigram_bits = average_mutual_information(counts, classes, AmiNorm::unigram);
  } catch (const UsageError&) {
    // Tables of pairs need not count single words.
    scores.ami_unigram_bits = std::nullopt;
  }
  return scores;
}

}  // namespace

ClusteringReport describe_clustering(const Clustering& clustering, const ReportOptions& options) {
  return describe(clustering, clustering.vocabulary().counts(), options);
}

ClusteringReport evaluate_clustering(const Clustering& clustering, const Counts& counts,
                                     const ReportOptions& options) {
  ClusteringReport report = describe(clustering, counts_in_text(clustering, counts.vocabulary()), options);
  report.text = score(clustering, counts, options.unknown);
  return report;
}

}  // namespace firth
