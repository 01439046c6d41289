#include "counts/ranks/count_on_ranks.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "counts/count/squeeze.hpp"
#include "counts/ranks/input_pieces.hpp"
#include "counts/ranks/pair_exchange.hpp"
#include "counts/ranks/word_owners.hpp"
#include "firth/error.hpp"

namespace firth::counts {
namespace {

RunOptions without_world(RunOptions run) {
  run.world = nullptr;
  return run;
}

/// What one rank has counted.
struct Shard {
  Counts counts;
  std::vector<BlockEdges> edges;
};

Shard count_own(const std::vector<text::InputFile>& files, CountOptions options, const RunOptions& run) {
  options.vocabulary = {};
  options.held_out_share = 0;  // a rank does not know how much text is before its own
  const auto tuning = CountTuning::for_run(run, options.distances.size());
  Shard shard;
  try {
    shard.counts = count_files(files, options, tuning, run, &shard.edges);
  } catch (const InputError& error) {
    throw_with_line(error, files);
  }
  return shard;
}

/// The edges of all blocks, in order, with the numbers of the joined vocabulary; on rank 0.
std::vector<std::vector<BlockEdges>> collect_edges(const Shard& shard, const GlobalWords& words,
                                                   const base::Ranks& ranks) {
  std::vector<BlockEdges> own;
  for (const BlockEdges& block : shard.edges) own.push_back(block.with_ids(words.new_ids));
  base::MessageWriter writer;
  writer.put_all(own);
  std::vector<std::vector<std::byte>> to(ranks.size());
  to[0] = writer.take();
  const auto from = ranks.world().exchange(to);
  std::vector<std::vector<BlockEdges>> edges;
  for (unsigned r = 0; r < ranks.size() && ranks.is_root(); ++r) {
    edges.push_back(base::MessageReader(from[r]).get_all<BlockEdges>());
  }
  return edges;
}

/// Pairs across the pieces of two ranks, by distance, and the number of sequences of the whole text.
struct Seams {
  std::vector<std::vector<PairCount>> pairs;
  std::uint64_t sequences = 0;
};

/// What crosses an edge of the whole text but of no piece alone.
Seams find_seams(const std::vector<std::vector<BlockEdges>>& edges, const std::vector<int>& distances) {
  using Key = std::tuple<std::size_t, WordId, WordId>;
  std::map<Key, std::int64_t> crossing;
  std::vector<BlockEdges> all;
  for (const auto& blocks : edges) {
    all.insert(all.end(), blocks.begin(), blocks.end());
    stitch(blocks, distances, [&](const CrossingPair& pair) {
      --crossing[{pair.distance_index, pair.left, pair.right}];
    });
  }
  Seams seams;
  seams.sequences = stitch(all, distances, [&](const CrossingPair& pair) {
    ++crossing[{pair.distance_index, pair.left, pair.right}];
  });
  seams.pairs.resize(distances.size());
  for (const auto& [key, count] : crossing) {
    if (count == 0) continue;
    seams.pairs[std::get<0>(key)].push_back({std::get<1>(key), std::get<2>(key), static_cast<Count>(count)});
  }
  return seams;
}

CountsInfo join_info(const Shard& shard, std::uint64_t sequences, const base::Ranks& ranks) {
  CountsInfo info;
  info.text_options = shard.counts.info().text_options;
  info.sequences = sequences;
  std::uint64_t tokens = shard.counts.info().tokens;
  ranks.add(std::span(&tokens, 1));
  info.tokens = tokens;
  return info;
}

Counts join(const Shard& shard, const CountOptions& options, const base::Ranks& ranks,
            const RunOptions& run) {
  const GlobalWords words = join_words(shard.counts.vocabulary(), ranks);
  Seams seams = find_seams(collect_edges(shard, words, ranks), options.distances);
  seams.pairs.resize(options.distances.size());
  const auto tuning = CountTuning::for_run(run, options.distances.size());
  std::vector<PairCounts> pairs;
  for (std::size_t d = 0; d < options.distances.size(); ++d) {
    std::vector<std::unique_ptr<PairSource>> sources;
    append_mapped_sources(shard.counts.pairs_at(options.distances[d]), words.new_ids, sources);
    sources.push_back(std::make_unique<StoredPairs>(std::move(seams.pairs[d])));
    JoinOptions join;
    join.words = words.size;
    join.build = {tuning.build_bytes, run.temp_folder};
    if (run.memory_bytes > 0) join.bytes_per_round = run.memory_bytes / 16;
    pairs.push_back(join_pairs(sources, join, ranks, run));
  }
  CountsInfo info = join_info(shard, seams.sequences, ranks);
  if (!ranks.is_root()) return {};
  return {words.vocabulary, options.distances, std::move(pairs), std::move(info)};
}

}  // namespace

Counts count_on_ranks(const std::vector<text::InputFile>& files, const CountOptions& given,
                      const RunOptions& run) {
  const base::Ranks ranks(run);
  const RunOptions alone = without_world(run);
  const bool drops = given.vocabulary.rare == RarePolicy::drop && given.vocabulary.restricts();
  Counts counts;
  if (drops) {
    base::together(ranks, [&] {
      if (ranks.is_root()) counts = count_restricted(files, given, alone);
    });
    return counts;
  }
  CountOptions options = given;
  const text::CutAt cut = agree_on_format(files, options.text, ranks, alone);
  const std::vector<text::InputFile> own = deal_inputs(files, cut, ranks, run.stop);
  Shard shard;
  base::together(ranks, [&] { shard = count_own(own, options, alone); });
  counts = join(shard, options, ranks, alone);
  base::together(ranks, [&] {
    if (!ranks.is_root()) return;
    if (options.text.squeeze) counts = squeezed(counts, alone);
    counts = restrict_vocabulary(counts, options.vocabulary, alone);
  });
  return counts;
}

}  // namespace firth::counts
