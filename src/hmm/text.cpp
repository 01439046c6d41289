#include "hmm/text.hpp"

#include <algorithm>
#include <numeric>

#include "firth/error.hpp"
#include "text/sentence_reader.hpp"

namespace firth::hmm {
namespace {

/// Words by falling count, then bytes.
std::vector<std::uint32_t> by_frequency(const text::SentenceReader& reader, std::span<const Count> counts) {
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : reader.word(a) < reader.word(b);
  });
  return order;
}

}  // namespace

Text read_text(const Inputs& inputs, const HmmOptions& options, const RunOptions& run) {
  text::SentenceReader reader(text::expand_inputs(inputs, run.stop), options.text, run);
  Text text;
  std::vector<Count> counts;
  std::span<const WordId> sentence;
  while (reader.next(sentence)) {
    if (sentence.empty()) continue;
    counts.resize(reader.word_count());
    for (const WordId word : sentence) ++counts[word];
    text.words.insert(text.words.end(), sentence.begin(), sentence.end());
    text.ends.push_back(text.words.size());
  }
  if (text.words.empty())
    throw InputError({inputs.first_name()}, "no words", "give a text with at least one word");
  const std::vector<std::uint32_t> order = by_frequency(reader, counts);
  std::vector<std::pair<std::string, Count>> kept;
  Count unknown = 0;
  for (const std::uint32_t word : order) {
    const bool beyond = options.max_vocab > 0 && kept.size() >= options.max_vocab;
    if (counts[word] < options.min_count || beyond || reader.word(word) == kUnknownWord) {
      unknown += counts[word];
    } else {
      kept.emplace_back(reader.word(word), counts[word]);
    }
  }
  if (unknown > 0) kept.emplace_back(kUnknownWord, unknown);
  text.vocabulary = Vocabulary::from_words(std::move(kept));
  const WordIndex index(text.vocabulary);
  std::vector<WordId> rank(counts.size());
  for (std::uint32_t word = 0; word < rank.size(); ++word) {
    const auto found = index.find(reader.word(word));
    rank[word] = found ? *found : *index.find(kUnknownWord);
  }
  for (WordId& word : text.words) word = rank[word];
  return text;
}

}  // namespace firth::hmm
