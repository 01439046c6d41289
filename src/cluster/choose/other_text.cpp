#include <numeric>

#include "cluster/choose/held_out.hpp"
#include "firth/choose.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

constexpr std::string_view kUnk = "<unk>";

}  // namespace

PairCounts clusters::translated_pairs(const Counts& other, const Counts& counts) {
  const WordIndex index(counts.vocabulary());
  const std::optional<WordId> unk = index.find(kUnk);
  std::vector<std::optional<WordId>> ids;
  for (WordId word = 0; word < other.vocabulary().size(); ++word) {
    const auto found = index.find(other.vocabulary().word(word));
    ids.push_back(found ? found : unk);
  }
  std::vector<PairCount> pairs;
  other.bigrams().for_each_pair([&](WordId left, WordId right, Count count) {
    if (ids[left] && ids[right]) pairs.push_back({*ids[left], *ids[right], count});
  });
  return PairCounts::from_pairs(counts.vocabulary().size(), std::move(pairs));
}

std::vector<ClassId> every_class(const Vocabulary& vocabulary, const Clustering& clustering) {
  const WordIndex index(clustering.vocabulary());
  const std::optional<WordId> unk = index.find(kUnk);
  const ClassId rest = unk ? clustering.class_of(*unk) : clustering.class_count();
  std::vector<ClassId> classes;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    const auto found = index.find(vocabulary.word(word));
    classes.push_back(found ? clustering.class_of(*found) : rest);
  }
  return classes;
}

HeldOutScore held_out_perplexity(const Clustering& clustering, const Counts& counts, const Counts& other) {
  const clusters::SplitPairs pairs{counts, clusters::translated_pairs(other, counts)};
  const ClassId count = clustering.class_count() + 1;
  const clusters::HeldOutScorer scorer(pairs, every_class(counts.vocabulary(), clustering), count);
  if (scorer.pairs() == 0)
    throw InputError({}, "no pair of the held-out text has words that the text knows",
                     "give a held-out text of the same kind, read with the same options");
  std::vector<ClassId> same(count);
  std::iota(same.begin(), same.end(), 0);
  return {.perplexity = scorer.perplexity(same, count),
          .pairs = scorer.pairs(),
          .total = other.bigrams().total()};
}

}  // namespace firth
