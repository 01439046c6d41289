#include "text/word_table.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "firth/error.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kFirstChunkBytes = 1024;
constexpr std::size_t kLargestChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxWords = std::numeric_limits<WordId>::max() - 1;

}  // namespace

std::uint64_t hash_word(std::string_view word) noexcept {
  return XXH3_64bits(word.data(), word.size());
}

WordTable::WordTable() {
  clear();
}

void WordTable::clear() {
  first_id_ = size_;
  for (Shard& shard : shards_) {
    shard.slots = std::vector<Slot>();
    shard.used = 0;
    shard.chunks.clear();
    shard.chunk_bytes = shard.chunk_left = 0;
  }
  bytes_ = 0;
}

WordTable::Found WordTable::find_or_add(const Slot& wanted, std::string_view word, std::uint64_t hash) {
  Shard& shard = shards_[hash % shards_.size()];
  const std::lock_guard lock(shard.mutex);
  if (shard.slots.empty()) grow(shard);
  const std::size_t mask = shard.slots.size() - 1;
  std::size_t place = (hash >> kShardBits) & mask;
  for (; shard.slots[place].entry != nullptr; place = (place + 1) & mask) {
    const Slot& slot = shard.slots[place];
    if (slot.key == wanted.key && slot.is_long == wanted.is_long &&
        (!slot.is_long || slot.entry->text() == word)) {
      return {slot.entry, slot.id};
    }
  }
  WordEntry& entry = add(shard, word);
  shard.slots[place] = {wanted.key, &entry, entry.id, wanted.is_long};
  if (++shard.used * 4 > shard.slots.size() * 3) grow(shard);
  return {&entry, entry.id};
}

WordTable::Found WordTable::find_or_add(std::string_view word) {
  if (word.size() <= kShortWordBytes) {
    ShortWord key;
    std::memcpy(&key, word.data(), word.size());
    return find_or_add(key, word.size(), hash_word(key));
  }
  const std::uint64_t hash = hash_word(word);
  return find_or_add({{hash, 0}, nullptr, 0, true}, word, hash);
}

WordTable::Found WordTable::find_or_add(const ShortWord& key, std::size_t size, std::uint64_t hash) {
  char bytes[kShortWordBytes];
  std::memcpy(bytes, &key, kShortWordBytes);
  return find_or_add({key, nullptr, 0, false}, {bytes, size}, hash);
}

WordEntry& WordTable::add(Shard& shard, std::string_view word) {
  const std::size_t id = size_++;
  if (id >= kMaxWords) {
    throw ResourceError(
        "there are more than 2^32 - 2 different words",
        "split the text, or make words alike with TextOptions::lowercase or TextOptions::tokenize");
  }
  auto* entry = new (allocate(shard, sizeof(WordEntry) + word.size())) WordEntry;
  entry->size = word.size();
  entry->id = static_cast<WordId>(id);
  std::memcpy(reinterpret_cast<char*>(entry + 1), word.data(), word.size());
  return *entry;
}

void WordTable::grow(Shard& shard) {
  std::vector<Slot> bigger(std::max(kFirstSlots, shard.slots.size() * 2));
  const std::size_t mask = bigger.size() - 1;
  for (const Slot& slot : shard.slots) {
    if (slot.entry == nullptr) continue;
    std::size_t place = (slot.hash() >> kShardBits) & mask;
    while (bigger[place].entry != nullptr) place = (place + 1) & mask;
    bigger[place] = slot;
  }
  bytes_ += (bigger.size() - shard.slots.size()) * sizeof(Slot);
  shard.slots = std::move(bigger);
}

std::byte* WordTable::allocate(Shard& shard, std::size_t bytes) {
  constexpr std::size_t kAlign = alignof(WordEntry);
  const std::size_t rounded = (bytes + kAlign - 1) / kAlign * kAlign;
  if (rounded > shard.chunk_left) {
    shard.chunk_bytes = std::clamp(shard.chunk_bytes * 2, kFirstChunkBytes, kLargestChunkBytes);
    const std::size_t size = std::max(rounded, shard.chunk_bytes);
    shard.chunks.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    shard.chunk_next = shard.chunks.back().get();
    shard.chunk_left = size;
    bytes_ += size;
  }
  std::byte* place = shard.chunk_next;
  shard.chunk_next += rounded;
  shard.chunk_left -= rounded;
  return place;
}

std::vector<const WordEntry*> WordTable::entries() const {
  std::vector<const WordEntry*> all(size_ - first_id_);
  for (const Shard& shard : shards_) {
    for (const Slot& slot : shard.slots) {
      if (slot.entry != nullptr) all[slot.entry->id - first_id_] = slot.entry;
    }
  }
  return all;
}

WordCounter::WordCounter(WordTable& table, unsigned recent_bits)
    : table_(table), recent_shift_(64 - recent_bits), recent_(std::size_t{1} << recent_bits) {}

WordId WordCounter::replace(Recent& recent, const ShortWord& key, std::size_t size, std::uint64_t hash) {
  const WordTable::Found found = table_.find_or_add(key, size, hash);
  if (recent.seen > 0) {
    __builtin_prefetch(recent.entry, 1);
    evicted_[evicted_count_++] = {recent.entry, recent.seen};
    if (evicted_count_ == kMaxEvicted) add_evicted();
  }
  recent = {key, found.entry, found.id, 1};
  return found.id;
}

void WordCounter::add_evicted() noexcept {
  for (std::size_t i = 0; i < evicted_count_; ++i) {
    evicted_[i].entry->count.fetch_add(evicted_[i].seen, std::memory_order_relaxed);
  }
  evicted_count_ = 0;
}

WordId WordCounter::count(std::string_view word, Count times) {
  const WordTable::Found found = table_.find_or_add(word);
  found.entry->count.fetch_add(times, std::memory_order_relaxed);
  return found.id;
}

void WordCounter::forget() {
  flush();
  std::fill(recent_.begin(), recent_.end(), Recent{});
}

void WordCounter::flush() {
  add_evicted();
  for (Recent& recent : recent_) {
    if (recent.seen > 0) recent.entry->count.fetch_add(recent.seen, std::memory_order_relaxed);
    recent.seen = 0;
  }
}

}  // namespace firth::text
