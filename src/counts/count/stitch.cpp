#include "counts/count/stitch.hpp"

#include <algorithm>

namespace firth::counts {

EdgeWords EdgeWords::first_of(std::span<const WordId> words) {
  EdgeWords edge;
  edge.size = std::min(words.size(), kMaxDistance);
  std::copy_n(words.begin(), edge.size, edge.ids.begin());
  return edge;
}

EdgeWords EdgeWords::last_of(std::span<const WordId> words) {
  return first_of(words.last(std::min(words.size(), kMaxDistance)));
}

BlockEdges::BlockEdges(const text::Block& block, const text::BlockWords& words)
    : index(block.index), starts_file(block.starts_file), broken(!words.ends.empty()) {
  const std::span<const WordId> ids(words.ids);
  head = EdgeWords::first_of(broken ? ids.first(words.ends.front()) : ids);
  tail = EdgeWords::last_of(broken ? ids.subspan(words.ends.back()) : ids);
  // Ends differ from each other, so there are words between any two of them.
  if (broken) inner_sequences = words.ends.size() - 1;
}

BlockEdges BlockEdges::with_ids(std::span<const WordId> new_ids) const {
  BlockEdges renamed = *this;
  for (EdgeWords* words : {&renamed.head, &renamed.tail}) {
    for (std::size_t i = 0; i < words->size; ++i) words->ids[i] = new_ids[words->ids[i]];
  }
  return renamed;
}

std::uint64_t stitch(std::span<const BlockEdges> blocks, std::span<const int> distances,
                     const std::function<void(const CrossingPair&)>& add) {
  std::uint64_t sequences = 0;
  std::vector<WordId> open;  // the last words of the sequence that is not yet over
  const auto close = [&] {
    sequences += open.empty() ? 0 : 1;
    open.clear();
  };
  for (const BlockEdges& block : blocks) {
    if (block.starts_file) close();
    for (std::size_t d = 0; d < distances.size(); ++d) {
      const auto distance = static_cast<std::size_t>(distances[d]);
      for (std::size_t right = 0; right < std::min(distance, block.head.size); ++right) {
        const std::size_t back = distance - right;
        if (back <= open.size())
          add({open[open.size() - back], block.head.ids[right], d, block.first_word + right});
      }
    }
    if (block.broken) {
      open.insert(open.end(), block.head.span().begin(), block.head.span().end());
      close();
      sequences += block.inner_sequences;
    }
    open.insert(open.end(), block.tail.span().begin(), block.tail.span().end());
    if (open.size() > kMaxDistance)
      open.erase(open.begin(), open.end() - static_cast<std::ptrdiff_t>(kMaxDistance));
  }
  close();
  return sequences;
}

}  // namespace firth::counts
