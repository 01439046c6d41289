#include "cluster/exchange/proposals.hpp"

#include <cstring>
#include <limits>

namespace firth::exchange {
namespace {

/// Target and two flags in one number: a class, or `classes` for a unit that stays; and as much again for one that
/// is to be frozen.
class ProposalFormat {
 public:
  explicit ProposalFormat(const BatchView& batch)
      : batch_(batch),
        code_bytes_(2 * (batch.classes + std::size_t{1}) <= 1 + std::numeric_limits<std::uint16_t>::max()
                        ? sizeof(std::uint16_t)
                        : sizeof(std::uint32_t)) {}

  std::size_t bytes() const { return code_bytes_ + (batch_.heated ? sizeof(float) : 0); }

  void write(std::size_t i, const Proposal& proposal, std::byte* out) const {
    const bool stays = proposal.target == home(i);
    const bool frozen = proposal.margin > batch_.freeze_margin;
    const std::uint32_t code = (stays ? batch_.classes : proposal.target) + (frozen ? batch_.classes + 1 : 0);
    const auto narrow = static_cast<std::uint16_t>(code);
    std::memcpy(out, code_bytes_ == sizeof(code) ? static_cast<const void*>(&code) : &narrow, code_bytes_);
    if (batch_.heated) std::memcpy(out + code_bytes_, &proposal.gain, sizeof(float));
  }

  Proposal read(std::size_t i, const std::byte* in) const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::uint32_t code = 0;
    std::uint16_t narrow = 0;
    std::memcpy(code_bytes_ == sizeof(code) ? static_cast<void*>(&code) : &narrow, in, code_bytes_);
    code += narrow;
    const bool frozen = code > batch_.classes;
    if (frozen) code -= batch_.classes + 1;
    Proposal proposal{code == batch_.classes ? home(i) : code, 0, frozen ? kInfinity : -kInfinity};
    if (batch_.heated) std::memcpy(&proposal.gain, in + code_bytes_, sizeof(float));
    return proposal;
  }

 private:
  ClassId home(std::size_t i) const { return batch_.class_of[batch_.units[i]]; }

  const BatchView& batch_;
  std::size_t code_bytes_;
};

}  // namespace

std::uint64_t gather_proposals(const base::Ranks& ranks, std::span<const std::vector<std::size_t>> places,
                               const BatchView& batch, std::uint64_t bits, std::span<Proposal> proposals) {
  const ProposalFormat format(batch);
  std::vector<std::size_t> begins = {0};
  for (const std::vector<std::size_t>& own : places)
    begins.push_back(begins.back() + sizeof(bits) + own.size() * format.bytes());
  std::vector<std::byte> all(begins.back());
  std::byte* out = all.data() + begins[ranks.rank()];
  std::memcpy(out, &bits, sizeof(bits));
  out += sizeof(bits);
  for (const std::size_t i : places[ranks.rank()]) {
    format.write(i, proposals[i], out);
    out += format.bytes();
  }
  ranks.world().gather(all, begins);
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const std::byte* in = all.data() + begins[r];
    std::uint64_t theirs = 0;
    std::memcpy(&theirs, in, sizeof(theirs));
    bits |= theirs;
    in += sizeof(theirs);
    if (r == ranks.rank()) continue;
    for (const std::size_t i : places[r]) {
      proposals[i] = format.read(i, in);
      in += format.bytes();
    }
  }
  return bits;
}

}  // namespace firth::exchange
