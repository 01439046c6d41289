// Many sentences at a time against one word after the other.
#include "lm/sentence_walk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/internals.hpp"
#include "base/rng.hpp"

namespace firth::lm {
namespace {

std::string random_text(base::Rng& rng, std::uint64_t words) {
  std::string text;
  for (std::uint64_t n = 20 + rng.below(60); n > 0; --n) {
    for (std::uint64_t k = 1 + rng.below(9); k > 0; --k)
      text += fmt::format("w{} ",
                          static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(rng.below(words))));
    text += '\n';
  }
  return text;
}

LanguageModel random_model(base::Rng& rng, bool boundaries) {
  const std::string text = random_text(rng, 40);
  const LmTrainOptions options = {.order = 1 + static_cast<int>(rng.below(boundaries ? 5 : 2)),
                                  .boundaries = boundaries};
  const LanguageModel words = train_word_lm(Inputs::from_text(text), VocabularyOptions{}, options, {});
  if (rng.below(3) == 0) return words;
  std::string classes;
  for (WordId word = LanguageModel::kEnd + 1; word < words.word_count(); ++word) {
    if (rng.below(5) > 0) classes += fmt::format("{}\t{}\n", words.word(word), rng.below(6));
  }
  const LanguageModel by_class =
      train_class_lm(Inputs::from_text(text), parse_clustering(classes + "w0x\t7\n", "classes"), options, {});
  if (rng.below(2) == 0) return by_class;
  const double weight = rng.uniform();
  return mix_models(std::vector<LanguageModel>{words, by_class}, std::vector<double>{weight, 1 - weight});
}

/// The slow twin.
std::vector<double> one_by_one(const LanguageModel& model,
                               const std::vector<std::vector<WordId>>& sentences) {
  std::vector<double> result;
  for (const std::vector<WordId>& words : sentences) {
    LmState state = model.begin_sentence();
    for (const WordId word : words) result.push_back(model.advance(state, word));
    if (!words.empty() && model.has_boundaries()) result.push_back(model.advance(state, LanguageModel::kEnd));
  }
  return result;
}

TEST(SentenceWalk, GivesTheNumbersOfOneWordAfterTheOther) {
  base::Rng rng(21);
  for (int round = 0; round < 150; ++round) {
    LanguageModel model = random_model(rng, round % 3 > 0);
    if (round % 4 == 1) model = quantize_lm(model);
    std::vector<std::vector<WordId>> sentences(rng.below(60));
    for (std::vector<WordId>& words : sentences) {
      words.resize(rng.below(8));
      for (WordId& word : words) word = static_cast<WordId>(rng.below(model.word_count()));
    }
    const std::vector<std::span<const WordId>> views(sentences.begin(), sentences.end());
    const std::vector<double> slow = one_by_one(model, sentences);
    std::vector<double> fast(slow.size(), 0.0);
    for (const Part& part : base::internals(model).parts) SentenceWalk(part).add(views, fast);
    ASSERT_EQ(fast, slow) << round;
  }
}

}  // namespace
}  // namespace firth::lm
