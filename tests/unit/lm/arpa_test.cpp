#include <gmock/gmock.h>

#include <cmath>

#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;

constexpr const char* kGood =
    "A comment before the data.\n"
    "\\data\\\n"
    "ngram 1=5\n"
    "ngram 2=3\n"
    "\n"
    "\\1-grams:\n"
    "-1\t<unk>\n"
    "-99\t<s>\t-0.5\n"
    "-0.5\t</s>\n"
    "-0.4\ta\t-0.3\n"
    "-0.8\tb\t-0.2\n"
    "\n"
    "\\2-grams:\n"
    "-0.1\t<s> a\n"
    "-0.2\ta b\n"
    "-0.3\tb </s>\n"
    "\n"
    "\\end\\\n";

LanguageModel load_text(const std::string& text) {
  const testing::TempFolder folder;
  return load_lm(folder.write("model.arpa", text), "", {});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Arpa, BacksOffAsItSays) {
  const LanguageModel model = load_text(kGood);
  EXPECT_EQ(model.order(), 2);
  EXPECT_TRUE(model.has_boundaries());
  LmState state = model.begin_sentence();
  EXPECT_NEAR(std::log10(model.probability(state, model.find("b"))), -0.5 - 0.8, 1e-12);
  EXPECT_NEAR(std::log10(model.advance(state, model.find("a"))), -0.1, 1e-12);
  EXPECT_NEAR(std::log10(model.probability(state, LanguageModel::kEnd)), -0.3 - 0.5, 1e-12);
  EXPECT_NEAR(std::log10(model.advance(state, model.find("nowhere"))), -0.3 - 1, 1e-12);
  EXPECT_NEAR(std::log10(model.advance(state, model.find("a"))), -0.4, 1e-12);
  EXPECT_EQ(model.probability(state, LanguageModel::kBegin), 0);
}

TEST(Arpa, SkipsSuffixesThatPruningLeftOut) {
  // "a b" + "c" has a trigram, "b c" has no bigram: the next context of "a b c" is "c".
  const LanguageModel model = load_text(
      "\\data\\\nngram 1=6\nngram 2=2\nngram 3=2\n\\1-grams:\n-1 <unk>\n-99 <s>\n-1 </s>\n-1 a -0.1\n-1 b "
      "-0.2\n-1 c "
      "-0.3\n\\2-grams:\n-0.5 a b -0.4\n-0.6 c a 0\n\\3-grams:\n-0.7 a b c\n-0.8 a b a\n\\end\\\n");
  LmState state = model.no_context();
  model.advance(state, model.find("a"));
  model.advance(state, model.find("b"));
  EXPECT_NEAR(std::log10(model.advance(state, model.find("c"))), -0.7, 1e-12);
  EXPECT_NEAR(std::log10(model.probability(state, model.find("a"))), -0.6, 1e-12);
  EXPECT_NEAR(std::log10(model.probability(state, model.find("b"))), -0.3 - 1, 1e-12);
}

TEST(Arpa, ModelWithoutUnknownWordsGivesThemNothing) {
  const LanguageModel model =
      load_text(replaced(replaced(kGood, "ngram 1=5", "ngram 1=4"), "-1\t<unk>\n", ""));
  EXPECT_EQ(model.probability(model.begin_sentence(), LanguageModel::kUnknown), 0);
}

TEST(Arpa, AcceptsCarriageReturnsAndUpperCaseUnk) {
  std::string text = replaced(kGood, "<unk>", "<UNK>");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\r\n");
  EXPECT_NEAR(load_text(text).probability({}, LanguageModel::kUnknown), 0.1, 1e-12);
}

TEST(Arpa, WarnsWhenUnigramsDoNotAddUp) {
  const testing::TempFolder folder;
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  load_lm(folder.write("model.arpa", replaced(kGood, "-0.8\tb", "-0.1\tb")), "", run);
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_THAT(warnings.messages.front(), HasSubstr("add up to"));
}

struct BadArpa {
  const char* from;
  const char* to;
  std::uint64_t line;
  const char* message;
};

class ArpaErrors : public ::testing::TestWithParam<BadArpa> {};

TEST_P(ArpaErrors, SayWhere) {
  const BadArpa& bad = GetParam();
  try {
    load_text(replaced(kGood, bad.from, bad.to));
    FAIL() << "no error for " << bad.to;
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, bad.line) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(bad.message));
    EXPECT_FALSE(error.hint().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ArpaErrors,
    ::testing::Values(BadArpa{"\\data\\", "data", 18, "no \\data\\ line"},
                      BadArpa{"ngram 1=5", "ngram 1=6", 13, "5 1-grams instead of 6"},
                      BadArpa{"ngram 1=5", "ngram 1=4", 11, "where '\\2-grams:' is expected"},
                      BadArpa{"ngram 1=5", "ngram 2=5", 3, "wrong count"},
                      BadArpa{"ngram 1=5", "ngram 1=x", 3, "wrong count"},
                      BadArpa{"ngram 1=5", "ngram 1", 3, "wrong count"},
                      BadArpa{"ngram 1=5", "ngram 1=99999999999999999999", 3, "wrong count"},
                      BadArpa{"ngram 2=3", "ngram 2=4", 18, "3 2-grams instead of 4"},
                      BadArpa{"-0.4\ta", "0.4\ta", 10, "above 0"}, BadArpa{"-0.4\ta", "nan\ta", 10, "'nan'"},
                      BadArpa{"-0.4\ta", "inf\ta", 10, "'inf'"}, BadArpa{"-0.4\ta", "x\ta", 10, "'x'"},
                      BadArpa{"a\t-0.3", "a\tnan", 10, "'nan'"},
                      BadArpa{"a\t-0.3", "a\t500", 10, "too large"},
                      BadArpa{"a\t-0.3", "a\t-0.3 7", 10, "more fields"},
                      BadArpa{"-0.8\tb\t-0.2", "-0.8", 11, "without a word"},
                      BadArpa{"-0.8\tb\t", "-0.8\ta\t", 11, "twice"}, BadArpa{"a b", "a c", 15, "no unigram"},
                      BadArpa{"-0.2\ta b", "-0.1\t<s> a", 15, "twice"},
                      BadArpa{"a b", "a", 15, "fewer words"}, BadArpa{"a b", "a b -0.1", 15, "more fields"},
                      BadArpa{"\\end\\", "", 18, "too early"}));

TEST(Arpa, NeedsTheContextOfEveryNgram) {
  try {
    load_text(
        "\\data\\\nngram 1=4\nngram 2=0\nngram 3=1\n\\1-grams:\n-1 <s>\n-1 </s>\n-1 a\n-1 "
        "b\n\\2-grams:\n\\3-grams:\n"
        "-1 a b a\n\\end\\\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 12u);
    EXPECT_THAT(error.what(), HasSubstr("context"));
  }
}

TEST(Arpa, RefusesMixtures) {
  const LanguageModel model = load_text(kGood);
  const std::vector<LanguageModel> models = {model, model};
  const std::vector<double> weights = {0.5, 0.5};
  const testing::TempFolder folder;
  EXPECT_THROW(save_arpa(folder.file("x"), mix_models(models, weights)), UsageError);
}

constexpr const char* kClassArpa =
    "\\data\\\nngram 1=5\n\\1-grams:\n-1 <unk>\n-99 <s>\n-1 </s>\n-0.5 ANIMAL\n-0.5 the\n\\end\\\n";

LanguageModel load_classes(const std::string& classes) {
  const testing::TempFolder folder;
  return load_lm(folder.write("model.arpa", kClassArpa), folder.write("classes", classes), {});
}

TEST(SrilmClasses, GiveWordsTheirShareOfTheClass) {
  const LanguageModel model = load_classes("ANIMAL 0.75 cat\n\nANIMAL 0.25 dog\n");
  EXPECT_NEAR(model.probability({}, model.find("cat")), 0.75 * std::pow(10, -0.5), 1e-12);
  EXPECT_NEAR(model.probability({}, model.find("dog")), 0.25 * std::pow(10, -0.5), 1e-12);
  EXPECT_NEAR(model.probability({}, model.find("the")), std::pow(10, -0.5), 1e-12);
  EXPECT_EQ(model.find("ANIMAL"), LanguageModel::kUnknown);
  EXPECT_EQ(model.class_name(model.class_of(model.find("dog"))), "ANIMAL");
}

TEST(SrilmClasses, WithoutProbabilitiesAreUniform) {
  const LanguageModel model = load_classes("ANIMAL cat\nANIMAL 7\n");
  EXPECT_NEAR(model.probability({}, model.find("7")), 0.5 * std::pow(10, -0.5), 1e-12);
}

TEST(SrilmClasses, UnknownWordsAreInNone) {
  const testing::TempFolder folder;
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const LanguageModel model = load_lm(
      folder.write("model.arpa", kClassArpa),
      folder.write("classes", "ANIMAL 0.6 cat\nANIMAL 0.2 <unk>\nANIMAL 0.2 dog\nRARE 1 <unk>\n"), run);
  EXPECT_NEAR(model.probability({}, model.find("cat")), 0.75 * std::pow(10, -0.5), 1e-12);
  EXPECT_NEAR(model.probability({}, LanguageModel::kUnknown), 0.1, 1e-12);
  EXPECT_THAT(warnings.messages, ::testing::Not(::testing::Contains(HasSubstr("ANIMAL"))));
}

TEST(SrilmClasses, ErrorsSayWhere) {
  const std::vector<std::tuple<const char*, std::uint64_t, const char*>> bad = {
      {"ANIMAL 1 cat\nANIMAL\n", 2, "without a word"},
      {"ANIMAL 1 cat\nFOOD 1 cat\n", 2, "in class 'ANIMAL' already"},
      {"ANIMAL 0.5 cat\nANIMAL 0.5 cat\n", 2, "already"},
      {"ANIMAL 0.5 polar bear\n", 1, "several words"},
      {"ANIMAL polar bear\n", 1, "several words"},
      {"ANIMAL 1.5 cat\n", 1, "not a probability"},
      {"ANIMAL -1 cat\n", 1, "not a probability"},
      {"ANIMAL nan cat\n", 1, "several words"},
      {"ANIMAL 0.5 cat\nFOOD pie\nANIMAL dog\n", 3, "with and without"},
      {"ANIMAL cat\nANIMAL 0.5 dog\n", 2, "with and without"},
      {"ANIMAL 0 cat\n", 0, "add up to 0"},
      {"ANIMAL 1 <s>\n", 1, "cannot be in a class"},
      {"ANIMAL 1 <unk>\n", 0, "no classes"},
      {"", 0, "no classes"},
      {"OTHER 1 cat\n", 0, "none of these classes"},
      {"ANIMAL 0.5 the\nANIMAL 0.5 cat\n", 0, "in the ARPA file itself"},
  };
  for (const auto& [text, line, message] : bad) {
    try {
      load_classes(text);
      ADD_FAILURE() << "no error for " << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, line) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

}  // namespace
}  // namespace firth
