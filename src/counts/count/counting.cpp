#include "counts/count/counting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/parallel.hpp"
#include "base/stage.hpp"
#include "counts/count/pair_table.hpp"
#include "counts/count/parse_count_table.hpp"
#include "counts/count/rank_words.hpp"
#include "counts/count/stitch.hpp"
#include "counts/pairs/build_pairs.hpp"
#include "counts/words/merge_words.hpp"
#include "counts/words/spilled_words.hpp"
#include "firth/error.hpp"
#include "text/block_reader.hpp"
#include "text/parse_block.hpp"
#include "text/text_options.hpp"
#include "text/word_table.hpp"

namespace firth::counts {
namespace {

__extension__ using WideCount = unsigned __int128;

constexpr std::size_t kBlocksPerFlush = 1024;  // far below 2^32 words even if every block is full of them

// What one thread counts.
struct Worker {
  Worker(const CountOptions& options, const CountTuning& tuning, text::WordTable& table,
         const std::string& temp_folder)
      : sink(options.text, table, tuning.recent_bits) {
    for (std::size_t i = 0; i < options.distances.size(); ++i) {
      tables.emplace_back(tuning.table_bytes, temp_folder);
    }
  }
  text::WordSink sink;
  std::vector<PairTable> tables;
  Count tokens = 0;
  WideCount table_total = 0;
  std::size_t blocks = 0;
};

// Keeps the error of the earliest block: the one that a single thread would have met.
class FirstFault {
 public:
  void record(std::size_t block, std::exception_ptr fault) {
    const std::lock_guard lock(mutex_);
    if (fault_ == nullptr || block < block_) {
      block_ = block;
      fault_ = std::move(fault);
    }
  }
  void rethrow() const {
    if (fault_ != nullptr) std::rethrow_exception(fault_);
  }

 private:
  std::mutex mutex_;
  std::size_t block_ = 0;
  std::exception_ptr fault_;
};

std::vector<RunWord> run_words(const text::WordTable& table) {
  std::vector<RunWord> words;
  for (const text::WordEntry* entry : table.entries()) {
    words.push_back({entry->text(), entry->count.load(), entry->id});
  }
  return words;
}

// One pass over the files with all threads. Large because all that its threads share is here: the reader, the words
// and who may empty their table, the ends of blocks, the first error.
class Pass {
 public:
  Pass(const std::vector<text::InputFile>& files, const CountOptions& options, const CountTuning& tuning,
       const RunOptions& run)
      : options_(options),
        tuning_(tuning),
        run_(run),
        parser_(options.text, run),
        reader_(files, block_options()),
        caller_(std::this_thread::get_id()) {}

  /// Only these words make pairs; the others vanish. `kept` is by word id.
  void keep_only(std::vector<bool> kept) { kept_ = std::move(kept); }

  /// Words that outgrow their memory go there; without it, that is an error.
  void spill_to(SpilledWords& words) { spilled_ = &words; }

  /// As many threads as are allowed and have something to do (compressed text is larger than its file).
  unsigned worker_count() const {
    const unsigned max = base::resolve_threads(run_.threads);
    const std::uint64_t share = tuning_.block_bytes / 8 + 1;
    if (reader_.bytes_total() == 0) return max;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(reader_.bytes_total() / share, 1, max));
  }

  void count(text::WordTable& table, std::vector<std::unique_ptr<Worker>>& workers, bool with_pairs) {
    table_ = &table;
    workers_ = &workers;
    with_pairs_ = with_pairs;
    base::Stage stage(run_, "reading", "bytes", reader_.bytes_total());
    base::parallel_for(workers.size(), 1, run_.threads,
                       [&](std::size_t i, std::size_t) { work(*workers[i], stage); });
    stage.end();
    fault_.rethrow();
    std::uint64_t repaired = 0;
    for (auto& worker : workers) {
      worker->sink.counter.flush();
      repaired += worker->sink.repaired;
    }
    if (with_pairs) text::warn_of_repairs(run_, repaired);
    std::sort(edges_.begin(), edges_.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  }

  std::span<const BlockEdges> edges() const { return edges_; }

 private:
  text::BlockOptions block_options() const {
    text::BlockOptions blocks = parser_.block_options();
    blocks.block_bytes = tuning_.block_bytes;
    blocks.max_bytes = tuning_.max_block_bytes;
    return blocks;
  }

  void work(Worker& worker, const base::Stage& stage) {
    text::Block block;
    try {
      while (reader_.next(block)) {
        run_.check_stop();
        parse(block, worker);
        limit_words();
        count_block(block, worker);
        if (std::this_thread::get_id() == caller_) stage.advance(reader_.bytes_done());
      }
    } catch (...) {
      reader_.stop();
      fault_.record(block.index, std::current_exception());
    }
  }

  void parse(text::Block& block, Worker& worker) {
    const std::shared_lock lock(table_mutex_);
    worker.sink.words.clear();
    if (options_.text.format == InputFormat::counts) {
      text::check_block(block, options_.text.invalid_utf8);
      parse_count_table(block, worker.sink);
    } else {
      parser_.parse(block, worker.sink);
    }
    if (++worker.blocks % kBlocksPerFlush == 0) worker.sink.counter.flush();
  }

  /// Moves all words to disk if they have outgrown their memory. Ids that are in use stay what they are.
  void limit_words() {
    if (tuning_.word_bytes == 0 || table_->bytes() <= tuning_.word_bytes) return;
    if (spilled_ == nullptr) {
      throw ResourceError(
          fmt::format("the words alone need more than {}", base::memory_text(tuning_.word_bytes)),
          "allow more memory, or make words alike with TextOptions::lowercase or TextOptions::tokenize");
    }
    const std::unique_lock lock(table_mutex_);  // nobody parses
    if (table_->bytes() <= tuning_.word_bytes) return;
    for (auto& worker : *workers_) worker->sink.counter.forget();
    spilled_->add_run(run_words(*table_));
    table_->clear();
  }

  void count_block(const text::Block& block, Worker& worker) {
    text::BlockWords& words = worker.sink.words;
    worker.tokens += words.ids.size();
    for (const PairCount& pair : words.pairs) worker.table_total += pair.count;
    if (with_pairs_ && !kept_.empty()) drop_words(words);
    const BlockEdges edges(block, words);
    {
      const std::lock_guard lock(edges_mutex_);
      edges_.push_back(edges);
    }
    if (!with_pairs_) return;
    for (std::size_t d = 0; d < worker.tables.size(); ++d)
      count_pairs(words, options_.distances[d], worker.tables[d]);
  }

  static void count_pairs(const text::BlockWords& words, int distance, PairTable& table) {
    for (const PairCount& pair : words.pairs) table.add(pair.left, pair.right, pair.count);
    const std::span<const WordId> ids(words.ids);
    std::size_t begin = 0;
    for (const std::size_t end : words.ends) {
      table.add_sequence(ids.subspan(begin, end - begin), static_cast<std::size_t>(distance));
      begin = end;
    }
    table.add_sequence(ids.subspan(begin), static_cast<std::size_t>(distance));
  }

  void drop_words(text::BlockWords& words) const {
    std::vector<std::size_t> ends;
    std::size_t kept = 0;
    std::size_t next_end = 0;
    const auto close = [&](std::size_t position) {
      for (; next_end < words.ends.size() && words.ends[next_end] == position; ++next_end) {
        if (ends.empty() || ends.back() != kept) ends.push_back(kept);
      }
    };
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      close(i);
      // A word that the first pass did not see: the file has changed since.
      if (words.ids[i] < kept_.size() && kept_[words.ids[i]]) words.ids[kept++] = words.ids[i];
    }
    close(words.ids.size());
    words.ids.resize(kept);
    words.ends = std::move(ends);
  }

  const CountOptions& options_;
  const CountTuning& tuning_;
  const RunOptions& run_;
  text::BlockParser parser_;
  text::BlockReader reader_;
  std::thread::id caller_;
  text::WordTable* table_ = nullptr;
  std::vector<std::unique_ptr<Worker>>* workers_ = nullptr;
  SpilledWords* spilled_ = nullptr;
  std::shared_mutex table_mutex_;  // held alone by who empties the table
  bool with_pairs_ = true;
  std::vector<bool> kept_;
  FirstFault fault_;
  std::mutex edges_mutex_;
  std::vector<BlockEdges> edges_;
};

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

}  // namespace

Counts count_files(std::vector<text::InputFile> files, const CountOptions& given, const CountTuning& tuning,
                   const RunOptions& run, std::vector<BlockEdges>* edges) {
  CountOptions options = given;
  options.text = text::resolve_format(files, given.text);
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
  auto workers = make_workers(options, tuning, table, pass.worker_count(), run.temp_folder);
  pass.count(table, workers, true);

  std::vector<PairTable> crossing;
  for (std::size_t d = 0; d < options.distances.size(); ++d) crossing.emplace_back(0, run.temp_folder);
  const std::uint64_t sequences =
      stitch(pass.edges(), options.distances,
             [&](WordId left, WordId right, std::size_t d) { crossing[d].add(left, right, 1); });
  CountsInfo info = dropping ? dropping->info : total_info(workers, options);
  if (!dropping) info.sequences = sequences;

  const RankedWords ranked = rank_all(dropping, spilled, table, tuning, run);
  if (edges != nullptr) {
    for (const BlockEdges& block : pass.edges()) edges->push_back(block.with_ids(ranked.ranks));
  }
  std::vector<PairCounts> pairs;
  for (std::size_t d = 0; d < options.distances.size(); ++d) {
    std::vector<std::unique_ptr<PairSource>> sources;
    for (const auto& worker : workers) worker->tables[d].append_sources(ranked.ranks, sources);
    crossing[d].append_sources(ranked.ranks, sources);
    pairs.push_back(
        build_pairs(ranked.vocabulary.size(), sources, {tuning.build_bytes, run.temp_folder}, run));
  }
  return {ranked.vocabulary, options.distances, std::move(pairs), std::move(info)};
}

}  // namespace firth::counts
