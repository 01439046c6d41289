#include <span>
#include <utility>

#include "counts/count/renumber_pairs.hpp"
#include "counts/count/restrict_words.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

bool all_keep_their_ids(std::span<const WordId> new_ids) {
  for (std::size_t id = 0; id < new_ids.size(); ++id)
    if (new_ids[id] != id) return false;
  return true;
}

PairCounts with_new_ids(const PairCounts& pairs, const counts::RestrictedWords& words,
                        const RunOptions& run) {
  if (pairs.rows() == 0) return {};
  if (all_keep_their_ids(words.new_ids)) return pairs;
  const std::uint64_t max_bytes = run.memory_bytes / 2;
  if (counts::can_renumber(pairs, words, max_bytes)) return counts::renumber_pairs(pairs, words, run);
  std::vector<std::unique_ptr<counts::PairSource>> sources;
  counts::append_mapped_sources(pairs, words.new_ids, sources);
  return counts::build_pairs(words.vocabulary.size(), sources, {max_bytes, run.temp_folder}, run);
}

}  // namespace

Counts restrict_vocabulary(const Counts& counts, const VocabularyOptions& options, const RunOptions& run) {
  validate(options);
  if (!options.restricts()) return counts;
  if (options.rare == RarePolicy::drop) {
    throw UsageError(
        "dropping words (VocabularyOptions::rare) needs the text: counts do not know the neighbours' neighbours",
        "drop them when the text is counted, or choose another VocabularyOptions::rare",
        "VocabularyOptions::rare");
  }
  const counts::RestrictedWords words = counts::restrict_words(counts.vocabulary(), options, run);
  std::vector<PairCounts> pairs;
  for (const int distance : counts.distances())
    pairs.push_back(with_new_ids(counts.pairs_at(distance), words, run));
  CountsInfo info = counts.info();
  info.restricted = true;
  const Counts fewer(words.vocabulary, counts.distances(), std::move(pairs), std::move(info));
  return fewer.with_held_out(with_new_ids(counts.held_out(), words, run));
}

}  // namespace firth
