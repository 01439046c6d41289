#include "reference/brown_corpus.hpp"

#include <string>
#include <utility>
#include <vector>

namespace firth::reference {
namespace {

std::vector<std::uint32_t> random_text(base::Rng& rng, const CorpusShape& shape) {
  std::vector<std::uint32_t> text;
  for (std::uint32_t i = 0; i < shape.tokens; ++i) {
    const double u = rng.uniform();
    auto word = static_cast<std::uint32_t>((shape.flat ? u : u * u * u) * shape.words);
    if (!text.empty() && rng.uniform() < 0.3) word = (text.back() * 7 + word % 3) % shape.words;
    if (!text.empty() && rng.uniform() < shape.self) word = text.back();
    text.push_back(word);
  }
  return text;
}

}  // namespace

Counts counts_of(base::Rng& rng, std::span<const std::uint32_t> text, const CorpusShape& shape) {
  std::vector<Count> counts(shape.words);
  for (const std::uint32_t word : text) counts[word] += shape.repeats;
  std::vector<std::pair<std::string, Count>> named;
  for (std::uint32_t w = 0; w < shape.words; ++w)
    if (counts[w] > 0) named.emplace_back("w" + std::to_string(w), counts[w]);
  const Vocabulary vocabulary = Vocabulary::from_words(named);
  std::vector<WordId> id(shape.words);
  for (WordId w = 0; w < vocabulary.size(); ++w)
    id[std::stoul(std::string(vocabulary.word(w).substr(1)))] = w;
  std::vector<PairCount> pairs;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (rng.uniform() < 0.95) pairs.push_back({id[text[i - 1]], id[text[i]], shape.repeats});
  return {vocabulary,
          PairCounts::from_pairs(vocabulary.size(), std::move(pairs)),
          {.tokens = text.size() * shape.repeats}};
}

Counts skewed_counts(base::Rng& rng, const CorpusShape& shape) {
  return counts_of(rng, random_text(rng, shape), shape);
}

}  // namespace firth::reference
