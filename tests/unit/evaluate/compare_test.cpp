// How alike two clusterings are: against definitions pair by pair; and the tables of a comparison.
#include "firth/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "firth/choose.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

/// Words w0.. with counts, each in the class of the same place; kNoClass = the clustering lacks the word.
Clustering clustering_of(const std::vector<ClassId>& classes, const std::vector<Count>& counts) {
  std::vector<std::pair<std::string, Count>> words;
  std::map<std::string, ClassId, std::less<>> class_of;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == kNoClass) continue;
    words.emplace_back("w" + std::to_string(i), counts[i]);
    class_of[words.back().first] = classes[i];
  }
  const Vocabulary vocabulary = Vocabulary::from_words(std::move(words));
  std::vector<ClassId> sorted;
  for (WordId word = 0; word < vocabulary.size(); ++word)
    sorted.push_back(class_of.find(vocabulary.word(word))->second);
  return {vocabulary, sorted};
}

double entropy(const std::map<std::pair<ClassId, ClassId>, double>& weights, double total) {
  double sum = 0;
  for (const auto& [key, weight] : weights) sum -= weight / total * std::log2(weight / total);
  return sum;
}

/// The slow twin: entropies from their definition, the Rand index by looking at every pair of things.
PartitionAgreement naive(const std::vector<ClassId>& a, const std::vector<ClassId>& b,
                         const std::vector<Count>& weights) {
  std::map<std::pair<ClassId, ClassId>, double> joint;
  std::map<std::pair<ClassId, ClassId>, double> first;
  std::map<std::pair<ClassId, ClassId>, double> second;
  std::vector<std::pair<ClassId, ClassId>> things;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == kNoClass || b[i] == kNoClass) continue;
    joint[{a[i], b[i]}] += static_cast<double>(weights[i]);
    first[{a[i], 0}] += static_cast<double>(weights[i]);
    second[{0, b[i]}] += static_cast<double>(weights[i]);
    things.insert(things.end(), weights[i], {a[i], b[i]});
  }
  const auto total = static_cast<double>(things.size());
  const double ha = entropy(first, total);
  const double hb = entropy(second, total);
  const double hab = entropy(joint, total);
  double both = 0;
  double in_a = 0;
  double in_b = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < things.size(); ++i) {
    for (std::size_t j = i + 1; j < things.size(); ++j, ++pairs) {
      both += things[i] == things[j] ? 1 : 0;
      in_a += things[i].first == things[j].first ? 1 : 0;
      in_b += things[i].second == things[j].second ? 1 : 0;
    }
  }
  const double expected = pairs > 0 ? in_a * in_b / pairs : 0;
  const double range = (in_a + in_b) / 2 - expected;
  return {.vi_bits = 2 * hab - ha - hb,
          .v_measure = ha + hb > 0 ? 2 * (ha + hb - hab) / (ha + hb) : 1,
          .adjusted_rand = range > 0 ? (both - expected) / range : 1};
}

void expect_near(const PartitionAgreement& got, const PartitionAgreement& wanted) {
  EXPECT_NEAR(got.vi_bits, wanted.vi_bits, 1e-9);
  EXPECT_NEAR(got.v_measure, wanted.v_measure, 1e-9);
  EXPECT_NEAR(got.adjusted_rand, wanted.adjusted_rand, 1e-9);
}

TEST(CompareClusterings, EqualsItsDefinitionOnRandomPartitions) {
  std::mt19937 random(5);
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t words = 1 + random() % 12;
    std::vector<ClassId> a;
    std::vector<ClassId> b;
    std::vector<Count> counts;
    for (std::size_t i = 0; i < words; ++i) {
      a.push_back(random() % 8 == 0 ? kNoClass : static_cast<ClassId>(random() % 4));
      b.push_back(random() % 8 == 0 ? kNoClass : static_cast<ClassId>(random() % 5));
      counts.push_back(1 + random() % 5);
    }
    const ClusteringAgreement agreement =
        compare_clusterings(clustering_of(a, counts), clustering_of(b, counts));
    if (agreement.common == 0) continue;
    ++compared;
    expect_near(agreement.tokens, naive(a, b, counts));
    expect_near(agreement.types, naive(a, b, std::vector<Count>(words, 1)));
  }
  EXPECT_GT(compared, 250);
}

TEST(CompareClusterings, NamesWordsThatMoved) {
  const std::vector<Count> counts = {90, 80, 70, 60, 50, 40};
  const Clustering first = clustering_of({0, 0, 0, 1, 1, 1}, counts);
  const Clustering second = clustering_of({5, 5, 7, 7, 7, 7}, counts);
  const ClusteringAgreement agreement = compare_clusterings(first, second);
  ASSERT_EQ(agreement.moved.size(), 1u);
  EXPECT_EQ(first.vocabulary().word(agreement.moved[0]), "w2");
  EXPECT_EQ(compare_clusterings(first, first).moved.size(), 0u);
  EXPECT_EQ(compare_clusterings(first, first).tokens.vi_bits, 0);
  EXPECT_FALSE(mean_agreement({&first, 1}));
  EXPECT_EQ(mean_agreement(std::vector{first, first, first}), 1);
}

TEST(CompareClusterings, WordsInCommonMayBeNone) {
  const Clustering first = clustering_of({0, 0, kNoClass}, {1, 1, 1});
  const Clustering second = clustering_of({kNoClass, kNoClass, 0}, {1, 1, 1});
  const ClusteringAgreement agreement = compare_clusterings(first, second);
  EXPECT_EQ(agreement.common, 0u);
  EXPECT_EQ(agreement.only_first, 2u);
  EXPECT_EQ(agreement.only_second, 1u);
  EXPECT_EQ(agreement.partners, std::vector<ClassId>{kNoClass});
}

Counts counts_of(std::size_t words, std::vector<PairCount> pairs, const std::string& prefix = "w") {
  std::vector<std::pair<std::string, Count>> names;
  for (std::size_t i = 0; i < words; ++i) names.emplace_back(prefix + std::to_string(i), 100 - i);
  return {Vocabulary::from_words(std::move(names)),
          PairCounts::from_pairs(words, std::move(pairs)),
          {.tokens = 100}};
}

TEST(HeldOutPerplexity, OfOneClassIsThatOfWords) {
  // With a single class p(b|a) is the share of b among second words, so the perplexity can be written down.
  const Counts text = counts_of(3, {{0, 1, 6}, {1, 2, 2}, {2, 0, 2}});
  const Counts other = counts_of(3, {{0, 1, 1}, {2, 0, 1}});
  const Clustering one = clustering_of({0, 0, 0}, {100, 99, 98});
  const HeldOutScore score = held_out_perplexity(one, text, other);
  EXPECT_NEAR(score.perplexity, std::exp2(-(std::log2(0.6) + std::log2(0.2)) / 2), 1e-9);
  EXPECT_EQ(score.pairs, 2u);
  const Clustering some = clustering_of({0, kNoClass, kNoClass}, {100, 99, 98});
  EXPECT_EQ(held_out_perplexity(some, text, other).pairs, 2u) << "words without a class are predicted, too";
  EXPECT_THROW((void)held_out_perplexity(one, text, counts_of(3, {{0, 1, 1}}, "x")), InputError);
}

TEST(ScoreClustering, NeedsATextForAHeldOutText) {
  const Counts text = counts_of(3, {{0, 1, 6}, {1, 2, 2}, {2, 0, 2}});
  const Clustering classes = clustering_of({0, 1, 1}, {100, 99, 98});
  EXPECT_THROW((void)score_clustering(classes, {.held_out = &text}), UsageError);
  const ClusteringScores scores = score_clustering(classes, {.text = &text, .held_out = &text});
  EXPECT_TRUE(scores.ami_bits && scores.perplexity);
  EXPECT_FALSE(scores.tags);
}

std::vector<ComparedRow> example_rows() {
  const auto run = [](std::uint64_t seed, double ami) {
    return ComparedRun{
        .seed = seed, .scores = {.words = 9, .classes = 4, .ami_bits = ami}, .cpu_seconds = 1.5};
  };
  return {{.name = "a<b>|c", .classes = 4, .runs = {run(1, 1.0), run(2, 2.0)}, .stability = 0.25},
          {.name = "brown", .classes = 4, .runs = {run(1, 3.0)}}};
}

// AMI on two readings of a text has no winner; agreement with tags has, and among equal readings AMI, too.
TEST(Comparison, TextsReadInDifferentWaysHaveNoBest) {
  const auto row = [](const char* name, double ami, double many_to_one, const char* reading) {
    ComparedRow made{.name = name, .classes = 4, .runs = {{}}, .reading = reading};
    made.runs[0].scores.ami_bits = ami;
    made.runs[0].scores.tags.emplace().many_to_one = many_to_one;
    return made;
  };
  std::vector<ComparedRow> rows = {row("a", 1, 0.5, "as it is"), row("b", 2, 0.75, "--lowercase")};
  const std::string text = comparison_text(rows);
  EXPECT_EQ(text.find("2.0000 *"), std::string::npos) << text;
  EXPECT_NE(text.find("75.00 *"), std::string::npos) << text;
  EXPECT_NE(text.find("--lowercase"), std::string::npos) << text;
  EXPECT_NE(comparison_tsv(rows).find("\treading\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(comparison_json(rows))["rows"][1]["reading"], "--lowercase");
  rows.push_back(row("c", 1.5, 0.5, "--lowercase"));
  EXPECT_NE(comparison_text(rows).find("2.0000 *"), std::string::npos);
}

TEST(Comparison, TablesSayTheSame) {
  const std::vector<ComparedRow> rows = example_rows();
  const std::string text = comparison_text(rows);
  EXPECT_NE(text.find("1.5000 +-0.7071 |"), std::string::npos) << text;
  EXPECT_NE(text.find("3.0000 *"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\n\n*: best with this number of classes; +-: standard deviation over seeds\n"))
      << text;
  EXPECT_EQ(comparison_text({rows.data(), 0}).find("*:"), std::string::npos) << "nothing to explain";
  EXPECT_EQ(text.find("perplexity"), std::string::npos) << "no row has one";
  const auto json = nlohmann::json::parse(comparison_json(rows));
  EXPECT_EQ(json["rows"][0]["ami_bits"], 1.5);
  EXPECT_EQ(json["rows"][0]["runs"][1]["ami_bits"], 2.0);
  EXPECT_EQ(json["rows"][0]["stability"], 0.25);
  EXPECT_EQ(comparison_tsv(rows),
            "method\tclasses\truns\tami_bits\tami_bits_sd\tcpu_seconds\tcpu_seconds_sd\tstability\n"
            "a<b>/c\t4\t2\t1.5\t0.707\t1.5\t0\t0.25\nbrown\t4\t1\t3\t\t1.5\t\t\n");
  EXPECT_EQ(text.find("text read"), std::string::npos) << "no row says so";
  const std::string page = comparison_page(rows, "<T>");
  EXPECT_NE(page.find("<title>&lt;T&gt;</title>"), std::string::npos);
  EXPECT_EQ(page.find("a<b>"), std::string::npos);
}

}  // namespace
}  // namespace firth
