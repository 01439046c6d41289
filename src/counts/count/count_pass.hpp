// One pass over a text: all words, and the pairs within the blocks that it is read in.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/stage.hpp"
#include "counts/count/counting.hpp"
#include "counts/count/held_out_blocks.hpp"
#include "counts/count/pair_table.hpp"
#include "counts/count/stitch.hpp"
#include "counts/words/spilled_words.hpp"
#include "text/block_reader.hpp"
#include "text/parse_block.hpp"
#include "text/word_table.hpp"

namespace firth::counts {

__extension__ using WideCount = unsigned __int128;

/// What one thread counts.
struct Worker {
  Worker(const CountOptions& options, const CountTuning& tuning, text::WordTable& table,
         const std::string& temp_folder)
      : sink(options.text, table, tuning.recent_bits) {
    for (std::size_t i = 0; i < options.distances.size(); ++i) {
      tables.emplace_back(tuning.table_bytes, temp_folder);
    }
    if (options.held_out_share > 0) held_out.emplace(tuning.table_bytes, temp_folder);
  }
  text::WordSink sink;
  std::vector<PairTable> tables;
  std::optional<PairTable> held_out;  ///< bigrams of the blocks that are held out
  Count tokens = 0;
  WideCount table_total = 0;
  std::size_t blocks = 0;
};

/// Keeps the error of the earliest block: the one that a single thread would have met.
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

/// How many words are before each block. Blocks are parsed in any order, and the sum needs all before it: who comes too
/// early waits. A thread that waits has a later block than one that does not, so that nobody waits for ever.
class BlockPositions {
 public:
  std::uint64_t first_word(std::size_t block, std::size_t words) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return ended_ || next_ == block; });
    const std::uint64_t first = words_;
    words_ += words;
    ++next_;
    turn_.notify_all();
    return first;
  }

  /// A block will never come: nobody is to wait for it.
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    turn_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::size_t next_ = 0;
  std::uint64_t words_ = 0;
  bool ended_ = false;
};

/// The words of the table with their ids, to be moved to disk.
std::vector<RunWord> run_words(const text::WordTable& table);

/// One pass over the files with all threads. Large because all that its threads share is here: the reader, the words
/// and who may empty their table, the ends of blocks, the first error.
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

  /// The bigrams of these blocks are counted once more, by themselves.
  void hold_out(const HeldOutBlocks& blocks) { held_out_ = &blocks; }

  /// Words that outgrow their memory go there; without it, that is an error.
  void spill_to(SpilledWords& words) { spilled_ = &words; }

  /// As many threads as are allowed and have something to do (compressed text is larger than its file).
  unsigned worker_count() const;

  void count(text::WordTable& table, std::vector<std::unique_ptr<Worker>>& workers, bool with_pairs);

  std::span<const BlockEdges> edges() const { return edges_; }

 private:
  text::BlockOptions block_options() const;

  void work(Worker& worker, const base::Stage& stage);

  void parse(text::Block& block, Worker& worker);

  /// Moves all words to disk if they have outgrown their memory. Ids that are in use stay what they are.
  void limit_words();

  void count_block(const text::Block& block, Worker& worker);

  /// A bigram belongs to the block of its right word.
  void count_held_out(const text::BlockWords& words, std::uint64_t first, PairTable& table) const;

  static void count_pairs(const text::BlockWords& words, int distance, PairTable& table);

  void drop_words(text::BlockWords& words) const;

  const CountOptions& options_;
  const CountTuning& tuning_;
  const RunOptions& run_;
  text::BlockParser parser_;
  text::BlockReader reader_;
  std::thread::id caller_;
  text::WordTable* table_ = nullptr;
  std::vector<std::unique_ptr<Worker>>* workers_ = nullptr;
  SpilledWords* spilled_ = nullptr;
  const HeldOutBlocks* held_out_ = nullptr;
  BlockPositions positions_;
  std::shared_mutex table_mutex_;  // held alone by who empties the table
  bool with_pairs_ = true;
  std::vector<bool> kept_;
  FirstFault fault_;
  std::mutex edges_mutex_;
  std::vector<BlockEdges> edges_;
};

}  // namespace firth::counts
