#include <algorithm>

#include "firth/choose.hpp"
#include "firth/compare.hpp"
#include "firth/error.hpp"

namespace firth {

ClusteringScores score_clustering(const Clustering& clustering, const ComparisonTexts& texts,
                                  const RunOptions& run) {
  if (texts.held_out != nullptr && texts.text == nullptr)
    throw UsageError("ComparisonTexts::held_out needs a text that probabilities are estimated from",
                     "give ComparisonTexts::text, too");
  ClusteringScores scores{.words = clustering.word_count(), .classes = clustering.class_count()};
  if (texts.text != nullptr) {
    const std::vector<ClassId> classes = every_class(texts.text->vocabulary(), clustering);
    scores.ami_bits =
        std::max(0.0, average_mutual_information(*texts.text, classes));  // rounding may end below 0
    scores.known_tokens = evaluate_clustering(clustering, *texts.text, {.classes = 0}).text->tokens.share();
  }
  run.check_stop();
  if (texts.held_out != nullptr)
    scores.perplexity = held_out_perplexity(clustering, *texts.text, *texts.held_out).perplexity;
  if (texts.gold != nullptr)
    scores.tags = score_against_gold(*texts.gold, clustering, {.classes = 0}, run).tokens;
  return scores;
}

}  // namespace firth
