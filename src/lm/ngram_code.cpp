#include "lm/ngram_code.hpp"

namespace firth::lm {
namespace {

constexpr unsigned kBits = 7;
constexpr std::uint64_t kMore = 0x80;

}  // namespace

void NgramEncoder::put(std::uint64_t number) {
  for (; number >= kMore; number >>= kBits) bytes_.push_back(static_cast<std::byte>(number | kMore));
  bytes_.push_back(static_cast<std::byte>(number));
}

void NgramEncoder::add(std::span<const Symbol> ngram, Count count) {
  std::size_t place = 0;
  while (last_[place] == static_cast<std::int64_t>(ngram[place])) ++place;
  const auto rise = static_cast<std::uint64_t>(static_cast<std::int64_t>(ngram[place]) - last_[place]);
  put((rise - 1) * order_ + place);
  for (std::size_t i = place + 1; i < order_; ++i) put(ngram[i]);
  put(count);
  for (std::size_t i = place; i < order_; ++i) last_[i] = ngram[i];
}

std::optional<std::uint64_t> NgramDecoder::take() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; at_ < bytes_.size() && shift < 64; shift += kBits) {
    const auto byte = static_cast<std::uint64_t>(bytes_[at_++]);
    const std::uint64_t part = byte & (kMore - 1);
    if ((part << shift) >> shift != part) return std::nullopt;
    number |= part << shift;
    if (byte < kMore) return number;
  }
  return std::nullopt;
}

bool NgramDecoder::decode() {
  const std::optional<std::uint64_t> head = take();
  if (!head) return false;
  const std::size_t place = *head % order_;
  const std::uint64_t rise = *head / order_ + 1;
  if (first_ && place != 0) return false;
  const std::uint64_t before = first_ ? 0 : std::uint64_t{ngram_[place]} + 1;  // one more, as -1 comes first
  if (rise > symbols_ - before) return false;
  ngram_[place] = static_cast<Symbol>(before + rise - 1);
  for (std::size_t i = place + 1; i < order_; ++i) {
    const std::optional<std::uint64_t> symbol = take();
    if (!symbol || *symbol >= symbols_) return false;
    ngram_[i] = static_cast<Symbol>(*symbol);
  }
  const std::optional<std::uint64_t> count = take();
  count_ = count.value_or(0);
  first_ = false;
  return count_ > 0;
}

bool NgramDecoder::next() {
  if (at_ == bytes_.size() || wrong_) return false;
  wrong_ = !decode();
  return !wrong_;
}

}  // namespace firth::lm
