#include <algorithm>
#include <limits>

#include "counts/pairs/build_pairs.hpp"
#include "counts/words/merge_words.hpp"
#include "counts/words/vocabulary_run.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

void check_alike(const std::string& first_path, const Counts& first, const std::string& path,
                 const Counts& counts) {
  if (counts.info().restricted) {
    throw UsageError(
        path + ": words were left out of these counts, so they cannot be added to others",
        "count without VocabularyOptions::min_count, VocabularyOptions::max_vocab and VocabularyOptions::vocab_file, "
        "and use these options when merging");
  }
  if (counts.info().text_options != first.info().text_options) {
    throw UsageError(path + ": the text was read in another way (" + counts.info().text_options +
                         ") than that of " + first_path + " (" + first.info().text_options + ")",
                     "count all parts with the same options");
  }
  if (counts.distances() != first.distances()) {
    throw UsageError(path + ": pairs were counted at other distances than in " + first_path,
                     "count all parts with the same CountOptions::distances");
  }
}

Count checked_sum(Count a, Count b) {
  if (a > std::numeric_limits<Count>::max() - b) {
    throw InputError({}, "the counts add up to more than 2^64 - 1", "divide all counts by a common factor");
  }
  return a + b;
}

CountsInfo sum_of_infos(const std::vector<Counts>& all) {
  CountsInfo info;
  info.text_options = all.front().info().text_options;
  for (const Counts& counts : all) {
    info.tokens = checked_sum(info.tokens, counts.info().tokens);
    info.sequences = checked_sum(info.sequences, counts.info().sequences);
  }
  return info;
}

}  // namespace

Counts merge_counts(std::span<const std::string> paths, const RunOptions& run) {
  if (paths.empty()) throw UsageError("there is nothing to merge", "name count files");
  std::vector<Counts> all;
  for (const std::string& path : paths) {
    run.check_stop();
    all.push_back(load_counts(path));
    check_alike(paths.front(), all.front(), path, all.back());
  }
  std::vector<Vocabulary> vocabularies;
  std::uint64_t ids = 0;
  for (const Counts& counts : all) {
    vocabularies.push_back(counts.vocabulary());
    ids += counts.vocabulary().size();
  }
  const counts::RankedWords ranked =
      counts::merge_words(counts::vocabulary_runs(vocabularies, run), ids, run.memory_bytes / 4, run);
  std::vector<PairCounts> pairs;
  for (const int distance : all.front().distances()) {
    std::vector<std::unique_ptr<counts::PairSource>> sources;
    Count total = 0;
    std::span<const WordId> ranks = ranked.ranks;
    for (const Counts& counts : all) {
      total = checked_sum(total, counts.pairs_at(distance).total());
      counts::append_mapped_sources(counts.pairs_at(distance), ranks.first(counts.vocabulary().size()),
                                    sources);
      ranks = ranks.subspan(counts.vocabulary().size());
    }
    pairs.push_back(
        counts::build_pairs(ranked.vocabulary.size(), sources, {run.memory_bytes / 2, run.temp_folder}, run));
  }
  return {ranked.vocabulary, all.front().distances(), std::move(pairs), sum_of_infos(all)};
}

}  // namespace firth
