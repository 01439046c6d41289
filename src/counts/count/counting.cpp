#include "counts/count/counting.hpp"

#include <optional>
#include <utility>

#include "counts/count/count_pass.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/count/stitch.hpp"
#include "counts/count/text_tally.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "text/text_options.hpp"
#include "text/word_table.hpp"

namespace firth::counts {
namespace {

// For RarePolicy::drop: which words stay is known only after a first pass.
struct Dropping {
  std::vector<CountedWord> words;
  std::vector<bool> kept;
  CountsInfo info;
};

Dropping find_dropped(const std::vector<text::InputFile>& files, const CountOptions& options,
                      const CountTuning& tuning, text::WordTable& table, const RunOptions& run) {
  Dropping result;
  Pass pass(files, options, tuning, run);
  auto workers = make_workers(options, tuning, table, pass.worker_count(), run.temp_folder);
  pass.count(table, workers, false);
  result.info = total_info(workers, options);
  result.info.restricted = true;
  result.info.sequences = stitch(pass.edges(), {}, {});
  result.words = counted_words(table);
  const RankedWords ranked = rank_words(result.words);
  const std::vector<bool> selected = choose_words(ranked.vocabulary, options.vocabulary, run);
  result.kept.resize(result.words.size());
  for (std::size_t id = 0; id < result.words.size(); ++id) {
    result.kept[id] = selected[ranked.ranks[id]];
    if (!result.kept[id]) result.words[id].count = 0;
  }
  return result;
}

/// Pairs of one matrix: words have their final numbers.
PairCounts build(const TextTally::Sources& sources, const RankedWords& ranked, const CountTuning& tuning,
                 const RunOptions& run) {
  return build_pairs(ranked.vocabulary.size(), sources, {tuning.build_bytes, run.temp_folder}, run);
}

/// Counts of everything, and what is held out if that was counted.
Counts join_tally(const TextTally& tally, const RankedWords& ranked, CountsInfo info,
                  const CountTuning& tuning, const RunOptions& run) {
  const CountOptions& options = tally.options();
  std::vector<PairCounts> pairs;
  for (std::size_t d = 0; d < options.distances.size(); ++d) {
    TextTally::Sources sources;
    tally.append_pairs(d, ranked.ranks, sources);
    pairs.push_back(build(sources, ranked, tuning, run));
  }
  Counts counts(ranked.vocabulary, options.distances, std::move(pairs), std::move(info));
  if (options.held_out_share == 0) return counts;
  TextTally::Sources sources;
  tally.append_held_out(ranked.ranks, sources);
  return counts.with_held_out(build(sources, ranked, tuning, run));
}

/// Blocks are words in the order of the text, at neighbouring places; tables of counts have none.
void check_held_out(CountOptions& options) {
  const bool has_bigrams = options.distances.front() == 1;
  if (options.text.format == InputFormat::counts || !has_bigrams) options.held_out_share = 0;
}

}  // namespace

Counts count_files(std::vector<text::InputFile> files, const CountOptions& given, const CountTuning& tuning,
                   const RunOptions& run) {
  CountOptions options = given;
  options.text = text::resolve_format(files, given.text);
  check_held_out(options);
  TextTally tally(options, tuning, run);
  std::optional<Dropping> dropping;
  if (options.vocabulary.rare == RarePolicy::drop && options.vocabulary.restricts()) {
    text::spool_unseekable(files, run.temp_folder);
    dropping = find_dropped(files, options, tuning, tally.table(), run);
    tally.keep_only(dropping->kept);
  }
  tally.count(files);
  const RankedWords ranked = dropping ? rank_words(dropping->words) : tally.rank();
  return join_tally(tally, ranked, dropping ? dropping->info : tally.info(), tuning, run);
}

}  // namespace firth::counts
