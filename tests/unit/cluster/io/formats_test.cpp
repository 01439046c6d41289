#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"
#include "reference/random_data.hpp"

namespace firth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Clustering read(std::string_view text, ClusterFormat format = ClusterFormat::automatic) {
  return parse_clustering(text, "file", format);
}

/// The message for a text that must not be accepted.
std::string refusal(std::string_view text, ClusterFormat format = ClusterFormat::automatic) {
  try {
    read(text, format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> words_of(const Clustering& clustering) {
  std::vector<std::string> words;
  for (WordId id = 0; id < clustering.word_count(); ++id)
    words.emplace_back(clustering.vocabulary().word(id));
  return words;
}

/// "a b|c": classes in order, words in order.
std::string sketch(const Clustering& clustering) {
  std::string text;
  for (const auto& members : clustering.members()) {
    if (!text.empty()) text += '|';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) text += ' ';
      text += clustering.vocabulary().word(members[i]);
    }
  }
  return text;
}

/// Number of classes if both say the same about every pair of words, else 0.
std::size_t shared_classes(const Clustering& a, const Clustering& b) {
  const std::vector<ClassId> in_a = classes_for(b.vocabulary(), a);
  std::set<std::pair<ClassId, ClassId>> pairs;
  for (WordId word = 0; word < b.word_count(); ++word) pairs.emplace(in_a[word], b.class_of(word));
  return pairs.size() == a.class_count() && pairs.size() == b.class_count() ? pairs.size() : 0;
}

TEST(PathsFormat, ReadsWclustersFiles) {
  const Clustering clustering = read("0\tthe\t9\n10\tcat\t5\n10\tdog\t3\n110\truns\t2\n111\tate\t1\n");
  EXPECT_EQ(sketch(clustering), "the|cat dog|runs|ate");
  EXPECT_EQ(clustering.vocabulary().count(0), 9u);
  EXPECT_THAT(clustering.bit_strings(), ElementsAre("0", "10", "110", "111"));
  EXPECT_EQ(sketch(clustering.cut(3)), "the|cat dog|runs ate");
  EXPECT_EQ(sketch(clustering.cut(2)), "cat dog runs ate|the");
  EXPECT_TRUE(std::isnan(clustering.tree()->merges[0].ami_bits));
}

TEST(PathsFormat, DeepestForksAreMergedFirstThenTheRarest) {
  const Clustering clustering = read("000\ta\t9\n001\tb\t8\n010\tc\t7\n011\td\t6\n1\te\t1\n");
  EXPECT_EQ(sketch(clustering.cut(4)), "c d|a|b|e");
  EXPECT_EQ(sketch(clustering.cut(3)), "a b|c d|e");
  EXPECT_EQ(sketch(clustering.cut(2)), "a b c d|e");
}

TEST(PathsFormat, BitsFollowTheMostFrequentWord) {
  // wcluster's 0 and 1 are arbitrary; Firth's 0 is the child whose most frequent word ranks first.
  const Clustering clustering = read("0\trare\t1\n1\toften\t5\n");
  EXPECT_EQ(format_clustering(clustering, ClusterFormat::paths), "0\toften\t5\n1\trare\t1\n");
}

TEST(PathsFormat, TakesWhatOtherToolsWrite) {
  const Clustering expected = read("00\ta\t3\n01\tb\t2\n1\tc\t1\n");
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "00\ta\t3\r\n01\tb\t2\r\n\r\n1\tc\t1"),
            expected);                                                 // BOM, CRLF, no last newline
  EXPECT_EQ(read("00 a 3\n01 b 2\n1 c 1\n"), expected);                // spaces
  EXPECT_EQ(read("a\t00\t3\nb\t01\t2\nc\t1\t1\n"), expected);          // tan-clustering: word first
  EXPECT_EQ(sketch(read("00\ta\n01\tb\n1\tc\n")), "a|b|c");            // no counts
  EXPECT_EQ(read("0000\ta\t3\n0001\tb\t2\n01\tc\t1\n"), expected);     // forks with one child
  EXPECT_EQ(read("\ta\t3\n\tb\t1\n").class_count(), 1u);               // wcluster with one class
  EXPECT_EQ(sketch(read("0\tnew york\t3\n1\tb\t1\n")), "new york|b");  // phrases
}

TEST(PathsFormat, SortsByBitsThenCountThenWord) {
  const Clustering clustering = read("1\tz\t5\n1\ty\t5\n1\tx\t7\n0\tb\t9\n");
  EXPECT_EQ(format_clustering(clustering, ClusterFormat::paths), "0\tb\t9\n1\tx\t7\n1\ty\t5\n1\tz\t5\n");
}

TEST(PathsFormat, SaysWhatIsWrongAndWhere) {
  const auto paths = ClusterFormat::paths;
  EXPECT_THAT(refusal("0\ta\t1\n02\tb\t1\n", paths),
              AllOf(HasSubstr("file:2: '02'"), HasSubstr("bits<TAB>word")));
  EXPECT_THAT(refusal("0\ta\t1\n1\tb\tmany\n", paths), HasSubstr("file:2: 'many' is not a count"));
  EXPECT_THAT(refusal("0\ta\t1\n1\tb\t-1\n", paths), HasSubstr("file:2: '-1' is not a count"));
  EXPECT_THAT(refusal("0\ta\t1\n1\n", paths), HasSubstr("file:2: 1 column"));
  EXPECT_THAT(refusal("0\ta\t1\n\n1\ta\t2\n", paths),
              HasSubstr("file:3: the word 'a' comes twice, first in line 1"));
  EXPECT_THAT(refusal("0\ta\t1\n01\tb\t2\n", paths),
              HasSubstr("file:2: the bits '01' go on where the class '0' of line 1"));
  EXPECT_THAT(refusal("0\t\t1\n", paths), HasSubstr("file:1: the word is empty"));
  EXPECT_THAT(refusal("0\ta\t18446744073709551615\n1\tb\t1\n", paths),
              HasSubstr("file:2: the counts add up"));
  EXPECT_THAT(refusal("0\ta\t18446744073709551616\n", paths), HasSubstr("is not a count"));
  EXPECT_THAT(refusal("", paths), HasSubstr("file: the file is empty"));
  EXPECT_THAT(refusal("\n \n", paths), HasSubstr("file: the file is empty"));
  EXPECT_THAT(refusal(std::string_view("0\ta\0b\t1\n", 8), paths), HasSubstr("file:1:4: a NUL byte"));
}

TEST(ClassesFormat, FindsTheWordColumn) {
  EXPECT_EQ(sketch(read("the\t1\ncat\t2\ndog\t2\n")), "cat dog|the");
  EXPECT_EQ(sketch(read("1\tthe\n2\tcat\n2\tdog\n")), "cat dog|the");
  EXPECT_EQ(sketch(read("the DET\ncat NOUN\ndog NOUN\n")), "cat dog|the");
  EXPECT_EQ(sketch(read("a\t3\nb\t5\n")), "a|b");  // both distinct: the numbers are classes
  EXPECT_EQ(sketch(read("3\ta\n5\tb\n")), "a|b");
  EXPECT_EQ(sketch(read("{\t3\n}\t3\n\"\t4\n")), "\"|{ }");
  EXPECT_THAT(refusal("a\tX\nb\tY\n"), HasSubstr("file: cannot tell which column is the word"));
  EXPECT_EQ(words_of(read("a\tX\nb\tY\n", ClusterFormat::classes)), (std::vector<std::string>{"a", "b"}));
}

TEST(ClassesFormat, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal("the\t1\ncat\t2\ndog\t2\nthe\t2\n"),
              HasSubstr("file:4: the word 'the' comes twice, first in line 1"));
  EXPECT_THAT(refusal("the\t1\ncat\n", ClusterFormat::classes),
              HasSubstr("file:2: 1 column; expected word<TAB>class"));
  EXPECT_THAT(refusal("the\t1\ncat\t\ndog\t1\n"), HasSubstr("file:2: the class is empty"));
}

TEST(MergesFormat, ReadsTheExampleOfGeneralisedBrown) {
  const Clustering clustering = read(
      "snakes spiders 8\ndogs cats 7\nAlice Bob 6\nand while 5\nlikes hates 4\ndogs snakes 3\ndogs and 2\n"
      "dogs Alice 1\ndogs likes 0\n");
  EXPECT_EQ(clustering.word_count(), 10u);
  EXPECT_EQ(clustering.class_count(), 10u);
  EXPECT_EQ(clustering.tree()->kind, TreeLeaves::words);
  EXPECT_EQ(sketch(clustering.cut(5)), "Alice Bob|and while|cats dogs|hates likes|snakes spiders");
  EXPECT_EQ(sketch(clustering.cut(4)), "Alice Bob|and while|cats dogs snakes spiders|hates likes");
}

TEST(MergesFormat, AWordNamesTheClassThatItIsIn) {
  const Clustering clustering = read("b\ta\t2\t0.5\t1.25\na\tc\t1\tnan\tnan\nd\tb\t0\t0.25\t0\n");
  EXPECT_EQ(sketch(clustering.cut(2)), "a b c|d");
  EXPECT_EQ(clustering.tree()->merges[0].ami_bits, 1.25);
  EXPECT_EQ(sketch(read("a\tX\t3\nb\tX\t2\nc\tY\t1\n")), "a b|c");  // no merges: these do not end at 0
  EXPECT_TRUE(std::isnan(clustering.tree()->merges[1].ami_bits));
}

TEST(MergesFormat, WritesTheMostFrequentWordOfEachClass) {
  const Clustering clustering = read("00\ta\t9\n01\tb\t8\n1\tc\t7\n1\td\t3\n");
  EXPECT_EQ(format_clustering(clustering, ClusterFormat::merges), "c\td\t2\na\tb\t1\na\tc\t0\n");
}

TEST(MergesFormat, SaysWhatIsWrongAndWhere) {
  const auto merges = ClusterFormat::merges;
  EXPECT_THAT(refusal("a\tb\t2\na\tb\t1\n", merges),
              HasSubstr("file:2: 'a' and 'b' are in one class already"));
  EXPECT_THAT(refusal("a\ta\t2\n", merges), HasSubstr("file:1: 'a' and 'a' are in one class already"));
  EXPECT_THAT(refusal("a\tb\t2\nc\td\t0\n", merges), HasSubstr("file:2: 0 follows 2"));
  EXPECT_THAT(refusal("a\tb\tx\n", merges), HasSubstr("file:1: 'x' is not a number"));
  EXPECT_THAT(refusal("a\tb\n", merges), HasSubstr("file:1: 2 columns"));
  EXPECT_THAT(refusal("a\tb\t0\t1\tx\n", merges), HasSubstr("file:1: 'x' is not a number"));
}

TEST(SrilmFormat, ReadsAndWrites) {
  const Clustering clustering = read("DET 1 the\nNOUN 0.75 cat\nNOUN 0.25 dog\n");
  EXPECT_EQ(sketch(clustering), "the|cat dog");
  EXPECT_EQ(format_clustering(clustering, ClusterFormat::srilm),
            "CLASS-00000 1 the\nCLASS-00001 0.75 cat\nCLASS-00001 0.25 dog\n");
  EXPECT_EQ(sketch(read("DET\tthe\nNOUN  cat\nNOUN\t dog\n", ClusterFormat::srilm)), "cat dog|the");
  const Clustering no_counts = read("the\t1\ncat\t2\ndog\t2\n");
  EXPECT_THAT(format_clustering(no_counts, ClusterFormat::srilm), HasSubstr("CLASS-00000 0.5 cat\n"));
}

TEST(SrilmFormat, SaysWhatIsWrongAndWhere) {
  const auto srilm = ClusterFormat::srilm;
  EXPECT_THAT(refusal("A 0.5 x\nB 0.5 x\n", srilm),
              HasSubstr("file:2: the word 'x' comes twice, first in line 1"));
  EXPECT_THAT(refusal("A 0.5 x y\n", srilm),
              HasSubstr("file:1: the class 'A' expands to more than one word"));
  EXPECT_THAT(refusal("A x y\n", srilm), HasSubstr("file:1: the class 'A' expands to more than one word"));
  EXPECT_THAT(refusal("A 1.5 x\n", srilm), HasSubstr("file:1: '1.5' is not a probability"));
  EXPECT_THAT(refusal("A\n", srilm), HasSubstr("file:1: 1 column"));
}

TEST(ClarkFormat, ReadsCountsAndProbabilities) {
  EXPECT_EQ(sketch(read("the 4 100\ncat 7 30\ndog 7 80\n")), "dog cat|the");
  const Clustering shares = read("cat 7 0.25\ndog 7 0.75\nthe 4 0.5\n");
  EXPECT_EQ(sketch(shares), "dog cat|the");
  EXPECT_EQ(shares.vocabulary().count(0), 750'000'000u);
  EXPECT_EQ(read("cat 7 -1.5\ndog 7 -0.5\nthe 4 -3\n").vocabulary().count(0),
            0u);  // logarithms are no counts
  EXPECT_EQ(format_clustering(read("the 4 100\ncat 7 30\n"), ClusterFormat::clark), "the 0 100\ncat 1 30\n");
  EXPECT_THAT(refusal("the 4 x\n", ClusterFormat::clark), HasSubstr("file:1: 'x' is not a number"));
}

TEST(AutomaticFormat, SaysSoWhenItCannotTell) {
  EXPECT_THAT(refusal("a b c d\n"),
              AllOf(HasSubstr("cannot tell the format"), HasSubstr("paths, classes, merges")));
  EXPECT_THAT(refusal("a b c\n"), HasSubstr("cannot tell the format"));
  EXPECT_THAT(refusal("one\n"), HasSubstr("cannot tell the format"));
  EXPECT_THAT(refusal("the cat sees a dog\na dog\nand so on and on\n"),
              HasSubstr("this looks like running text, not like classes"));
}

TEST(AutomaticFormat, NamesTheLineThatIsNotLikeTheOthers) {
  EXPECT_THAT(refusal("00 a 1\n01 b 1\n1 c d 1\n"),
              AllOf(HasSubstr("file:3: cannot tell the format"), HasSubstr("is 4 here and 3 in most lines")));
  EXPECT_THAT(refusal("one\n00 a 1\n01 b 1\n"), HasSubstr("file:1: cannot tell the format"));
  std::string clark;
  for (int i = 0; i < 20; ++i) clark += std::to_string(i) + " 7 " + (i == 12 ? "x" : "1") + "\n";
  EXPECT_THAT(refusal(clark),
              HasSubstr("file:13: cannot tell the format of this file of classes: 'x' is not a number"));
  std::string paths;
  for (std::size_t i = 0; i < 20; ++i)
    paths += std::string(i + 1, '1') + (i == 4 ? "2" : "0") + "\tw" + std::to_string(i) + "\tnine\n";
  EXPECT_THAT(refusal(paths),
              HasSubstr("file:5: cannot tell the format of this file of classes: '111112' is not a bit"));
}

TEST(WritingFormats, RefusesWordsThatAFormatCannotHold) {
  const Clustering spaced(Vocabulary::from_words({{"new york", 2}, {"a", 1}}), std::vector<ClassId>{0, 1},
                          MergeTree{TreeLeaves::classes, 2, {{0, 1, 0}}});
  EXPECT_THROW(format_clustering(spaced, ClusterFormat::srilm), InputError);
  EXPECT_THROW(format_clustering(spaced, ClusterFormat::clark), InputError);
  EXPECT_EQ(read(format_clustering(spaced, ClusterFormat::json)), spaced);
  EXPECT_EQ(sketch(read(format_clustering(spaced, ClusterFormat::paths))), "new york|a");
  const Clustering tabbed(Vocabulary::from_words({{"a\tb", 2}}), std::vector<ClassId>{0});
  EXPECT_THROW(format_clustering(tabbed, ClusterFormat::classes), InputError);
  EXPECT_EQ(read(format_clustering(tabbed, ClusterFormat::json)), tabbed);
  const Clustering latin(Vocabulary::from_words({{"caf\xe9", 2}}), std::vector<ClassId>{0});
  EXPECT_THROW(format_clustering(latin, ClusterFormat::json), InputError);
  EXPECT_EQ(read(format_clustering(latin, ClusterFormat::clark)), latin);
}

// A file of classes may begin with such a word, which readers took for the mark of the file.
TEST(WritingFormats, TheFirstWordMayBeginWithAByteOrderMark) {
  const Clustering marked(Vocabulary::from_words({{"\xef\xbb\xbfthe", 3}, {"the", 2}, {"cat", 1}}),
                          std::vector<ClassId>{0, 1, 1}, MergeTree{TreeLeaves::classes, 2, {{0, 1, 0}}});
  for (const ClusterFormat format : {ClusterFormat::classes, ClusterFormat::clark, ClusterFormat::merges,
                                     ClusterFormat::mkcls, ClusterFormat::paths, ClusterFormat::srilm}) {
    const Clustering again = read(format_clustering(marked, format), format);
    EXPECT_EQ(shared_classes(again.tree() ? again.cut(2) : again, marked), 2U) << static_cast<int>(format);
  }
}

TEST(WritingFormats, SaysWhatIsMissing) {
  const Clustering flat = read("the\t1\ncat\t2\ndog\t2\n");
  EXPECT_THROW(format_clustering(flat, ClusterFormat::paths), UsageError);
  EXPECT_THROW(format_clustering(flat, ClusterFormat::merges), UsageError);
  EXPECT_THROW(format_clustering(flat, ClusterFormat::firth), UsageError);
  EXPECT_THROW(format_clustering(flat, ClusterFormat::automatic), UsageError);
  EXPECT_THROW(format_clustering(Clustering(), ClusterFormat::classes), UsageError);
}

// What each format keeps comes back, for random clusterings of all three kinds.
TEST(RoundTrip, KeepsWhatTheFormatHolds) {
  base::Rng rng(17);
  for (int trial = 0; trial < 600; ++trial) {
    const Clustering original = reference::random_clustering(rng, 2 + rng.below(30), trial % 3);
    const std::string drawn = sketch(original);
    const auto again = [&](ClusterFormat format) {
      return read(format_clustering(original, format), format);
    };
    ASSERT_EQ(again(ClusterFormat::json), original);
    ASSERT_EQ(read(format_clustering(original, ClusterFormat::json)), original);
    const Clustering clark = again(ClusterFormat::clark);
    ASSERT_EQ(clark, Clustering(original.vocabulary(), original.classes()));
    const Clustering classes = again(ClusterFormat::classes);
    ASSERT_EQ(classes.class_count(), original.class_count());
    ASSERT_EQ(shared_classes(classes, original), original.members().size());
    const Clustering srilm = again(ClusterFormat::srilm);
    ASSERT_EQ(shared_classes(srilm, original), original.members().size());
    if (!original.tree()) continue;
    const Clustering paths = again(ClusterFormat::paths);
    ASSERT_EQ(sketch(paths), drawn);
    ASSERT_EQ(paths.bit_strings(), original.bit_strings());
    ASSERT_EQ(read(format_clustering(paths, ClusterFormat::paths), ClusterFormat::paths), paths);
    const Clustering merges = again(ClusterFormat::merges);
    ASSERT_EQ(shared_classes(merges.cut(original.class_count()), original), original.members().size());
    for (ClassId k = 1; k <= original.class_count(); ++k) {
      ASSERT_EQ(shared_classes(merges.cut(k), original.cut(k)), k);
    }
  }
}

}  // namespace
}  // namespace firth
