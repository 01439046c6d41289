// Fast tagging against the obvious way, on random models and sentences.
#include <gmock/gmock.h>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "firth/tag_scores.hpp"
#include "firth/tagger.hpp"
#include "reference/naive_tagger.hpp"
#include "tagger/decode.hpp"
#include "tagger/model.hpp"

namespace firth {
namespace {

using tagger::Decoder;
using tagger::History;
using tagger::HistoryScorer;
using tagger::Lattice;
using tagger::Score;
using tagger::TagSet;

/// Random scores for every history, small numbers so that ties are common.
class RandomScorer final : public HistoryScorer {
 public:
  RandomScorer(base::Rng& rng, std::size_t length, std::size_t tags)
      : tags_(tags), scores_(length * (tags + 1) * (tags + 1) * tags) {
    for (Score& score : scores_) score = static_cast<Score>(rng.below(7)) - 3;
  }
  void add(std::size_t i, History history, std::span<Score> scores) override {
    const std::size_t at = ((i * (tags_ + 1) + history.before) * (tags_ + 1) + history.second) * tags_;
    for (std::size_t t = 0; t < tags_; ++t) scores[t] += scores_[at + t];
  }

 private:
  std::size_t tags_;
  std::vector<Score> scores_;
};

TagSet random_tags(base::Rng& rng) {
  switch (rng.below(3)) {
    case 0:
      return TagSet(TagScheme::plain, {"A", "B", "C"});
    case 1:
      return TagSet(TagScheme::bio, {"X"});
    default:
      return TagSet(TagScheme::bilou, {"X"});
  }
}

TEST(DecoderProperty, BeamAndViterbiAgreeWithTheObviousWay) {
  base::Rng rng(1);
  Decoder decoder;
  std::vector<TagId> found;
  for (int round = 0; round < 1500; ++round) {
    const TagSet tags = random_tags(rng);
    const std::size_t length = 1 + rng.below(5);
    std::vector<Score> local(length * tags.size());
    for (Score& score : local) score = static_cast<Score>(rng.below(9)) - 4;
    RandomScorer scorer(rng, length, tags.size());
    const Lattice lattice = {tags, length, local};
    decoder.decode(lattice, scorer, 0, found);
    EXPECT_EQ(reference::sequence_score(lattice, scorer, found),
              reference::naive_best_score(lattice, scorer));
    for (const int width : {1, 2, 5, 40}) {
      decoder.decode(lattice, scorer, width, found);
      EXPECT_EQ(found, reference::naive_beam(lattice, scorer, static_cast<std::size_t>(width))) << width;
    }
    decoder.decode(lattice, scorer, 100000 / 16, found);
    EXPECT_EQ(reference::sequence_score(lattice, scorer, found),
              reference::naive_best_score(lattice, scorer));
  }
}

std::string random_word(base::Rng& rng) {
  static const std::vector<std::string> kWords = {"the", "The",        "Anna",         "Bob", "went",
                                                  "to",  "Rome",       "\xc3\x85rhus", "42",  "x-7",
                                                  ".",   "colourless", "RUNNING",      "a"};
  std::string word = kWords[rng.below(kWords.size())];
  if (rng.below(4) == 0) word += static_cast<char>('a' + rng.below(5));
  return word;
}

TaggedSentence random_sentence(base::Rng& rng, bool entities) {
  static const std::vector<std::string> kTags = {"O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC"};
  static const std::vector<std::string> kPlain = {"N", "V", "D", "P"};
  TaggedSentence sentence;
  for (std::size_t i = 1 + rng.below(8); i > 0; --i) {
    sentence.words.push_back(random_word(rng));
    sentence.tags.push_back(entities ? kTags[rng.below(kTags.size())] : kPlain[rng.below(kPlain.size())]);
  }
  return sentence;
}

TaggerKnowledge random_knowledge(base::Rng& rng) {
  TaggerKnowledge knowledge;
  std::vector<std::pair<std::string, Count>> words;
  std::vector<ClassId> classes;
  for (const char* word : {"the", "Anna", "went", "Rome", "42", ".", "running", "a"}) {
    words.emplace_back(word, 100 - words.size());
    classes.push_back(static_cast<ClassId>(rng.below(3)));
  }
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  for (std::uint64_t i = rng.below(3); i > 0; --i)
    knowledge.classes.push_back({Clustering(vocabulary, classes), {}});
  if (rng.below(2) == 0) {
    WordVectors vectors;
    vectors.vocabulary = vocabulary;
    vectors.dimensions = 5;
    for (std::size_t i = 0; i < 5 * vocabulary.size(); ++i)
      vectors.values.push_back(static_cast<float>(rng.uniform() - 0.5));
    knowledge.vectors.push_back(vectors);
  }
  if (rng.below(2) == 0) knowledge.names = {{{"Rome", "anna Bob", "anna bob went"}}, {{"the"}}};
  return knowledge;
}

TEST(TaggerProperty, SessionsAgreeWithTheObviousWay) {
  base::Rng rng(2);
  for (int round = 0; round < 40; ++round) {
    std::vector<TaggedSentence> sentences;
    const bool entities = rng.below(2) == 0;
    for (int i = 0; i < 15; ++i) sentences.push_back(random_sentence(rng, entities));
    TaggerOptions options;
    options.passes = 3;
    options.beam = static_cast<int>(rng.below(3));
    options.objective = rng.below(2) == 0 ? TagObjective::crf : TagObjective::perceptron;
    if (options.objective == TagObjective::crf && rng.below(2) == 0) options.recipe = TagRecipe::small;
    if (rng.below(4) == 0) options.recipe = TagRecipe::fast;
    const Tagger tagger = train_tagger(sentences, options, random_knowledge(rng), {});
    TagSession session(tagger, {1});
    for (int i = 0; i < 10; ++i) {
      const TaggedSentence sentence = random_sentence(rng, entities);
      const std::vector<std::string_view> words(sentence.words.begin(), sentence.words.end());
      const auto found = session.tag(words);
      EXPECT_EQ(std::vector<TagId>(found.begin(), found.end()),
                reference::naive_greedy(base::internals(tagger), words));
    }
  }
}

TEST(TaggerProperty, TagsFitTheScheme) {
  base::Rng rng(3);
  std::vector<TaggedSentence> sentences;
  for (int i = 0; i < 40; ++i) sentences.push_back(random_sentence(rng, true));
  for (const TagScheme scheme : {TagScheme::bio, TagScheme::bilou}) {
    TaggerOptions options;
    options.scheme = scheme;
    options.passes = 2;
    const Tagger tagger = train_tagger(sentences, options, {}, {});
    for (const int beam : {0, 1, 4}) {
      TagSession session(tagger, {beam});
      for (int i = 0; i < 200; ++i) {
        const TaggedSentence sentence = random_sentence(rng, true);
        const std::vector<std::string_view> words(sentence.words.begin(), sentence.words.end());
        std::size_t before = tagger.tag_count();
        for (const TagId tag : session.tag(words)) {
          EXPECT_TRUE(base::internals(tagger).tags.may_follow(before, tag));
          before = tag;
        }
        EXPECT_TRUE(base::internals(tagger).tags.may_end(static_cast<TagId>(before)));
      }
    }
  }
}

}  // namespace
}  // namespace firth
