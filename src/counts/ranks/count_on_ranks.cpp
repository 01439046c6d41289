#include "counts/ranks/count_on_ranks.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/message.hpp"
#include "base/rank_error.hpp"
#include "counts/count/restrict_words.hpp"
#include "counts/count/squeeze.hpp"
#include "counts/count/text_tally.hpp"
#include "counts/ranks/input_pieces.hpp"
#include "counts/ranks/pair_exchange.hpp"
#include "counts/ranks/word_owners.hpp"
#include "firth/error.hpp"
#include "text/text_options.hpp"

namespace firth::counts {
namespace {

RunOptions without_world(RunOptions run) {
  run.world = nullptr;
  return run;
}

/// What one rank has counted: by the numbers that its words got as they came up.
class Shard {
 public:
  Shard(const std::vector<text::InputFile>& files, const CountOptions& options, const RunOptions& run)
      : options_(options),
        tuning_(CountTuning::for_run(run, options.distances.size())),
        tally_(options_, tuning_, run) {
    options_.vocabulary = {};
    options_.held_out_share = 0;  // a rank does not know how much text is before its own
    try {
      options_.text = text::resolve_format(files, options.text);
      tally_.count(files);
    } catch (const InputError& error) {
      throw_with_line(error, files);
    }
  }

  const TextTally& tally() const { return tally_; }
  const CountTuning& tuning() const { return tuning_; }

  /// Numbers of the words of all ranks; `new_ids` are by the numbers of this rank.
  GlobalWords join_words(const base::Ranks& ranks) {
    std::vector<CountedWord> words;
    RankedWords ranked;
    base::together(ranks, [&] {
      if (!tally_.has_spilled()) {
        words = tally_.words();
        return;
      }
      ranked = tally_.rank();
      for (WordId id = 0; id < ranked.vocabulary.size(); ++id) {
        words.push_back({ranked.vocabulary.word(id), ranked.vocabulary.count(id)});
      }
    });
    GlobalWords all = counts::join_words(words, ranks);
    if (!tally_.has_spilled()) return all;
    for (WordId& id : ranked.ranks) id = id == kNoWord ? kNoWord : all.new_ids[id];
    all.new_ids = std::move(ranked.ranks);
    return all;
  }

 private:
  CountOptions options_;
  CountTuning tuning_;
  TextTally tally_;
};

/// Leaves words out before their pairs are sent anywhere: the same as restrict_vocabulary() afterwards, without rank 0
/// having to go through all pairs.
void restrict(GlobalWords& words, const VocabularyOptions& options, const base::Ranks& ranks,
              const RunOptions& run) {
  RestrictedWords restricted;
  restricted.new_ids.resize(words.size);
  base::together(ranks, [&] {
    if (ranks.is_root()) restricted = restrict_words(words.vocabulary, options, run);
  });
  ranks.broadcast_all(std::span(restricted.new_ids));
  std::uint64_t size = restricted.vocabulary.size();
  ranks.broadcast_all(std::span(&size, 1));
  words.vocabulary = restricted.vocabulary;
  words.size = size;
  for (WordId& id : words.new_ids) id = id == kNoWord ? kNoWord : restricted.new_ids[id];
}

/// The edges of all blocks, in order, with the numbers of the joined vocabulary; on rank 0.
std::vector<std::vector<BlockEdges>> collect_edges(const TextTally& tally, const GlobalWords& words,
                                                   const base::Ranks& ranks) {
  std::vector<BlockEdges> own;
  for (const BlockEdges& block : tally.edges()) own.push_back(block.with_ids(words.new_ids));
  base::MessageWriter writer;
  writer.put_all(own);
  base::RankMessages to(ranks.size());
  to[0] = writer.take();
  const base::RankMessages from = ranks.world().exchange(to);
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

CountsInfo join_info(const CountsInfo& own, std::uint64_t sequences, bool restricted,
                     const base::Ranks& ranks) {
  CountsInfo info;
  info.text_options = own.text_options;
  info.sequences = sequences;
  info.restricted = restricted;
  std::uint64_t tokens = own.tokens;
  ranks.add(std::span(&tokens, 1));
  info.tokens = tokens;
  return info;
}

Counts join(Shard& shard, const CountOptions& options, const base::Ranks& ranks, const RunOptions& run) {
  GlobalWords words = shard.join_words(ranks);
  const TextTally& tally = shard.tally();
  // Repetitions are found in the pairs of whole words.
  const bool restricts = options.vocabulary.restricts() && !options.text.squeeze;
  if (restricts) restrict(words, options.vocabulary, ranks, run);
  Seams seams = find_seams(collect_edges(tally, words, ranks), options.distances);
  seams.pairs.resize(options.distances.size());
  std::vector<PairCounts> pairs;
  for (std::size_t d = 0; d < options.distances.size(); ++d) {
    TextTally::Sources sources;
    tally.append_pairs(d, words.new_ids, sources);
    sources.push_back(std::make_unique<StoredPairs>(std::move(seams.pairs[d])));
    JoinOptions join;
    join.words = words.size;
    join.build = {shard.tuning().build_bytes, run.temp_folder};
    if (run.memory_bytes > 0) join.bytes_per_round = run.memory_bytes / 16;
    pairs.push_back(join_pairs(sources, join, ranks, run));
  }
  CountsInfo info = join_info(tally.info(), seams.sequences, restricts, ranks);
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
  std::optional<Shard> shard;
  base::together(ranks, [&] { shard.emplace(own, options, alone); });
  counts = join(*shard, options, ranks, alone);
  shard.reset();
  if (!options.text.squeeze) return counts;
  base::together(ranks, [&] {
    if (ranks.is_root()) counts = restrict_vocabulary(squeezed(counts, alone), options.vocabulary, alone);
  });
  return counts;
}

}  // namespace firth::counts
