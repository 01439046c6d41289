#include <gmock/gmock.h>

#include <cmath>

#include "firth/class_lm.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TempFolder;

constexpr const char* kText = "the cat sat\nthe dog sat\na cat ran\n\nthe dog ran away\n";

Clustering two_classes() {
  return parse_clustering("the\t0\na\t0\ncat\t1\ndog\t1\nsat\t2\nran\t2\nbird\t1\n", "classes");
}

std::vector<std::string> input(const TempFolder& folder, std::string_view text) {
  return {folder.write("text", text)};
}

VocabularyOptions at_least_twice() {
  VocabularyOptions options;
  options.min_count = 2;
  return options;
}

TEST(TrainClassLm, GivesEveryWordOfTheClassesAProbability) {
  const TempFolder folder;
  const LanguageModel model = train_class_lm(input(folder, kText), two_classes(), {.order = 2}, {});
  EXPECT_TRUE(model.has_classes());
  EXPECT_EQ(model.word_count(), 3u + 7u);
  LmState state = model.begin_sentence();
  model.advance(state, model.find("the"));
  EXPECT_GT(model.probability(state, model.find("bird")), 0);  // never seen, but its class was
  EXPECT_GT(model.probability(state, model.find("cat")), model.probability(state, model.find("ran")));
  EXPECT_EQ(model.find("away"), LanguageModel::kUnknown);
}

TEST(TrainClassLm, UnknownWordsAreAClassOfTheirOwn) {
  const TempFolder folder;
  const Clustering classes = parse_clustering("the\t0\n<unk>\t0\ncat\t1\n<s>\t1\n", "classes");
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const LanguageModel model = train_class_lm(input(folder, "the cat\n"), classes,
                                             {.order = 1, .smoothing = LmSmoothing::witten_bell}, run);
  EXPECT_EQ(model.class_count(), 3u + 2u);
  EXPECT_NE(model.class_of(LanguageModel::kUnknown), model.class_of(model.find("the")));
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_THAT(warnings.messages.front(), HasSubstr("<s>"));
}

TEST(TrainWordLm, WarnsOnceAboutMarksOfSentencesInTheText) {
  const TempFolder folder;
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const LanguageModel model =
      train_word_lm(input(folder, "<s> the cat </s>\n<s> the dog </s>\n"), VocabularyOptions{},
                    {.order = 1, .smoothing = LmSmoothing::witten_bell}, run);
  EXPECT_EQ(model.word_count(), 3u + 3u);
  ASSERT_EQ(warnings.messages.size(), 1u);
  EXPECT_THAT(warnings.messages.front(), HasSubstr("take them out"));
}

TEST(TrainWordLm, LeavesRareWordsToUnknown) {
  const TempFolder folder;
  const LanguageModel model = train_word_lm(input(folder, kText), at_least_twice(), {.order = 2}, {});
  EXPECT_EQ(model.find("away"), LanguageModel::kUnknown);
  EXPECT_NE(model.find("cat"), LanguageModel::kUnknown);
  const std::string vocabulary = folder.write("vocabulary", "cat\ndog\tnoun\n<s>\ncat\nunicorn\n");
  VocabularyOptions from_file;
  from_file.vocab_file = vocabulary;
  const LanguageModel listed = train_word_lm(input(folder, kText), from_file, {.order = 2}, {});
  // Not the unicorn, which is listed but not in the text.
  EXPECT_EQ(listed.word_count(), 3u + 2u);
  EXPECT_EQ(listed.find("unicorn"), LanguageModel::kUnknown);
}

TEST(TrainLm, ChecksItsOptionsAndInput) {
  const TempFolder folder;
  const auto train = [&](const LmTrainOptions& options, std::string_view text) {
    return train_word_lm(input(folder, text), VocabularyOptions{}, options, {});
  };
  EXPECT_THROW(train({.order = 0}, kText), UsageError);
  EXPECT_THROW(train({.order = 7}, kText), UsageError);
  EXPECT_THROW(train({.order = 3, .boundaries = false}, kText), UsageError);
  EXPECT_THROW(train({}, "\n \n"), InputError);
  VocabularyOptions dropping = at_least_twice();
  dropping.rare = RarePolicy::drop;
  LmTrainOptions counts;
  counts.text.format = InputFormat::counts;
  EXPECT_THROW(train(counts, kText), UsageError);
  EXPECT_THROW(train_word_lm(input(folder, kText), dropping, {}, {}), UsageError);
  EXPECT_THROW(train_word_lm(input(folder, kText), VocabularyOptions{}, {}, {.memory_bytes = 64}),
               ResourceError);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(train_word_lm(input(folder, kText), VocabularyOptions{}, {}, {.stop = stop.get_token()}),
               Cancelled);
}

TEST(TrainLm, ReadsConlluAndStreams) {
  const TempFolder folder;
  LmTrainOptions conllu{.order = 2};
  conllu.text.format = InputFormat::conllu;
  const LanguageModel model = train_word_lm(
      input(folder,
            "1\ta\tx\t_\t_\t_\t_\t_\t_\t_\n2\tb\ty\t_\t_\t_\t_\t_\t_\t_\n\n1\ta\tx\t_\t_\t_\t_\t_\t_\t_\n"),
      VocabularyOptions{}, conllu, {});
  EXPECT_EQ(model.word_count(), 3u + 2u);
  LmScoreOptions stream;
  stream.text.boundaries = TextBoundaries::stream;
  EXPECT_EQ(score_text(model, input(folder, "a b\na\n\nb\n"), stream, {}).sentences, 1u);
}

TEST(ScoreText, CountsAsOthersDo) {
  const TempFolder folder;
  const LanguageModel model = train_word_lm(input(folder, kText), VocabularyOptions{}, {.order = 2}, {});
  std::vector<std::uint64_t> words;
  const LmScore score = score_text(model, input(folder, "the cat flew\n\na dog\n"), {.accuracy = true},
                                   [&](const LmScore& line) { words.push_back(line.words); });
  EXPECT_THAT(words, ElementsAre(3, 0, 2));
  EXPECT_EQ(score.sentences, 2u);
  EXPECT_EQ(score.words, 5u);
  EXPECT_EQ(score.unknown, 1u);
  EXPECT_EQ(score.ends, 2u);
  EXPECT_EQ(score.predictions, 6u);
  EXPECT_NEAR(score.perplexity(), std::pow(10, -score.log10_known / 6), 1e-9);
  EXPECT_NEAR(score.perplexity_with_unknown(), std::pow(10, -(score.log10_known + score.log10_unknown) / 7),
              1e-9);
  EXPECT_NEAR(score.perplexity_per_word(), std::pow(10, -score.log10_known / 4), 1e-9);
}

TEST(ScoreText, AccuracyCountsTheLikeliestClassAndWords) {
  const TempFolder folder;
  const LanguageModel model = train_class_lm(input(folder, kText), two_classes(), {.order = 2}, {});
  const LmScore score = score_text(model, input(folder, "the cat sat\n"), {.accuracy = true}, {});
  // the | <s>, {cat,dog} | the, {sat,ran} | cat, and the end after it are the likeliest classes.
  EXPECT_EQ(score.predictions, 4u);
  EXPECT_EQ(score.right_class, 4u);
  EXPECT_EQ(score.right_word[2], 4u);  // with 9 words, all are among the best ten
}

TEST(ScoreText, ImpossibleWordsAreInNoSum) {
  const TempFolder folder;
  const LanguageModel model = train_class_lm(input(folder, kText), two_classes(),
                                             {.order = 1, .emission = LmEmission::frequency}, {});
  const LmScore score = score_text(model, input(folder, "the bird\n"), {}, {});
  EXPECT_EQ(score.impossible, 1u);
  EXPECT_TRUE(std::isfinite(score.perplexity()));
}

TEST(MapText, WritesAClassAWordAndKeepsBlankLines) {
  const TempFolder folder;
  const LanguageModel model = train_class_lm(input(folder, kText), two_classes(), {.order = 2}, {});
  map_text(folder.file("mapped"), input(folder, "the bird\n\nflew"), model, {}, {});
  const std::string mapped = testing::read_file(folder.file("mapped"));
  const std::string the(model.class_name(model.class_of(model.find("the"))));
  const std::string bird(model.class_name(model.class_of(model.find("bird"))));
  EXPECT_EQ(mapped, the + " " + bird + "\n\n<unk>\n");
}

TEST(MixModels, ChecksItsArguments) {
  const TempFolder folder;
  const LanguageModel model = train_word_lm(input(folder, kText), VocabularyOptions{}, {.order = 2}, {});
  const LanguageModel open =
      train_word_lm(input(folder, kText), VocabularyOptions{}, {.order = 2, .boundaries = false}, {});
  const auto mix = [](const std::vector<LanguageModel>& models, const std::vector<double>& weights) {
    return mix_models(models, weights);
  };
  EXPECT_THROW(mix({model}, {1}), UsageError);
  EXPECT_THROW(mix({model, model}, {1}), UsageError);
  EXPECT_THROW(mix({model, model}, {0.5, 0.6}), UsageError);
  EXPECT_THROW(mix({model, model}, {-0.5, 1.5}), UsageError);
  EXPECT_THROW(mix({model, open}, {0.5, 0.5}), UsageError);
  EXPECT_THROW(mix(std::vector<LanguageModel>(9, model), std::vector<double>(9, 1 / 9.0)), UsageError);
  const std::vector<LanguageModel> models = {model, model};
  EXPECT_THROW(tune_weights(models, input(folder, "\n\n"), {}, {}), InputError);
}

TEST(ModelFile, EveryChangedByteIsNoticed) {
  const TempFolder folder;
  const std::string path = folder.file("model");
  save_lm(path, train_class_lm(input(folder, kText), two_classes(), {.order = 3}, {}));
  const std::string good = testing::read_file(path);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    try {
      load_lm(folder.write("bad", bad), "", {});
      ++accepted;  // gaps between sections and reserved bytes mean nothing
    } catch (const Error&) {
    }
  }
  EXPECT_LT(accepted, good.size() / 2);
  for (const std::size_t size : {std::size_t{8}, std::size_t{63}, good.size() / 2, good.size() - 1}) {
    EXPECT_THROW(load_lm(folder.write("short", good.substr(0, size)), "", {}), FormatError);
  }
  EXPECT_THROW(load_lm(folder.write("long", good + "x"), "", {}), FormatError);
}

TEST(ModelFile, KeepsMixtures) {
  const TempFolder folder;
  const std::vector<LanguageModel> models = {
      train_word_lm(input(folder, kText), VocabularyOptions{}, {.order = 2}, {}),
      train_class_lm(input(folder, kText), two_classes(), {.order = 3}, {})};
  const std::vector<double> weights = {0.25, 0.75};
  const LanguageModel mixture = mix_models(models, weights);
  save_lm(folder.file("mixture"), mixture);
  const LanguageModel again = load_lm(folder.file("mixture"), "", {});
  ASSERT_EQ(again.parts().size(), 2u);
  EXPECT_EQ(again.parts()[1].weight, 0.75);
  EXPECT_TRUE(again.parts()[1].classes);
  EXPECT_EQ(again.distribution(again.begin_sentence()), mixture.distribution(mixture.begin_sentence()));
  EXPECT_THROW(load_lm(folder.file("mixture"), "classes", {}), UsageError);
}

TEST(ExpandedArpa, RefusesWhatIsTooLarge) {
  const TempFolder folder;
  const LanguageModel model = train_class_lm(input(folder, kText), two_classes(), {.order = 2}, {});
  EXPECT_THROW(save_expanded_arpa(folder.file("x"), model, 0, {.memory_bytes = 1000}), ResourceError);
  EXPECT_THROW(save_expanded_arpa(folder.file("x"), model, -1, {}), UsageError);
  EXPECT_THROW(save_expanded_arpa(folder.file("x"),
                                  train_word_lm(input(folder, kText), VocabularyOptions{}, {}, {}), 0, {}),
               UsageError);
}

}  // namespace
}  // namespace firth
