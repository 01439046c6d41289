#include "firth/gold_tags.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "evaluate/contingency.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using evaluate::Contingency;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Contingency table_of(const std::vector<std::vector<Count>>& rows) {
  Contingency table(rows.size(), rows.front().size());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    for (std::size_t t = 0; t < rows[c].size(); ++t) table.add(table.cell(c, t), rows[c][t]);
  }
  return table;
}

TagAgreement scores_of(const Contingency& table) {
  return evaluate::score(table, std::vector<std::uint32_t>(table.classes(), 0));
}

TEST(TagAgreement, AreThoseWorkedOutByHand) {
  // Classes x tags: {4 2; 1 1}: 8 tokens. Many-to-1 4+1; greedy and best 1-to-1 4+1.
  const TagAgreement scores = scores_of(table_of({{4, 2}, {1, 1}}));
  EXPECT_DOUBLE_EQ(scores.many_to_one, 5.0 / 8);
  EXPECT_DOUBLE_EQ(scores.one_to_one_greedy, 5.0 / 8);
  EXPECT_DOUBLE_EQ(scores.one_to_one, 5.0 / 8);
  EXPECT_DOUBLE_EQ(scores.prototype, 5.0 / 8);
  // H(C) = H(3/4,1/4), H(T) = H(5/8,3/8), H(C,T) = 1/2 + 1/2 + 2 (3/8) = 1.75.
  const double hc = -(0.75 * std::log2(0.75) + 0.25 * std::log2(0.25));
  const double ht = -(0.625 * std::log2(0.625) + 0.375 * std::log2(0.375));
  EXPECT_NEAR(scores.vi_bits, 2 * 1.75 - hc - ht, 1e-14);
  EXPECT_NEAR(scores.nvi, (2 * 1.75 - hc - ht) / ht, 1e-14);
  EXPECT_NEAR(scores.homogeneity, (hc + ht - 1.75) / ht, 1e-14);
  EXPECT_NEAR(scores.completeness, (hc + ht - 1.75) / hc, 1e-14);
  EXPECT_NEAR(scores.v_measure, 2 * (hc + ht - 1.75) / (hc + ht), 1e-14);
}

TEST(TagAgreement, GreedyCanMissTheBestAssignment) {
  const TagAgreement scores = scores_of(table_of({{5, 4}, {4, 0}}));
  EXPECT_DOUBLE_EQ(scores.one_to_one_greedy, 5.0 / 13);
  EXPECT_DOUBLE_EQ(scores.one_to_one, 8.0 / 13);
}

TEST(TagAgreement, OfAPerfectClustering) {
  const TagAgreement scores = scores_of(table_of({{0, 3, 0}, {7, 0, 0}, {0, 0, 5}}));
  EXPECT_DOUBLE_EQ(scores.many_to_one, 1);
  EXPECT_DOUBLE_EQ(scores.one_to_one, 1);
  EXPECT_NEAR(scores.vi_bits, 0, 1e-12);
  EXPECT_NEAR(scores.v_measure, 1, 1e-12);
}

TEST(TagAgreement, OfOneTagOrOneClass) {
  const TagAgreement one_tag = scores_of(table_of({{2}, {2}}));
  EXPECT_DOUBLE_EQ(one_tag.nvi, 1);  // H(C), as H(T) = 0
  EXPECT_DOUBLE_EQ(one_tag.homogeneity, 1);
  EXPECT_DOUBLE_EQ(one_tag.completeness, 0);
  EXPECT_DOUBLE_EQ(one_tag.v_measure, 0);
  const TagAgreement one_class = scores_of(table_of({{2, 2}}));
  EXPECT_DOUBLE_EQ(one_class.vi_bits, 1);
  EXPECT_DOUBLE_EQ(one_class.homogeneity, 0);
  EXPECT_DOUBLE_EQ(one_class.completeness, 1);
}

/// Values printed by tests/reference/make_tagging_values.py.
struct Known {
  std::size_t classes, tags, a, b, m;
  double homogeneity, completeness, v_measure;
  Count best;
};

constexpr Known kKnown[] = {
    {5, 4, 7, 3, 11, 0.161949993806070, 0.136466497138142, 0.148120154461502, 36},
    {17, 12, 5, 9, 23, 0.070280414388331, 0.062626470398212, 0.066233051784094, 257},
    {3, 8, 11, 2, 7, 0.112651755635695, 0.204083889168886, 0.145170957477932, 16},
    {50, 45, 13, 31, 101, 0.049725193058254, 0.048391962755571, 0.049049519842473, 4406},
};

TEST(TagAgreement, AgreeWithScikitLearnAndSciPy) {
  for (const Known& known : kKnown) {
    Contingency table(known.classes, known.tags);
    for (std::size_t c = 0; c < known.classes; ++c) {
      for (std::size_t t = 0; t < known.tags; ++t) {
        table.add(table.cell(c, t), (known.a * c + known.b * t + c * t) % known.m);
      }
    }
    const TagAgreement scores = scores_of(table);
    EXPECT_NEAR(scores.homogeneity, known.homogeneity, 1e-12);
    EXPECT_NEAR(scores.completeness, known.completeness, 1e-12);
    EXPECT_NEAR(scores.v_measure, known.v_measure, 1e-12);
    EXPECT_EQ(evaluate::best_assignment(table), known.best);
  }
}

/// All ways to give classes different tags.
Count best_by_trying(const Contingency& table) {
  const std::size_t size = std::max(table.classes(), table.tags());
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Count best = 0;
  do {
    Count sum = 0;
    for (std::size_t c = 0; c < table.classes(); ++c) {
      if (order[c] < table.tags()) sum += table.at(c, order[c]);
    }
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(TagAgreement, BestAssignmentIsTheBestOfAll) {
  base::Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    Contingency table(1 + rng.below(5), 1 + rng.below(5));
    for (std::size_t i = 0; i < table.classes() * table.tags(); ++i)
      table.add(i, rng.below(static_cast<std::uint64_t>(round) % 20 + 1));
    const Count best = evaluate::best_assignment(table);
    ASSERT_EQ(best, best_by_trying(table));
    ASSERT_LE(evaluate::greedy_assignment(table), best);
    ASSERT_GE(2 * evaluate::greedy_assignment(table), best);
  }
}

class GoldTextTest : public ::testing::Test {
 protected:
  GoldText read(std::string_view content, const GoldTextOptions& options = {}) const {
    const std::vector<std::string> inputs = {folder_.write("text", content)};
    return read_tagged_text(inputs, options);
  }
  std::string error(std::string_view content) const {
    try {
      read(content);
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "no error";
  }

  testing::TempFolder folder_;
};

constexpr const char* kConllu =
    "# text = Don't go\n"
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\tVB\t_\t0\t_\t_\t_\n"
    "2\tn't\tnot\tPART\tRB\t_\t0\t_\t_\t_\n"
    "2.1\tx\tx\tX\tX\t_\t0\t_\t_\t_\n"
    "3\tgo\tgo\tVERB\tVB\t_\t0\t_\t_\t_\n"
    "\n"
    "1\t10 000\t_\tNUM\tCD\t_\t0\t_\t_\t_\n"
    "2\tDO\tdo\tAUX\tVB\t_\t0\t_\t_\t_\n";

TEST_F(GoldTextTest, ReadsConllu) {
  const GoldText text = read(kConllu, {.tag = TagColumn::xpos, .lowercase = true});
  EXPECT_EQ(text.tokens(), 5u);
  EXPECT_THAT(text.ends, ElementsAre(3, 5));
  EXPECT_THAT(text.tags, ElementsAre("VB", "CD", "RB"));
  EXPECT_EQ(text.vocabulary.word(0), "do");
  EXPECT_EQ(text.vocabulary.count(0), 2u);
  EXPECT_EQ(text.vocabulary.word(text.words[3]), "10_000");
  EXPECT_THAT(text.tag_of, ElementsAre(0, 2, 0, 1, 0));
  EXPECT_THAT(read(kConllu).tags, ElementsAre("AUX", "NUM", "PART", "VERB"));
}

TEST_F(GoldTextTest, ReadsWordsAndTagsWithTabs) {
  const GoldText text = read("a\tX\r\n#\tP\nb c\tX\r\n\r\n\n# only a remark\nd\tY");
  EXPECT_EQ(text.tokens(), 4u);
  EXPECT_THAT(text.ends, ElementsAre(3, 4));
  EXPECT_EQ(text.vocabulary.word(text.words[2]), "b_c");
}

TEST_F(GoldTextTest, ReadsColumnsWithTheWordFirstAndTheTagLast) {
  EXPECT_THAT(read("a\tx\tA\nb\ty\tB\n").tags, ElementsAre("A", "B"));
  EXPECT_THAT(read("a x A\nb y B\n").tags, ElementsAre("A", "B"));
}

TEST_F(GoldTextTest, RefusesWhatItCannotRead) {
  EXPECT_THAT(error("a\tb\tc\nd\te\n"), HasSubstr("text:2: 2 columns, but 3 on line 1"));
  EXPECT_THAT(error("a\n"), HasSubstr("text:1: words and tags are in the same column"));
  EXPECT_THAT(error("x\tX\na\t\n"), HasSubstr("text:2"));
  EXPECT_THAT(error("\n\n"), HasSubstr("no tagged words"));
  EXPECT_THAT(error("a\t\xff\n"), HasSubstr("UTF-8"));
  EXPECT_THAT(error("x\ta\ta\ta\ta\ta\ta\ta\ta\ta\n"), HasSubstr("not a word number"));
}

TEST_F(GoldTextTest, ScoresClassesOfWords) {
  // the D, dog N, runs V, run N once and V twice; "unseen" has no class.
  const GoldText gold = read("the\tD\ndog\tN\nruns\tV\n\nthe\tD\nrun\tN\n\nrun\tV\nrun\tV\nunseen\tN\n");
  const Clustering classes(Vocabulary::from_words({{"the", 9}, {"dog", 5}, {"run", 4}, {"runs", 3}}),
                           std::vector<ClassId>{0, 1, 2, 2});
  const GoldReport report = score_against_gold(
      gold, classes, {.unknown = UnknownWords::leave_out, .resamples = 50}, {.threads = 2});
  EXPECT_EQ(report.token_count, 8u);
  EXPECT_EQ(report.known_tokens, 7u);
  EXPECT_EQ(report.type_count, 5u);
  EXPECT_EQ(report.class_count, 4u);
  // Only one run/N is wrong, and no tag for a word can get it right.
  EXPECT_DOUBLE_EQ(report.tokens.many_to_one, 7.0 / 8);
  EXPECT_DOUBLE_EQ(report.upper_bound, 7.0 / 8);
  EXPECT_DOUBLE_EQ(report.tokens.prototype, 7.0 / 8);
  EXPECT_DOUBLE_EQ(report.tokens.one_to_one, 6.0 / 8);
  EXPECT_DOUBLE_EQ(report.types.many_to_one, 1);
  EXPECT_FALSE(report.collapsed);
  ASSERT_EQ(report.tags.size(), 3u);
  EXPECT_EQ(report.tags[0].tag, "N");
  EXPECT_DOUBLE_EQ(report.tags[0].recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(report.tags[0].precision(), 1);
  ASSERT_TRUE(report.token_intervals);
  EXPECT_LE(report.token_intervals->low.many_to_one, report.tokens.many_to_one);
  EXPECT_GE(report.token_intervals->high.many_to_one, report.tokens.many_to_one);
  EXPECT_DOUBLE_EQ(report.type_intervals->low.many_to_one, 1);
  ASSERT_FALSE(report.largest.empty());
  EXPECT_EQ(report.largest[0].prototype, "run");
  EXPECT_EQ(report.largest[0].prototype_tag, "V");
}

TEST_F(GoldTextTest, IntervalsDoNotDependOnThreads) {
  std::string content;
  base::Rng rng(3);
  for (int i = 0; i < 500; ++i) {
    content += std::string(1, static_cast<char>('a' + rng.below(9))) + "\t" +
               std::string(1, static_cast<char>('A' + rng.below(3))) + (rng.below(8) == 0 ? "\n\n" : "\n");
  }
  const GoldText gold = read(content);
  const GoldReport one = score_against_gold(gold, gold, {.resamples = 40}, {.threads = 1});
  const GoldReport four = score_against_gold(gold, gold, {.resamples = 40}, {.threads = 4});
  EXPECT_EQ(one.type_intervals->low.vi_bits, four.type_intervals->low.vi_bits);
  EXPECT_EQ(one.token_intervals->high.prototype, four.token_intervals->high.prototype);
  EXPECT_DOUBLE_EQ(one.tokens.v_measure, 1);
  EXPECT_LT(one.collapsed->many_to_one, 1);
  EXPECT_DOUBLE_EQ(one.collapsed->many_to_one, one.upper_bound);
}

TEST_F(GoldTextTest, ComparesTokensOneByOne) {
  const GoldText gold = read("a\tX\nb\tY\na\tY\na\tX\n");
  const GoldText predicted = read("a\t1\nb\t2\na\t2\na\t1\n");
  const GoldReport report = score_against_gold(gold, predicted, {}, {});
  EXPECT_DOUBLE_EQ(report.tokens.many_to_one, 1);
  ASSERT_TRUE(report.collapsed);
  EXPECT_DOUBLE_EQ(report.collapsed->many_to_one, 0.75);
  EXPECT_THROW(score_against_gold(gold, read("a\t1\nc\t2\na\t2\na\t1\n"), {}, {}), InputError);
  EXPECT_THROW(score_against_gold(gold, read("a\t1\nb\t2\n"), {}, {}), InputError);
}

TEST(Sweep, WritesATable) {
  const std::vector<SweepPoint> points = {{10, 0.5, 0.4, 0.9}, {100, 0.75, 0.7, 0.9}};
  EXPECT_EQ(sweep_tsv(points),
            "classes\tmany_to_one\tprototype\tupper_bound\n10\t0.500000\t0.400000\t0.900000\n"
            "100\t0.750000\t0.700000\t0.900000\n");
}

}  // namespace
}  // namespace firth
