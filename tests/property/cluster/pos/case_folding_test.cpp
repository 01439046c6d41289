// Folding counts of cased text against counting the lower-cased text.
#include "cluster/pos/case_folding.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/rng.hpp"

namespace firth::pos {
namespace {

using Sentences = std::vector<std::vector<std::string>>;

/// Few words, so that the same one comes in several cases; some with letters of two bytes, some marks.
std::string random_word(base::Rng& rng) {
  static const std::vector<std::string> kWords = {"ab", "Ab", "AB", "b",        "B",        "c1", ".",
                                                  ",",  "d",  "aB", "\xC3\xA9", "\xC3\x89", "E",  "e"};
  return kWords[rng.below(kWords.size())];
}

Sentences random_text(base::Rng& rng) {
  Sentences text(1 + rng.below(6));
  for (auto& sentence : text) {
    for (std::uint64_t left = 1 + rng.below(8); left > 0; --left) sentence.push_back(random_word(rng));
  }
  return text;
}

std::string lowered(std::string word) {
  if (word == "\xC3\x89") return "\xC3\xA9";
  for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return word;
}

Counts count(const Sentences& text) {
  std::map<std::string, Count> found;
  for (const auto& sentence : text) {
    for (const std::string& word : sentence) ++found[word];
  }
  const Vocabulary vocabulary = Vocabulary::from_words({found.begin(), found.end()});
  const WordIndex index(vocabulary);
  std::vector<PairCount> next;
  std::vector<PairCount> second;
  for (const auto& sentence : text) {
    for (std::size_t i = 1; i < sentence.size(); ++i) {
      next.push_back({*index.find(sentence[i - 1]), *index.find(sentence[i]), 1});
      if (i > 1) second.push_back({*index.find(sentence[i - 2]), *index.find(sentence[i]), 1});
    }
  }
  return {
      vocabulary,
      {1, 2},
      {PairCounts::from_pairs(vocabulary.size(), next), PairCounts::from_pairs(vocabulary.size(), second)},
      {}};
}

void expect_same(const PairCounts& one, const PairCounts& other) {
  ASSERT_EQ(one.rows(), other.rows());
  for (WordId left = 0; left < one.rows(); ++left) {
    EXPECT_TRUE(std::ranges::equal(one.right_words(left), other.right_words(left)));
    EXPECT_TRUE(std::ranges::equal(one.right_counts(left), other.right_counts(left)));
  }
}

TEST(FoldCase, IsCountingTheLowerCasedText) {
  base::Rng rng(7);
  for (int round = 0; round < 2000; ++round) {
    const Sentences text = random_text(rng);
    Sentences lower = text;
    std::map<std::string, Capitals> capitals;
    for (std::size_t s = 0; s < text.size(); ++s) {
      for (std::size_t i = 0; i < text[s].size(); ++i) {
        const std::string& word = text[s][i];
        lower[s][i] = lowered(word);
        if (i == 0 || text[s][i - 1] == "." || text[s][i - 1] == ",") continue;
        ++capitals[lower[s][i]].inside;
        const bool capital = (word[0] >= 'A' && word[0] <= 'Z') || word == "\xC3\x89";
        capitals[lower[s][i]].capital += capital ? 1 : 0;
      }
    }
    const Counts cased = count(text);
    const Counts expected = count(lower);
    const CaseFolding folded = fold_case(cased, true);
    const Vocabulary& units = folded.counts.vocabulary();
    ASSERT_EQ(units.size(), expected.vocabulary().size());
    for (WordId unit = 0; unit < units.size(); ++unit) {
      ASSERT_EQ(units.word(unit), expected.vocabulary().word(unit));
      EXPECT_EQ(units.count(unit), expected.vocabulary().count(unit));
      EXPECT_EQ(folded.capitals[unit].inside, capitals[std::string(units.word(unit))].inside);
      EXPECT_EQ(folded.capitals[unit].capital, capitals[std::string(units.word(unit))].capital);
    }
    for (const int distance : {1, 2}) {
      expect_same(folded.counts.pairs_at(distance), expected.pairs_at(distance));
    }
    for (WordId word = 0; word < cased.vocabulary().size(); ++word) {
      EXPECT_EQ(units.word(folded.unit_of[word]), lowered(std::string(cased.vocabulary().word(word))));
    }
  }
}

TEST(FoldCase, LeavesWordsAloneWhenTold) {
  const Counts cased = count({{"b", "B", "b"}});
  const CaseFolding kept = fold_case(cased, false);
  EXPECT_EQ(kept.counts.vocabulary().size(), 2U);
  EXPECT_EQ(kept.unit_of, (std::vector<WordId>{0, 1}));
}

}  // namespace
}  // namespace firth::pos
