#include "tagger/chain_decoder.hpp"

#include <algorithm>

#include "base/simd.hpp"

namespace firth::tagger {
namespace {

/// Lower than any sum of scores of a sentence, and far from overflow.
constexpr Score kNever = -(Score{1} << 61);

/// Where state `tag` of the word before is a better way to a tag than all before it, it is taken.
FIRTH_CLONES
void improve(Score before, std::span<const Score> row, std::int64_t tag, std::span<Score> best,
             std::span<std::int64_t> from) {
  const Score* const __restrict add = row.data();
  Score* const __restrict to = best.data();
  std::int64_t* const __restrict parent = from.data();
  for (std::size_t t = 0; t < row.size(); ++t) {
    const Score score = before + add[t];
    const bool better = score > to[t];
    to[t] = better ? score : to[t];
    parent[t] = better ? tag : parent[t];
  }
}

}  // namespace

void ChainDecoder::start(const Lattice& lattice, std::span<const std::int32_t> transitions) {
  const std::size_t tags = lattice.tags.size();
  allowed_.resize(transitions.size());
  for (std::size_t before = 0; before <= tags; ++before) {
    const std::span<const std::uint8_t> followers = lattice.tags.followers(before);
    for (std::size_t t = 0; t < tags; ++t) {
      const std::size_t at = before * tags + t;
      allowed_[at] = followers[t] != 0 ? Score{transitions[at]} : kNever;
    }
  }
  best_.resize(tags);
  for (std::size_t t = 0; t < tags; ++t) best_[t] = allowed_[tags * tags + t] + lattice.at(0)[t];
  next_.resize(tags);
  from_.resize(tags);
  before_.resize(lattice.length * tags);
}

void ChainDecoder::extend(const Lattice& lattice, std::size_t i) {
  const std::size_t tags = lattice.tags.size();
  std::fill(next_.begin(), next_.end(), 2 * kNever);
  for (std::size_t before = 0; before < tags; ++before) {
    if (best_[before] <= kNever / 2) continue;
    improve(best_[before], std::span(allowed_).subspan(before * tags, tags),
            static_cast<std::int64_t>(before), next_, from_);
  }
  const std::span<const Score> local = lattice.at(i);
  for (std::size_t t = 0; t < tags; ++t) {
    const bool possible = next_[t] > kNever / 2;
    best_[t] = possible ? next_[t] + local[t] : kNever;
    before_[i * tags + t] = static_cast<TagId>(from_[t]);
  }
}

void ChainDecoder::decode(const Lattice& lattice, std::span<const std::int32_t> transitions,
                          std::vector<TagId>& tags) {
  tags.resize(lattice.length);
  if (lattice.length == 0) return;
  start(lattice, transitions);
  for (std::size_t i = 1; i < lattice.length; ++i) extend(lattice, i);
  const TagId last = best_tag(best_, lattice.tags.ends(), {});
  TagId tag = last;
  for (std::size_t i = lattice.length; i > 0; --i) {
    tags[i - 1] = tag;
    tag = before_[(i - 1) * lattice.tags.size() + tag];
  }
}

}  // namespace firth::tagger
