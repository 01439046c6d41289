#include "counts/count/count_pass.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "counts/count/parse_count_table.hpp"
#include "firth/error.hpp"
#include "firth/printable.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kBlocksPerFlush = 1024;  // far below 2^32 words even if every block is full of them

}  // namespace

std::vector<RunWord> run_words(const text::WordTable& table) {
  std::vector<RunWord> words;
  for (const text::WordEntry* entry : table.entries()) {
    words.push_back({entry->text(), entry->count.load(), entry->id});
  }
  return words;
}

unsigned Pass::worker_count() const {
  const unsigned max = base::resolve_threads(run_.threads);
  const std::uint64_t share = tuning_.block_bytes / 8 + 1;
  if (reader_.bytes_total() == 0) return max;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(reader_.bytes_total() / share, 1, max));
}

void Pass::count(text::WordTable& table, std::vector<std::unique_ptr<Worker>>& workers, bool with_pairs) {
  table_ = &table;
  workers_ = &workers;
  with_pairs_ = with_pairs;
  base::Stage stage(run_, "reading", "bytes", reader_.bytes_total());
  base::parallel_for(workers.size(), 1, run_.threads,
                     [&](std::size_t i, std::size_t) { work(*workers[i], stage); });
  stage.end();
  fault_.rethrow();
  std::uint64_t repaired = 0;
  text::NormalizedCharacters normalized;
  for (auto& worker : workers) {
    worker->sink.counter.flush();
    repaired += worker->sink.repaired;
    normalized += worker->sink.normalized_characters();
  }
  if (with_pairs) text::warn_of_repairs(run_, repaired, normalized);
  std::sort(edges_.begin(), edges_.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
}

text::BlockOptions Pass::block_options() const {
  text::BlockOptions blocks = parser_.block_options();
  blocks.block_bytes = tuning_.block_bytes;
  blocks.max_bytes = tuning_.max_block_bytes;
  return blocks;
}

void Pass::work(Worker& worker, const base::Stage& stage) {
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
    positions_.end();
    fault_.record(block.index, std::current_exception());
  }
}

void Pass::parse(text::Block& block, Worker& worker) {
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

void Pass::limit_words() {
  if (tuning_.word_bytes == 0 || table_->bytes() <= tuning_.word_bytes) return;
  if (spilled_ == nullptr) {
    throw ResourceError(
        fmt::format("the words alone need more than {}", memory_text(tuning_.word_bytes)),
        "allow more memory, or make words alike with TextOptions::lowercase or TextOptions::tokenize");
  }
  const std::unique_lock lock(table_mutex_);  // nobody parses
  if (table_->bytes() <= tuning_.word_bytes) return;
  for (auto& worker : *workers_) worker->sink.counter.forget();
  spilled_->add_run(run_words(*table_));
  table_->clear();
}

void Pass::count_block(const text::Block& block, Worker& worker) {
  text::BlockWords& words = worker.sink.words;
  worker.tokens += words.ids.size();
  for (const PairCount& pair : words.pairs) worker.table_total += pair.count;
  if (with_pairs_ && !kept_.empty()) drop_words(words);
  BlockEdges edges(block, words);
  if (held_out_ != nullptr) edges.first_word = positions_.first_word(block.index, words.ids.size());
  {
    const std::lock_guard lock(edges_mutex_);
    edges_.push_back(edges);
  }
  if (!with_pairs_) return;
  for (std::size_t d = 0; d < worker.tables.size(); ++d)
    count_pairs(words, options_.distances[d], worker.tables[d]);
  if (held_out_ != nullptr) count_held_out(words, edges.first_word, *worker.held_out);
}

void Pass::count_held_out(const text::BlockWords& words, std::uint64_t first, PairTable& table) const {
  const std::span<const WordId> ids(words.ids);
  held_out_->for_each_within(first, first + ids.size(), [&](std::uint64_t begin, std::uint64_t end) {
    std::size_t at = begin - first;
    auto next_end = std::upper_bound(words.ends.begin(), words.ends.end(), at);
    const bool starts = at == 0 || (next_end != words.ends.begin() && *std::prev(next_end) == at);
    if (!starts) --at;
    while (at < end - first) {
      const std::size_t stop =
          next_end == words.ends.end() ? end - first : std::min<std::size_t>(*next_end++, end - first);
      table.add_sequence(ids.subspan(at, stop - at), 1);
      at = stop;
    }
  });
}

void Pass::count_pairs(const text::BlockWords& words, int distance, PairTable& table) {
  for (const PairCount& pair : words.pairs) table.add(pair.left, pair.right, pair.count);
  const std::span<const WordId> ids(words.ids);
  std::size_t begin = 0;
  for (const std::size_t end : words.ends) {
    table.add_sequence(ids.subspan(begin, end - begin), static_cast<std::size_t>(distance));
    begin = end;
  }
  table.add_sequence(ids.subspan(begin), static_cast<std::size_t>(distance));
}

void Pass::drop_words(text::BlockWords& words) const {
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

}  // namespace firth::counts
