#include "counts/count/counting.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "counts/count/count_pass.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/count/stitch.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "counts/words/merge_words.hpp"
#include "counts/words/spilled_words.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"
#include "text/word_table.hpp"

namespace firth::counts {
namespace {

std::vector<CountedWord> counted_words(const text::WordTable& table) {
  std::vector<CountedWord> words;
  words.reserve(table.size());
  for (const text::WordEntry* entry : table.entries()) words.push_back({entry->text(), entry->count.load()});
  return words;
}

std::vector<std::unique_ptr<Worker>> make_workers(const CountOptions& options, const CountTuning& tuning,
                                                  text::WordTable& table, unsigned threads,
                                                  const std::string& temp_folder) {
  std::vector<std::unique_ptr<Worker>> workers(threads);
  for (auto& worker : workers) worker = std::make_unique<Worker>(options, tuning, table, temp_folder);
  return workers;
}

CountsInfo total_info(const std::vector<std::unique_ptr<Worker>>& workers, const CountOptions& options) {
  CountsInfo info;
  info.text_options = text::describe(options.text);
  WideCount table_total = 0;
  for (const auto& worker : workers) {
    info.tokens += worker->tokens;
    table_total += worker->table_total;
  }
  // Every pair of a table is two words.
  if (table_total > std::numeric_limits<Count>::max() / 2) {
    throw InputError({}, "the counts add up to 2^63 or more", "divide all counts by a common factor");
  }
  info.tokens += static_cast<Count>(table_total) * 2;
  return info;
}

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

RankedWords rank_all(const std::optional<Dropping>& dropping, SpilledWords& spilled, text::WordTable& table,
                     const CountTuning& tuning, const RunOptions& run) {
  if (dropping) return rank_words(dropping->words);
  if (spilled.empty()) return rank_words(counted_words(table));
  spilled.add_run(run_words(table));
  table.clear();
  return merge_words(spilled.runs(), table.size(), tuning.word_bytes, run);
}

/// What a result is made with.
struct Joining {
  const CountTuning& tuning;
  const RunOptions& run;
  CountsInfo info;
};

/// Pairs that cross the edges of blocks.
struct Crossings {
  Crossings(const CountOptions& options, const std::string& temp_folder) : held_out(0, temp_folder) {
    for (std::size_t d = 0; d < options.distances.size(); ++d) tables.emplace_back(0, temp_folder);
  }

  void add(const CrossingPair& pair, bool is_held_out) {
    tables[pair.distance_index].add(pair.left, pair.right, 1);
    if (is_held_out) held_out.add(pair.left, pair.right, 1);
  }

  std::vector<PairTable> tables;
  PairTable held_out;
};

/// The tables of all workers and of what crosses blocks, as one matrix.
PairCounts join_tables(const std::vector<const PairTable*>& tables, const RankedWords& ranked,
                       const CountTuning& tuning, const RunOptions& run) {
  std::vector<std::unique_ptr<PairSource>> sources;
  for (const PairTable* table : tables) table->append_sources(ranked.ranks, sources);
  return build_pairs(ranked.vocabulary.size(), sources, {tuning.build_bytes, run.temp_folder}, run);
}

/// Counts of everything, and what is held out if that was counted.
Counts join_workers(const std::vector<std::unique_ptr<Worker>>& workers, const Crossings& crossings,
                    const CountOptions& options, const RankedWords& ranked, const Joining& to) {
  std::vector<PairCounts> pairs;
  for (std::size_t d = 0; d < options.distances.size(); ++d) {
    std::vector<const PairTable*> tables;
    tables.reserve(workers.size() + 1);
    for (const auto& worker : workers) tables.push_back(&worker->tables[d]);
    tables.push_back(&crossings.tables[d]);
    pairs.push_back(join_tables(tables, ranked, to.tuning, to.run));
  }
  Counts counts(ranked.vocabulary, options.distances, std::move(pairs), to.info);
  if (options.held_out_share == 0) return counts;
  std::vector<const PairTable*> tables = {&crossings.held_out};
  for (const auto& worker : workers) tables.push_back(&*worker->held_out);
  return counts.with_held_out(join_tables(tables, ranked, to.tuning, to.run));
}

/// Blocks are words in the order of the text, at neighbouring places; tables of counts have none.
void check_held_out(CountOptions& options) {
  const bool has_bigrams = options.distances.front() == 1;
  if (options.text.format == InputFormat::counts || !has_bigrams) options.held_out_share = 0;
}

}  // namespace

Counts count_files(std::vector<text::InputFile> files, const CountOptions& given, const CountTuning& tuning,
                   const RunOptions& run, std::vector<BlockEdges>* edges) {
  CountOptions options = given;
  options.text = text::resolve_format(files, given.text);
  check_held_out(options);
  const HeldOutBlocks held_out(options.held_out_share, run.seed);
  text::WordTable table;
  std::optional<Dropping> dropping;
  if (options.vocabulary.rare == RarePolicy::drop && options.vocabulary.restricts()) {
    text::spool_unseekable(files, run.temp_folder);
    dropping = find_dropped(files, options, tuning, table, run);
  }
  Pass pass(files, options, tuning, run);
  SpilledWords spilled(run.temp_folder);
  if (dropping) {
    pass.keep_only(dropping->kept);
  } else {
    pass.spill_to(spilled);
  }
  if (options.held_out_share > 0) pass.hold_out(held_out);
  auto workers = make_workers(options, tuning, table, pass.worker_count(), run.temp_folder);
  pass.count(table, workers, true);

  Crossings crossings(options, run.temp_folder);
  const std::uint64_t sequences = stitch(pass.edges(), options.distances, [&](const CrossingPair& pair) {
    crossings.add(pair, pair.distance_index == 0 && held_out.contains(pair.position));
  });
  CountsInfo info = dropping ? dropping->info : total_info(workers, options);
  if (!dropping) info.sequences = sequences;

  const RankedWords ranked = rank_all(dropping, spilled, table, tuning, run);
  if (edges != nullptr) {
    for (const BlockEdges& block : pass.edges()) edges->push_back(block.with_ids(ranked.ranks));
  }
  return join_workers(workers, crossings, options, ranked, {tuning, run, std::move(info)});
}

}  // namespace firth::counts
