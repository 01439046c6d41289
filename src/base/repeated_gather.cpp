#include "base/repeated_gather.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "base/message.hpp"

namespace firth::base {
namespace {

constexpr std::size_t kHead = sizeof(std::uint64_t);
constexpr std::size_t kCallBytes = std::size_t{1} << 18;

/// Adds what did not fit the first call to messages[r], which go up to begins[r + 1] - begins[r] bytes further.
void gather_rest(const Ranks& ranks, std::span<const std::byte> own, std::span<const std::size_t> begins,
                 std::vector<std::vector<std::byte>>& messages) {
  if (begins.back() == 0) return;
  std::vector<std::byte> rest(begins.back());
  std::ranges::copy(own, rest.begin() + static_cast<std::ptrdiff_t>(begins[ranks.rank()]));
  ranks.world().gather(rest, begins);
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const auto end = std::span(rest).subspan(begins[r], begins[r + 1] - begins[r]);
    messages[r].insert(messages[r].end(), end.begin(), end.end());
  }
}

}  // namespace

std::vector<std::vector<std::byte>> RepeatedGather::gather(const Ranks& ranks, std::vector<std::byte> own) {
  if (ranks.alone()) return {std::move(own)};
  const std::size_t stride = kHead + slot_;
  const std::size_t at_once = std::min(own.size(), slot_);
  std::vector<std::byte> first(ranks.size() * stride);
  const std::span<std::byte> mine = std::span(first).subspan(ranks.rank() * stride, stride);
  const std::uint64_t own_size = own.size();
  std::ranges::copy(std::as_bytes(std::span(&own_size, 1)), mine.begin());
  std::ranges::copy(std::span(own).first(at_once), mine.subspan(kHead).begin());
  ranks.gather(std::span(first), stride);
  std::vector<std::vector<std::byte>> messages(ranks.size());
  std::vector<std::size_t> begins = {0};
  std::size_t longest = 0;
  std::size_t all = 0;
  for (unsigned r = 0; r < ranks.size(); ++r) {
    const std::span<const std::byte> part = std::span(first).subspan(r * stride, stride);
    const auto size = MessageReader(part).get<std::uint64_t>();
    const auto begin = part.subspan(kHead, std::min<std::size_t>(size, slot_));
    messages[r].assign(begin.begin(), begin.end());
    begins.push_back(begins.back() + size - begin.size());
    longest = std::max<std::size_t>(longest, size);
    all += size;
  }
  gather_rest(ranks, std::span(own).subspan(at_once), begins, messages);
  // Room for the longest, unless that is much more than all of them need: then a second call is cheaper.
  slot_ = longest + longest / 8;
  if (ranks.size() * slot_ - all > kCallBytes) slot_ = 0;
  return messages;
}

}  // namespace firth::base
