#include "lm/names.hpp"

#include <xxhash.h>

#include <bit>

#include "base/string_table.hpp"

namespace firth::lm {
namespace {

constexpr std::uint32_t kFree = 0xffff'ffff;

}  // namespace

Names::Names(std::span<const std::string> names) {
  auto storage = std::make_shared<base::StringTable>(names);
  offsets_ = storage->offsets();
  bytes_ = storage->bytes();
  owner_ = std::move(storage);
  index();
}

Names::Names(std::span<const std::uint64_t> offsets, std::string_view bytes,
             std::shared_ptr<const void> owner)
    : offsets_(offsets), bytes_(bytes), owner_(std::move(owner)) {
  index();
}

void Names::index() {
  // At most half full: a search looks at about two slots.
  std::vector<std::uint32_t> slots(std::bit_ceil(2 * size() + 1), kFree);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::string_view name = (*this)[i];
    std::size_t place = XXH3_64bits(name.data(), name.size()) & mask;
    while (slots[place] != kFree) {
      repeated_ = repeated_ || (*this)[slots[place]] == name;
      place = (place + 1) & mask;
    }
    slots[place] = static_cast<std::uint32_t>(i);
  }
  slots_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(slots));
}

std::optional<std::uint32_t> Names::find(std::string_view name) const {
  if (size() == 0) return std::nullopt;
  const std::vector<std::uint32_t>& slots = *slots_;
  const std::size_t mask = slots.size() - 1;
  for (std::size_t place = XXH3_64bits(name.data(), name.size()) & mask; slots[place] != kFree;
       place = (place + 1) & mask) {
    if ((*this)[slots[place]] == name) return slots[place];
  }
  return std::nullopt;
}

}  // namespace firth::lm
