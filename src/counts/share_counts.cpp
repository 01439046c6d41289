#include "counts/share_counts.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"

namespace firth::counts {
namespace {

/// Arrays go out in pieces: they are views into a file or into memory that may not be written to.
constexpr std::size_t kPiece = std::size_t{1} << 24;

template <typename T>
std::vector<T> share_array(std::span<const T> own, const base::Ranks& ranks) {
  std::uint64_t size = own.size();
  ranks.world().broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  std::vector<T> all(ranks.is_root() ? 0 : size);
  std::vector<std::byte> piece;
  const std::span<const std::byte> from = std::as_bytes(own);
  const std::span<std::byte> to = std::as_writable_bytes(std::span(all));
  for (std::size_t begin = 0; begin < size * sizeof(T); begin += kPiece) {
    const std::size_t length = std::min(kPiece, size * sizeof(T) - begin);
    piece.resize(length);
    if (ranks.is_root()) std::ranges::copy(from.subspan(begin, length), piece.begin());
    ranks.world().broadcast(piece, 0);
    if (!ranks.is_root()) std::ranges::copy(piece, to.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return all;
}

struct WordArrays {
  std::vector<std::uint64_t> offsets;
  std::vector<char> bytes;
  std::vector<Count> counts;
};

Vocabulary share_words(const Vocabulary& own, const base::Ranks& ranks) {
  auto words = std::make_shared<WordArrays>();
  words->offsets = share_array(own.offsets(), ranks);
  words->bytes = share_array(std::span<const char>(own.bytes()), ranks);
  words->counts = share_array(own.counts(), ranks);
  if (ranks.is_root()) return own;
  return {words->offsets, {words->bytes.data(), words->bytes.size()}, words->counts, words};
}

struct PairArrays {
  std::vector<std::uint64_t> offsets;
  std::vector<WordId> rights;
  std::vector<Count> counts;
};

/// As many rows as there are words, all empty.
PairCounts no_pairs(std::size_t words) {
  auto pairs = std::make_shared<PairArrays>();
  pairs->offsets.resize(words + 1, 0);
  return {pairs->offsets, pairs->rights, pairs->counts, pairs};
}

std::vector<std::byte> head_of(const Counts& counts) {
  base::MessageWriter writer;
  writer.put(counts.info().tokens);
  writer.put(counts.info().sequences);
  writer.put(counts.info().restricted);
  writer.put_text(counts.info().text_options);
  writer.put_all(counts.distances());
  return writer.take();
}

}  // namespace

PairCounts share_pairs(const PairCounts& own, const base::Ranks& ranks) {
  auto pairs = std::make_shared<PairArrays>();
  pairs->offsets = share_array(own.offsets(), ranks);
  pairs->rights = share_array(own.rights(), ranks);
  pairs->counts = share_array(own.counts(), ranks);
  if (ranks.is_root()) return own;
  return {pairs->offsets, pairs->rights, pairs->counts, pairs};
}

Counts share_counts(const Counts& counts, const base::Ranks& ranks) {
  if (ranks.alone()) return counts;
  std::vector<std::byte> head = head_of(counts);
  ranks.broadcast(head);
  base::MessageReader reader(head);
  CountsInfo info;
  info.tokens = reader.get<Count>();
  info.sequences = reader.get<Count>();
  info.restricted = reader.get<bool>();
  info.text_options = reader.get_text();
  const std::vector<int> distances = reader.get_all<int>();
  Vocabulary vocabulary = share_words(counts.vocabulary(), ranks);
  std::vector<PairCounts> pairs;
  for (const int distance : distances) {
    if (ranks.shard_lists()) {
      pairs.push_back(ranks.is_root() ? counts.pairs_at(distance) : no_pairs(vocabulary.size()));
      continue;
    }
    pairs.push_back(share_pairs(ranks.is_root() ? counts.pairs_at(distance) : PairCounts(), ranks));
  }
  const Counts shared(std::move(vocabulary), distances, std::move(pairs), std::move(info));
  return shared.with_held_out(share_pairs(counts.held_out(), ranks));
}

}  // namespace firth::counts
