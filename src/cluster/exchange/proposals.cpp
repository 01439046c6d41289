#include "cluster/exchange/proposals.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/message.hpp"

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

/// The part of a piece's scores that has a fixed size.
struct PieceHead {
  ClassScore best;
  float home;
};

/// The bytes of a rank that have a fixed size.
std::size_t fixed_bytes(const Shares& shares, std::size_t rank, const ProposalFormat& format) {
  return sizeof(std::uint64_t) + shares.places[rank].size() * format.bytes() +
         shares.pieces[rank].size() * sizeof(PieceHead);
}

template <typename T>
void put(std::byte*& out, const T& value) {
  std::memcpy(out, &value, sizeof(value));
  out += sizeof(value);
}
template <typename T>
T take(const std::byte*& in) {
  T value;
  std::memcpy(&value, in, sizeof(value));
  in += sizeof(value);
  return value;
}

std::vector<std::byte> write_near(std::span<const PieceScores> pieces) {
  base::MessageWriter writer;
  for (const PieceScores& piece : pieces) {
    writer.put_number(piece.near.size());
    for (const auto& [c, score] : piece.near) {
      writer.put_number(c);
      writer.put(score);
    }
  }
  return writer.take();
}

void read_near(std::span<const std::byte> bytes, std::span<PieceScores> pieces) {
  base::MessageReader reader(bytes);
  for (PieceScores& piece : pieces) {
    piece.near.resize(reader.get_number());
    for (auto& [c, score] : piece.near) {
      c = static_cast<ClassId>(reader.get_number());
      score = reader.get<float>();
    }
  }
}

}  // namespace

std::uint64_t ProposalGather::gather(const base::Ranks& ranks, const Shares& shares, const BatchView& batch,
                                     std::uint64_t bits, const Findings& findings) {
  const auto& [proposals, pieces] = findings;
  const ProposalFormat format(batch);
  const bool has_near =
      batch.heated && std::ranges::any_of(shares.pieces, [](const auto& some) { return !some.empty(); });
  const std::size_t own_rank = ranks.rank();
  const std::vector<std::byte> near = has_near ? write_near(pieces[own_rank]) : std::vector<std::byte>();
  std::vector<std::size_t> begins = {0};
  for (unsigned r = 0; r < ranks.size(); ++r) {
    begins.push_back(begins.back() + fixed_bytes(shares, r, format) +
                     (has_near ? sizeof(std::uint64_t) + room_ : 0));
  }
  std::vector<std::byte> all(begins.back());
  std::byte* out = all.data() + begins[own_rank];
  put(out, bits);
  for (const std::size_t i : shares.places[own_rank]) {
    format.write(i, proposals[i], out);
    out += format.bytes();
  }
  for (const PieceScores& piece : pieces[own_rank]) put(out, PieceHead{piece.best, piece.home});
  if (has_near) {
    put(out, std::uint64_t{near.size()});
    std::copy_n(near.begin(), std::min(near.size(), room_), out);
  }
  ranks.world().gather(all, begins);
  pieces.resize(ranks.size());
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const std::byte* in = all.data() + begins[r];
    bits |= take<std::uint64_t>(in);
    if (r == own_rank) continue;
    for (const std::size_t i : shares.places[r]) {
      proposals[i] = format.read(i, in);
      in += format.bytes();
    }
    pieces[r].resize(shares.pieces[r].size());
    for (PieceScores& piece : pieces[r]) {
      const auto head = take<PieceHead>(in);
      piece = {head.best, head.home, {}};
    }
  }
  if (has_near) gather_near(ranks, all, begins, near, pieces);
  return bits;
}

void ProposalGather::gather_near(const base::Ranks& ranks, std::span<const std::byte> all,
                                 std::span<const std::size_t> begins, std::vector<std::byte> own,
                                 std::vector<std::vector<PieceScores>>& pieces) {
  std::vector<std::vector<std::byte>> near(ranks.size());
  std::vector<std::size_t> rest = {0};
  std::size_t longest = 0;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const std::byte* in = all.data() + begins[r + 1] - room_ - sizeof(std::uint64_t);
    const std::size_t size = take<std::uint64_t>(in);
    const std::size_t here = std::min(size, room_);
    near[r].assign(in, in + here);
    rest.push_back(rest.back() + size - here);
    longest = std::max(longest, size);
  }
  if (rest.back() > 0) {
    std::vector<std::byte> more(rest.back());
    const unsigned rank = ranks.rank();
    std::copy(own.begin() + static_cast<std::ptrdiff_t>(near[rank].size()), own.end(),
              more.begin() + static_cast<std::ptrdiff_t>(rest[rank]));
    ranks.world().gather(more, rest);
    for (unsigned r = 0; r < ranks.size(); ++r) {
      const auto part = std::span(more).subspan(rest[r], rest[r + 1] - rest[r]);
      near[r].insert(near[r].end(), part.begin(), part.end());
    }
  }
  for (unsigned r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank()) read_near(near[r], pieces[r]);
  room_ = std::max({kMinRoom, 2 * longest, room_ - room_ / 8});
}

}  // namespace firth::exchange
