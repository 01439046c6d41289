#include "base/ranks.hpp"

#include <numeric>

#include "firth/error.hpp"

namespace firth::base {

std::vector<std::vector<std::byte>> Ranks::gather_messages(std::vector<std::byte> own) const {
  if (alone()) return {std::move(own)};
  std::vector<std::uint64_t> sizes(size());
  sizes[rank()] = own.size();
  gather(std::span(sizes));
  std::vector<std::size_t> begins(size() + std::size_t{1}, 0);
  std::inclusive_scan(sizes.begin(), sizes.end(), begins.begin() + 1);
  std::vector<std::byte> all(begins.back());
  std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(begins[rank()]));
  world_->gather(all, begins);
  std::vector<std::vector<std::byte>> messages;
  for (unsigned r = 0; r < size(); ++r) {
    messages.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begins[r]),
                          all.begin() + static_cast<std::ptrdiff_t>(begins[r + 1]));
  }
  return messages;
}

void Ranks::broadcast(std::vector<std::byte>& bytes) const {
  if (alone()) return;
  std::uint64_t size = bytes.size();
  world_->broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  bytes.resize(size);
  world_->broadcast(bytes, 0);
}

std::uint64_t Ranks::any(std::uint64_t bits) const {
  std::vector<std::uint64_t> all(size());
  all[rank()] = bits;
  gather(std::span(all));
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0}, std::bit_or<>());
}

void Ranks::require_same(std::uint64_t value, std::string_view problem, std::string_view hint) const {
  if (alone()) return;
  std::vector<std::uint64_t> all(size());
  all[rank()] = value;
  gather(std::span(all));
  if (std::ranges::any_of(all, [&](std::uint64_t other) { return other != all.front(); })) {
    throw WorldError(problem, hint);
  }
}

}  // namespace firth::base
