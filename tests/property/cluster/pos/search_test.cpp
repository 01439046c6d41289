// What a run says it reached, against the objective written down.
#include "cluster/pos/search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/rng.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/random_data.hpp"

namespace firth::pos {
namespace {

double h(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

/// sum h(N(c,c')) - sum h(Nl(c)) - sum h(Nr(c)); words beyond `class_of` are each a class of their own.
double neighbours(const PairCounts& pairs, const std::vector<ClassId>& class_of, ClassId classes) {
  std::vector<std::vector<double>> table(classes, std::vector<double>(classes));
  for (WordId left = 0; left < pairs.rows(); ++left) {
    const auto rights = pairs.right_words(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      table[class_of[left]][class_of[rights[i]]] += static_cast<double>(pairs.right_counts(left)[i]);
    }
  }
  double sum = 0;
  for (ClassId a = 0; a < classes; ++a) {
    double out = 0;
    double in = 0;
    for (ClassId b = 0; b < classes; ++b) {
      sum += h(table[a][b]);
      out += table[a][b];
      in += table[b][a];
    }
    sum -= h(out) + h(in);
  }
  return sum;
}

double naive_objective(const Counts& counts, const PosOptions& options, const PosPartition& found) {
  const PosProblem problem(counts, options);
  std::vector<ClassId> with_end = found.class_of;
  with_end.push_back(options.classes);  // the boundary
  double sum = problem.scale * neighbours(with_boundary(counts), with_end, options.classes + 1);
  SpellingModel spelling(problem.tree, problem.amounts, problem.weights);
  spelling.reset(found.class_of, options.classes);
  sum += spelling.log_probability();
  std::vector<double> members(options.classes);
  for (const ClassId c : found.class_of) members[c] += 1;
  for (const double size : members) sum += options.type_weight * std::lgamma(size + 1);
  return sum;
}

/// The same text with the word of rank `word` called `<unk>`.
Counts with_unknown(const Counts& counts, WordId word) {
  std::vector<std::pair<std::string, Count>> named;
  for (WordId w = 0; w < counts.vocabulary().size(); ++w) {
    const std::string name = w == word ? kUnknownWord : std::string(counts.vocabulary().word(w));
    named.emplace_back(name, counts.vocabulary().count(w));
  }
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  const WordIndex index(vocabulary);
  std::vector<PairCount> pairs;
  for (WordId left = 0; left < counts.bigrams().rows(); ++left) {
    const auto rights = counts.bigrams().right_words(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      pairs.push_back({*index.find(named[left].first), *index.find(named[rights[i]].first),
                       counts.bigrams().right_counts(left)[i]});
    }
  }
  return {vocabulary, PairCounts::from_pairs(vocabulary.size(), pairs), {}};
}

TEST(PosSearch, ReachesWhatItSays) {
  base::Rng rng(5);
  for (int round = 0; round < 60; ++round) {
    Counts counts = reference::random_counts(rng, 10 + rng.below(30), 300);
    if (round % 2 == 1) counts = with_unknown(counts, static_cast<WordId>(rng.below(8)));
    PosOptions options;
    options.classes = static_cast<ClassId>(2 + rng.below(5));
    options.skip_weight = 0;
    options.type_weight = rng.uniform() * 2;
    options.max_tokens = round % 3 == 0 ? 100 : 1000;
    const PosProblem problem(counts, options);
    EXPECT_DOUBLE_EQ(problem.scale, round % 3 == 0 ? 100.0 / 300 : 1.0);
    const PosPartition found = search(problem, options.classes, static_cast<std::uint64_t>(round), {});
    EXPECT_EQ(std::set<ClassId>(found.class_of.begin(), found.class_of.end()).size(), options.classes);
    EXPECT_NEAR(found.objective, naive_objective(counts, options, found), 1e-4);
  }
}

TEST(PosSearch, MakesNoClassForUnknownWords) {
  base::Rng rng(6);
  const Counts counts = with_unknown(reference::random_counts(rng, 20, 2000), 0);
  const PosProblem problem(counts, {.classes = 5, .skip_weight = 0});
  const PosPartition found = search(problem, 5, 1, {});
  std::set<ClassId> others;
  for (WordId word = 0; word < 20; ++word) {
    if (word != problem.unknown) others.insert(found.class_of[word]);
  }
  EXPECT_EQ(others.size(), 5U);
}

TEST(PosSearch, LargeClassesTakeRareWords) {
  // Alike in neighbours and spelling, so that only the sizes of classes count.
  std::vector<std::pair<std::string, Count>> named;
  for (char c = 'a'; c <= 'z'; ++c) named.emplace_back(std::string(1, c), 1);
  const Counts counts(Vocabulary::from_words(named), PairCounts::from_pairs(26, {}), {});
  const PosOptions options = {.classes = 2, .skip_weight = 0, .suffix_weight = 0, .type_weight = 5};
  const PosPartition found = search(PosProblem(counts, options), 2, 1, {});
  const auto first = std::count(found.class_of.begin(), found.class_of.end(), ClassId{0});
  EXPECT_EQ(std::min<std::ptrdiff_t>(first, 26 - first), 1);
}

TEST(ClusterPos, WordsThatDifferInCaseShareAClassUnlessKeptApart) {
  const Counts counts(Vocabulary::from_words({{"a", 4}, {"A", 3}, {"b", 2}}),
                      PairCounts::from_pairs(3, {{0, 1, 3}, {1, 2, 2}}), {});
  PosOptions options = {.classes = 2, .restarts = 1, .skip_weight = 0};
  const ClusterResult folded = cluster_pos(counts, options, {});
  EXPECT_EQ(folded.clustering.classes()[0], folded.clustering.classes()[1]);
  EXPECT_NE(folded.clustering.classes()[0], folded.clustering.classes()[2]);
  options.classes = 3;
  EXPECT_THROW(cluster_pos(counts, options, {}), UsageError);
  options.fold_case = false;
  EXPECT_EQ(cluster_pos(counts, options, {}).clustering.class_count(), 3U);
}

}  // namespace
}  // namespace firth::pos
