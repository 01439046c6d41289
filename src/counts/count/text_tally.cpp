#include "counts/count/text_tally.hpp"

#include <limits>
#include <utility>

#include "counts/words/merge_words.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"

namespace firth::counts {

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

void TextTally::count(const std::vector<text::InputFile>& files) {
  const HeldOutBlocks held_out(options_.held_out_share, run_.seed);
  Pass pass(files, options_, tuning_, run_);
  if (kept_.empty()) {
    pass.spill_to(spilled_);
  } else {
    pass.keep_only(std::move(kept_));
  }
  if (options_.held_out_share > 0) pass.hold_out(held_out);
  workers_ = make_workers(options_, tuning_, table_, pass.worker_count(), run_.temp_folder);
  pass.count(table_, workers_, true);
  edges_.assign(pass.edges().begin(), pass.edges().end());
  info_ = total_info(workers_, options_);
  count_crossings(held_out);
}

void TextTally::count_crossings(const HeldOutBlocks& held_out) {
  for (std::size_t d = 0; d <= options_.distances.size(); ++d) crossings_.emplace_back(0, run_.temp_folder);
  info_.sequences = stitch(edges_, options_.distances, [&](const CrossingPair& pair) {
    crossings_[pair.distance_index].add(pair.left, pair.right, 1);
    if (pair.distance_index == 0 && held_out.contains(pair.position)) {
      crossings_.back().add(pair.left, pair.right, 1);
    }
  });
}

RankedWords TextTally::rank() {
  if (!has_spilled()) return rank_words(words());
  spilled_.add_run(run_words(table_));
  table_.clear();
  return merge_words(spilled_.runs(), table_.size(), tuning_.word_bytes, run_);
}

std::vector<CountedWord> TextTally::words() const {
  return counted_words(table_);
}

void TextTally::append_pairs(std::size_t distance_index, std::span<const WordId> new_ids,
                             Sources& sources) const {
  for (const auto& worker : workers_) worker->tables[distance_index].append_sources(new_ids, sources);
  crossings_[distance_index].append_sources(new_ids, sources);
}

void TextTally::append_held_out(std::span<const WordId> new_ids, Sources& sources) const {
  crossings_.back().append_sources(new_ids, sources);
  for (const auto& worker : workers_) worker->held_out->append_sources(new_ids, sources);
}

}  // namespace firth::counts
