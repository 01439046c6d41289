#include "cluster/pos/case_folding.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "text/unicode_words.hpp"

namespace firth::pos {
namespace {

bool has_letter_or_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

/// Whether the first character is another one in lower case.
bool begins_with_capital(std::string_view word, std::string_view lowered) {
  std::size_t end = 1;
  while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) ++end;
  return lowered.substr(0, end) != word.substr(0, end);
}

/// Words in lower case, and which began with a capital.
struct Lowered {
  explicit Lowered(const Vocabulary& vocabulary) {
    text::UnicodeWords unicode;
    for (WordId word = 0; word < vocabulary.size(); ++word) {
      const std::string_view original = vocabulary.word(word);
      words.emplace_back(unicode.lower(original));
      capital.push_back(begins_with_capital(original, words.back()));
      differ = differ || words.back() != original;
    }
  }

  std::vector<std::string> words;
  std::vector<bool> capital;
  bool differ = false;  // from what they were
};

Vocabulary folded_vocabulary(const Vocabulary& vocabulary, const Lowered& lowered) {
  std::unordered_map<std::string_view, Count> counts;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    counts[lowered.words[word]] += vocabulary.count(word);
  }
  std::vector<std::pair<std::string, Count>> named(counts.begin(), counts.end());
  return Vocabulary::from_words(std::move(named));
}

PairCounts between_units(const PairCounts& pairs, const std::vector<WordId>& unit_of, std::size_t units) {
  std::vector<PairCount> all;
  all.reserve(pairs.distinct());
  pairs.for_each_pair([&](WordId left, WordId right, Count count) {
    all.push_back({unit_of[left], unit_of[right], count});
  });
  return PairCounts::from_pairs(units, std::move(all));
}

std::vector<Capitals> count_capitals(const Counts& counts, const Lowered& lowered,
                                     const CaseFolding& folded) {
  std::vector<Capitals> result(folded.counts.vocabulary().size());
  const PairCounts& pairs = counts.bigrams();
  for (WordId left = 0; left < pairs.rows(); ++left) {
    if (!has_letter_or_digit(counts.vocabulary().word(left))) continue;
    const auto rights = pairs.right_words(left);
    const auto found = pairs.right_counts(left);
    for (std::size_t i = 0; i < rights.size(); ++i) {
      Capitals& unit = result[folded.unit_of[rights[i]]];
      unit.inside += found[i];
      if (lowered.capital[rights[i]]) unit.capital += found[i];
    }
  }
  return result;
}

}  // namespace

CaseFolding fold_case(const Counts& counts, bool fold) {
  const Vocabulary& vocabulary = counts.vocabulary();
  const Lowered lowered(vocabulary);
  CaseFolding folded;
  folded.unit_of.resize(vocabulary.size());
  if (!fold || !lowered.differ) {
    std::iota(folded.unit_of.begin(), folded.unit_of.end(), 0U);
    folded.counts = counts;
  } else {
    const Vocabulary units = folded_vocabulary(vocabulary, lowered);
    const WordIndex index(units);
    for (WordId word = 0; word < vocabulary.size(); ++word) {
      folded.unit_of[word] = *index.find(lowered.words[word]);
    }
    std::vector<PairCounts> pairs;
    for (const int distance : counts.distances()) {
      pairs.push_back(between_units(counts.pairs_at(distance), folded.unit_of, units.size()));
    }
    folded.counts = Counts(units, counts.distances(), std::move(pairs), counts.info());
  }
  folded.capitals = count_capitals(counts, lowered, folded);
  return folded;
}

}  // namespace firth::pos
