#include "firth/tagger.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "firth/tag_scores.hpp"
#include "support/temp_folder.hpp"
#include "tagger/token_output.hpp"

namespace firth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read_file;
using testing::TempFolder;

constexpr const char* kTrain =
    "Anna B-PER\nsaw O\nRome B-LOC\n\nBob B-PER\nSmith I-PER\nlikes O\nParis B-LOC\n\n"
    "she O\nsaw O\nNew B-LOC\nYork I-LOC\n\nParis B-LOC\nlikes O\nBob B-PER\n\n";

std::vector<TaggedSentence> read(std::string_view text) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("train", text)};
  return read_tagged(files, {}, {});
}

std::vector<std::string> tags_of(const Tagger& tagger, const std::vector<std::string_view>& words,
                                 TagScheme scheme = TagScheme::bio) {
  TagSession session(tagger, {});
  std::vector<std::string> tags;
  session.tag_names(words, scheme, tags);
  return tags;
}

TEST(TrainTagger, LearnsItsSentences) {
  const auto sentences = read(kTrain);
  for (const int beam : {0, 1, 4}) {
    for (const TagScheme scheme : {TagScheme::bio, TagScheme::bilou}) {
      TaggerOptions options;
      options.beam = beam;
      options.scheme = scheme;
      options.passes = 20;
      const Tagger tagger = train_tagger(sentences, options, {}, {});
      EXPECT_EQ(score_tagger(tagger, sentences, {}, {}).entities.f1(), 1) << beam;
      EXPECT_EQ(tagger.beam(), beam);
    }
  }
}

TEST(TrainTagger, EveryObjectiveLearns) {
  const auto sentences = read(kTrain);
  for (const TagObjective objective : {TagObjective::crf, TagObjective::perceptron}) {
    const Tagger tagger = train_tagger(sentences, {.objective = objective, .passes = 20}, {}, {});
    EXPECT_EQ(tagger.objective(), objective);
    EXPECT_EQ(tagger.beam(), objective == TagObjective::crf ? 0 : 4);
    EXPECT_EQ(score_tagger(tagger, sentences, {}, {}).entities.f1(), 1);
  }
  EXPECT_EQ(train_tagger(sentences, {}, {}, {}).objective(), TagObjective::crf);
}

TEST(TrainTagger, MoreThan128TagsAreForAPerceptron) {
  std::string text;
  for (int i = 0; i < 129; ++i) text += "w" + std::to_string(i) + " T" + std::to_string(i) + "\n\n";
  EXPECT_EQ(train_tagger(read(text), {.passes = 1}, {}, {}).objective(), TagObjective::perceptron);
}

TEST(TrainTagger, SmallModelsAreSmallAndComeBackTheSame) {
  const auto sentences = read(kTrain);
  const TempFolder folder;
  const Tagger best = train_tagger(sentences, {.passes = 20}, {}, {});
  const Tagger small = train_tagger(sentences, {.recipe = TagRecipe::small, .passes = 20}, {}, {});
  EXPECT_EQ(score_tagger(small, sentences, {}, {}).entities.f1(), 1);
  EXPECT_LT(small.weight_count(), best.weight_count());
  EXPECT_LT(2 * small.to_bytes().size(), best.to_bytes().size());
  save_tagger(folder.file("small"), small);
  EXPECT_EQ(read_file(folder.file("small")), small.to_bytes());
  EXPECT_EQ(load_tagger(folder.file("small")).to_bytes(), small.to_bytes());
  const std::string bytes = small.to_bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 61) {
    EXPECT_THROW((void)Tagger::from_bytes(bytes.substr(0, size)), FormatError) << size;
  }
  EXPECT_THROW((void)train_tagger(
                   sentences, {.recipe = TagRecipe::small, .objective = TagObjective::perceptron}, {}, {}),
               UsageError);
}

TEST(TrainTagger, FastModelsLookAtSingleWords) {
  const auto sentences = read(kTrain);
  const Tagger fast = train_tagger(sentences, {.recipe = TagRecipe::fast, .passes = 20}, {}, {});
  EXPECT_EQ(score_tagger(fast, sentences, {}, {}).entities.f1(), 1);
  EXPECT_LT(fast.feature_count(), train_tagger(sentences, {.passes = 20}, {}, {}).feature_count());
  EXPECT_EQ(Tagger::from_bytes(fast.to_bytes()).to_bytes(), fast.to_bytes());
}

// Two of five: without the cost no entity is likelier.
TEST(TrainTagger, ARecallCostFindsMoreEntities) {
  const auto sentences = read("a O\nx B-P\n\na O\nx B-P\n\na O\nx O\n\na O\nx O\n\na O\nx O\n\n");
  const auto found = [&](double cost) {
    const TaggerOptions options = {.passes = 30, .recall_cost = cost};
    return tags_of(train_tagger(sentences, options, {}, {}), {"a", "x"}).back();
  };
  EXPECT_EQ(found(0), "O");
  EXPECT_EQ(found(5), "B-P");
}

TEST(TrainTagger, WritesEntitiesInAnyScheme) {
  const Tagger tagger = train_tagger(read(kTrain), {}, {}, {});
  EXPECT_EQ(tagger.scheme(), TagScheme::bilou);
  EXPECT_THAT(tags_of(tagger, {"Bob", "Smith", "likes", "Paris"}),
              ElementsAre("B-PER", "I-PER", "O", "B-LOC"));
  EXPECT_THAT(tags_of(tagger, {"Bob", "Smith", "likes", "Paris"}, TagScheme::bilou),
              ElementsAre("B-PER", "L-PER", "O", "U-LOC"));
  EXPECT_THAT(tags_of(tagger, {"Bob", "Smith", "likes", "Paris"}, TagScheme::io),
              ElementsAre("I-PER", "I-PER", "O", "I-LOC"));
  EXPECT_THAT(tags_of(tagger, {}), ElementsAre());
}

TEST(TrainTagger, ClassesCarryOverToUnknownWords) {
  const auto sentences =
      read("x O\nann B-P\n\ny O\nbob B-P\n\nx O\ncar O\n\ny O\nbox O\n\nann B-P\ncar O\n\n");
  const Clustering classes = parse_clustering(
      "ann\t1\nbob\t1\ncal\t1\ndee\t1\ncar\t2\nbox\t2\ncup\t2\nlid\t2\nx\t3\ny\t3\n", "classes");
  const Tagger tagger = train_tagger(sentences, {}, {{{classes, {}}}, {}}, {});
  EXPECT_THAT(tags_of(tagger, {"x", "dee"}), ElementsAre("O", "B-P"));
  EXPECT_THAT(tags_of(tagger, {"x", "lid"}), ElementsAre("O", "O"));
  EXPECT_EQ(tagger.class_sources(), 1u);
  EXPECT_TRUE(tagger.knows("ann"));
  EXPECT_FALSE(tagger.knows("dee"));
}

TEST(TrainTagger, VectorsCarryOverToUnknownWords) {
  const auto sentences = read("ann P\n\nbob P\n\ncar T\n\nbox T\n\n");
  WordVectors vectors;
  vectors.vocabulary =
      Vocabulary::from_words({{"ann", 9}, {"bob", 8}, {"zzz", 7}, {"car", 6}, {"box", 5}, {"qqq", 4}});
  vectors.dimensions = 2;
  vectors.values = {1, 0.1F, 1, 0, 1, -0.1F, 0.1F, 1, 0, 1, -0.1F, 1};
  const Tagger tagger = train_tagger(sentences, {}, {{}, {vectors}}, {});
  EXPECT_EQ(tagger.vector_sources(), 1U);
  EXPECT_EQ(tagger.class_sources(), 0U);
  EXPECT_THAT(tags_of(tagger, {"zzz"}), ElementsAre("P"));
  EXPECT_THAT(tags_of(tagger, {"qqq"}), ElementsAre("T"));
}

TEST(TrainTagger, DependsOnTheSeedOnly) {
  const auto sentences = read(kTrain);
  const TempFolder folder;
  const auto file = [&](const char* name, std::uint64_t seed, unsigned threads) {
    RunOptions run;
    run.seed = seed;
    run.threads = threads;
    save_tagger(folder.file(name), train_tagger(sentences, {}, {}, run));
    return read_file(folder.file(name));
  };
  const std::string one = file("a", 1, 1);
  EXPECT_EQ(one, file("b", 1, 2));
  EXPECT_NE(one, file("c", 2, 1));
}

std::string problem(std::string_view text, TaggerOptions options = {}) {
  try {
    const auto sentences = read(text);
    train_tagger(sentences, options, {}, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(TrainTagger, SaysWhatIsWrongWithTags) {
  EXPECT_THAT(problem("a B-X\nb O\nc NOUN\n"),
              AllOf(HasSubstr("train:3: 'NOUN' is not a tag of an entity scheme"),
                    HasSubstr("TaggerOptions::scheme")));
  EXPECT_THAT(problem("a NOUN\n", {.scheme = TagScheme::bio}), HasSubstr("train:1: 'NOUN'"));
  EXPECT_THAT(problem(""), HasSubstr("train: there are no tagged sentences"));
  EXPECT_THAT(problem("a O\n", {.passes = 0}), HasSubstr("passes"));
  EXPECT_THAT(problem("a O\n", {.beam = -2}), HasSubstr("beam"));
  EXPECT_THAT(problem("a O\n", {.recall_cost = -1}), HasSubstr("recall cost"));
  EXPECT_THAT(problem("a O\n", {.trainings = 0}), HasSubstr("0 trainings"));
  EXPECT_THAT(problem("a O\n", {.min_weight = 2}), HasSubstr("weights below 2"));
  std::string many;
  for (int i = 0; i < 1100; ++i) many += "a T" + std::to_string(i) + "\n";
  EXPECT_THAT(problem(many),
              AllOf(HasSubstr("more than 1024 different tags"), HasSubstr("TokenOptions::tag_column")));
}

TEST(TrainTagger, OutsideOnlyIsAPlainTag) {
  const Tagger tagger = train_tagger(read("a O\nb O\n"), {}, {}, {});
  EXPECT_EQ(tagger.scheme(), TagScheme::plain);
  EXPECT_THAT(tags_of(tagger, {"c"}), ElementsAre("O"));
}

TEST(TrainTagger, KeepsMemoryLimitsAndStops) {
  const auto sentences = read(kTrain);
  RunOptions run;
  run.memory_bytes = 100;
  EXPECT_THROW(train_tagger(sentences, {}, {}, run), ResourceError);
  std::stop_source source;
  source.request_stop();
  run = {};
  run.stop = source.get_token();
  EXPECT_THROW(train_tagger(sentences, {}, {}, run), Cancelled);
}

Tagger rich_tagger() {
  const Clustering classes = parse_clustering("00\tAnna\t5\n00\tBob\t4\n01\tsaw\t3\n1\tRome\t2\n", "paths");
  WordVectors vectors;
  vectors.vocabulary = Vocabulary::from_words({{"Anna", 9}, {"saw", 8}});
  vectors.dimensions = 3;
  vectors.values = {1, 2, 3, -1, 0, 1};
  return train_tagger(read(kTrain), {}, {{{classes, {}}, {classes, {.cuts = {2}}}}, {vectors}}, {});
}

TEST(TaggerFile, IsTheSameAfterReading) {
  const TempFolder folder;
  const Tagger tagger = rich_tagger();
  save_tagger(folder.file("a"), tagger);
  const Tagger again = load_tagger(folder.file("a"));
  save_tagger(folder.file("b"), again);
  EXPECT_EQ(read_file(folder.file("a")), read_file(folder.file("b")));
  const std::vector<std::string_view> words = {"Anna", "met", "Zoe", "saw", "in", "ROME"};
  EXPECT_EQ(tags_of(tagger, words), tags_of(again, words));
  EXPECT_TRUE(again.knows("Anna"));
}

TEST(TaggerFile, DamageIsFound) {
  const TempFolder folder;
  save_tagger(folder.file("a"), rich_tagger());
  const std::string good = read_file(folder.file("a"));
  std::size_t found = 0;
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    try {
      save_tagger(folder.file("again"), load_tagger(folder.write("bad", bad)));
      EXPECT_EQ(read_file(folder.file("again")), good) << at;  // between two sections nothing is kept
    } catch (const FormatError&) {
      ++found;
    }
  }
  EXPECT_GT(found, good.size() / 97 / 2);
  for (std::size_t size = 0; size < good.size(); size += 211) {
    EXPECT_THROW(load_tagger(folder.write("short", good.substr(0, size))), Error) << size;
  }
}

std::string tagged(const Tagger& tagger, std::string_view text, TagFileOptions options = {}) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("in", text)};
  std::string out;
  tag_files(tagger, files, options, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST(TagFiles, KeepsTheFormat) {
  const Tagger tagger = train_tagger(read(kTrain), {}, {}, {});
  EXPECT_EQ(tagged(tagger, "Anna saw Rome\n\nBob Smith likes Paris\n"),
            "Anna\tB-PER\nsaw\tO\nRome\tB-LOC\n\nBob\tB-PER\nSmith\tI-PER\nlikes\tO\nParis\tB-LOC\n\n");
  EXPECT_EQ(tagged(tagger, "-DOCSTART-\tO\n\n# x\nAnna\tO\n"), "-DOCSTART-\tO\tO\n\n# x\nAnna\tO\tB-PER\n\n");
  EXPECT_EQ(tagged(tagger, "Anna x\nsaw y\nRome z\n\n"), "Anna x B-PER\nsaw y O\nRome z B-LOC\n\n");
  EXPECT_EQ(tagged(tagger, "1\tAnna\t_\tX\t_\t_\t_\t_\t_\tA=b\n"),
            "1\tAnna\t_\tX\t_\t_\t_\t_\t_\tA=b|Entity=B-PER\n\n");
  const Tagger plain = train_tagger(read("Anna N\nsaw V\n"), {}, {}, {});
  EXPECT_EQ(tagged(plain, "# c\n1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\tAnna\t_\tX\t_\t_\t_\t_\t_\t_\n"),
            "# c\n1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_\n1\tAnna\t_\tN\t_\t_\t_\t_\t_\t_\n\n");
}

TEST(TagFiles, RefusesAColumnThatConlluHasNot) {
  const Tagger plain = train_tagger(read("Anna N\nsaw V\n"), {}, {}, {});
  TagFileOptions options;
  options.tokens.tag_column = 11;
  EXPECT_THROW(tagged(plain, "1\tAnna\t_\tX\t_\t_\t_\t_\t_\t_\n", options), UsageError);
}

TEST(TagSession, LongSentencesAreTaggedInPieces) {
  const Tagger tagger = train_tagger(read(kTrain), {}, {}, {});
  TagSession session(tagger, {});
  const std::vector<std::string_view> words(50001, "Anna");
  EXPECT_EQ(session.tag(words).size(), words.size());
  EXPECT_THROW(TagSession(tagger, {-2}), UsageError);
}

TEST(TokenOutput, ReplacesTheColumnThatIsThere) {
  const auto replaced = [](std::string_view line, int column) {
    std::string out = "before ";
    tagger::replace_column(line, column, "X", out);
    return out;
  };
  EXPECT_EQ(replaced("a\tb\tc", 1), "before X\tb\tc");
  EXPECT_EQ(replaced("a\tb\tc", 2), "before a\tX\tc");
  EXPECT_EQ(replaced("a\t\tc", 2), "before a\tX\tc");
  EXPECT_EQ(replaced("a\tb\tc", 3), "before a\tb\tX");
  EXPECT_EQ(replaced("a\tb\t", 3), "before a\tb\tX");
  EXPECT_EQ(replaced("a\tb\tc", -1), "before a\tb\tX");
  EXPECT_EQ(replaced("a\tb\tc", -3), "before X\tb\tc");
  EXPECT_EQ(replaced("a", -1), "before X");
  for (const int missing : {4, 9, -4}) EXPECT_EQ(replaced("a\tb\tc", missing), "before a\tb\tc");
}

}  // namespace
}  // namespace firth
