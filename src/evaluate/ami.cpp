#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cluster/objective.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/evaluate.hpp"

namespace firth {
namespace {

/// Classes numbered 0..K-1 in order of first use, so that any labels can be scored with tables of size K.
ClassId make_dense(std::vector<ClassId>& classes) {
  std::vector<ClassId> labels;
  for (const ClassId id : classes) {
    if (id != kNoClass) labels.push_back(id);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  for (ClassId& id : classes) {
    if (id == kNoClass) continue;
    id = static_cast<ClassId>(std::lower_bound(labels.begin(), labels.end(), id) - labels.begin());
  }
  return static_cast<ClassId>(labels.size());
}

Count token_count(const Counts& counts) {
  if (counts.info().tokens > 0) return counts.info().tokens;
  const auto words = counts.vocabulary().counts();
  return std::accumulate(words.begin(), words.end(), Count{0});
}

double unigram_ami(const Counts& counts, const PairCounts& pairs, std::span<const ClassId> classes,
                   Count tokens) {
  std::vector<Count> unigrams(pairs.rows());
  for (WordId word = 0; word < classes.size(); ++word) {
    if (classes[word] != kNoClass) unigrams[classes[word]] += counts.vocabulary().count(word);
  }
  const std::vector<Count> left = pairs.left_marginals();
  const std::vector<Count> right = pairs.right_marginals();
  for (std::size_t c = 0; c < unigrams.size(); ++c) {
    if (unigrams[c] == 0 && left[c] + right[c] > 0) {
      throw UsageError("the counts hold pairs of words that have no count of their own",
                       "use the AMI over bigrams");
    }
  }
  return clusters::ami_bits_unigram(pairs, unigrams, tokens);
}

}  // namespace

double average_mutual_information(const Counts& counts, std::span<const ClassId> classes, AmiNorm norm) {
  const PairCounts& bigrams = counts.bigrams();
  if (classes.size() != bigrams.rows()) {
    throw UsageError(fmt::format("{} classes were given for {} words", classes.size(), bigrams.rows()));
  }
  std::vector<ClassId> dense(classes.begin(), classes.end());
  const ClassId class_count = make_dense(dense);
  const PairCounts pairs = clusters::class_bigrams(bigrams, dense, class_count);
  if (pairs.total() == 0) return 0;
  if (norm == AmiNorm::bigrams) return clusters::ami_bits(pairs);
  const Count tokens = token_count(counts);
  if (tokens == 0) throw UsageError("the counts do not say how many tokens there are");
  if (norm == AmiNorm::tokens) return clusters::ami_bits_over_tokens(pairs, tokens);
  return unigram_ami(counts, pairs, dense, tokens);
}

std::vector<ClassId> classes_for(const Vocabulary& vocabulary, const Clustering& clustering,
                                 UnknownWords unknown) {
  const WordIndex index(clustering.vocabulary());
  ClassId unknown_class = kNoClass;
  if (unknown == UnknownWords::as_unk) {
    const std::optional<WordId> unk = index.find(kUnknownWord);
    if (unk) unknown_class = clustering.class_of(*unk);
  }
  std::vector<ClassId> classes(vocabulary.size(), unknown_class);
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    const std::optional<WordId> known = index.find(vocabulary.word(word));
    if (known) classes[word] = clustering.class_of(*known);
  }
  return classes;
}

}  // namespace firth
