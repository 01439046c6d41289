// Flat classes at several numbers of classes, each refined from a cut of the tree.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cluster/exchange/search_context.hpp"
#include "firth/auto.hpp"
#include "firth/build_tree.hpp"
#include "firth/error.hpp"

namespace firth {
namespace exchange {
namespace {

constexpr int kMaxPasses = 20;
constexpr double kUsualPasses = 8;

/// The words of the counts, with and without a class.
struct WordsInCommon {
  std::vector<ClassId> class_of;  ///< by word of the counts; kNoClass for words that the clustering lacks
  std::vector<WordId> shared;     ///< words of the clustering that take part, by their rank in the counts
  Constraints excluded;           ///< keeps the others out of the search
};

WordsInCommon words_in_common(const Counts& counts, const Clustering& clustering) {
  const WordIndex index(clustering.vocabulary());
  WordsInCommon words;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    const std::string spelling(counts.vocabulary().word(word));
    const auto found = index.find(spelling);
    words.class_of.push_back(found ? clustering.class_of(*found) : kNoClass);
    if (found) {
      words.shared.push_back(*found);
    } else {
      words.excluded.items.push_back({Constraint::Kind::out, "", {spelling}, 0});
    }
  }
  return words;
}

/// Moves words of a cut until no move helps.
Clustering refine(SearchContext& context, const Clustering& cut, std::span<const WordId> shared) {
  std::vector<ClassId> start;
  start.reserve(shared.size());
  for (const WordId word : shared) start.push_back(cut.class_of(word));
  State state = context.resume(cut.class_count(), std::move(start));
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    if (context.greedy_pass(state).moved == 0) break;
  }
  return context.finish(state, false, context.run()).clustering;
}

void check_cuts(const std::vector<ClassId>& cuts, ClassId classes) {
  for (const ClassId cut : cuts) {
    if (cut != 0 && cut <= classes) continue;
    throw UsageError(fmt::format("a cut at {} is outside 1 .. {}", cut, classes),
                     "cuts have fewer classes than the clustering");
  }
}

}  // namespace
}  // namespace exchange

std::vector<Clustering> refine_cuts(const Counts& counts, const Clustering& clustering,
                                    const std::vector<ClassId>& cuts, const RunOptions& run) {
  exchange::check_cuts(cuts, clustering.class_count());
  const exchange::WordsInCommon words = exchange::words_in_common(counts, clustering);
  Clustering tree = clustering;
  if (!tree.tree()) {
    tree = Clustering(clustering.vocabulary(), clustering.classes(), build_tree(counts, words.class_of, run));
  }
  const exchange::SearchProblem search_problem(counts, {{words.excluded}}, 1, clustering.class_count(), run);
  exchange::SearchContext context(search_problem, run);
  base::Stage stage = context.begin("flat cuts", exchange::kUsualPasses * static_cast<double>(cuts.size()),
                                    clustering.class_count());
  std::vector<Clustering> results;
  results.reserve(cuts.size());
  for (const ClassId cut : cuts) results.push_back(exchange::refine(context, tree.cut(cut), words.shared));
  stage.end();
  return results;
}

}  // namespace firth
