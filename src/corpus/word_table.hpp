// All words seen so far, numbered, shared by the threads that read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "firth/types.hpp"

namespace firth::corpus {

/// A word of up to 16 bytes as two integers, filled up with zeros. Words have no NUL bytes, so equal keys
/// mean equal words.
struct ShortWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const ShortWord&, const ShortWord&) = default;
};

inline constexpr std::size_t kShortWordBytes = 16;

std::uint64_t hash_word(std::string_view word) noexcept;

/// A word of the table. Ids are given in order of arrival, so they depend on the threads: they must be
/// replaced by ranks before anything is shown.
struct WordEntry {
  std::atomic<Count> count = 0;
  std::uint64_t size = 0;
  WordId id = 0;

  std::string_view text() const noexcept { return {reinterpret_cast<const char*>(this + 1), size}; }
};

/// Words by spelling, in shards with a lock each. Grows with the number of different words.
class WordTable {
 public:
  WordTable();

  /// The entry of a word, new with count 0 if need be. Any thread. Throws ResourceError beyond 2^32 - 2
  /// words.
  WordEntry& find_or_add(std::string_view word, std::uint64_t hash);

  std::size_t size() const noexcept { return size_; }
  /// Memory in use.
  std::size_t bytes() const noexcept { return bytes_; }

  /// All entries by id. Not while others add words.
  std::vector<const WordEntry*> entries() const;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    WordEntry* entry = nullptr;
  };
  struct alignas(64) Shard {
    std::mutex mutex;
    std::vector<Slot> slots;
    std::size_t used = 0;
    std::vector<std::unique_ptr<std::byte[]>> chunks;
    std::size_t chunk_bytes = 0;
    std::size_t chunk_left = 0;
    std::byte* chunk_next = nullptr;
  };

  WordEntry& add(Shard& shard, std::string_view word);
  void grow(Shard& shard);
  std::byte* allocate(Shard& shard, std::size_t bytes);

  static constexpr std::size_t kShardBits = 6;

  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  std::atomic<std::size_t> size_ = 0;
  std::atomic<std::size_t> bytes_ = 0;
};

/// One thread's way into the table: remembers the words it met last, and counts them without touching what
/// is shared. It remembers up to 2^recent_bits words (1..32), 32 bytes each.
class WordCounter {
 public:
  WordCounter(WordTable& table, unsigned recent_bits);
  WordCounter(const WordCounter&) = delete;
  WordCounter& operator=(const WordCounter&) = delete;

  /// Id of a word of at most kShortWordBytes bytes; counts it.
  WordId count(const ShortWord& key, std::size_t size) {
    const std::uint64_t hash = hash_short(key, size);
    Recent& recent = recent_[hash >> recent_shift_];
    if (recent.key == key) [[likely]] {
      ++recent.seen;
      return recent.id;
    }
    return replace(recent, key, size);
  }

  /// Id of any word; counts it `times` times.
  WordId count(std::string_view word, Count times = 1);

  /// Adds what was counted to the table. Call at the end, and before 2^32 words were counted.
  void flush();

 private:
  struct Recent {
    ShortWord key;
    WordEntry* entry = nullptr;
    WordId id = 0;
    std::uint32_t seen = 0;
  };

  static std::uint64_t hash_short(const ShortWord& key, std::size_t size) noexcept {
    const std::uint64_t mixed = (key.low ^ (key.high * 0x9e3779b97f4a7c15u)) + size;
    const std::uint64_t product = mixed * 0xd6e8feb86659fd93u;
    return (product ^ (product >> 32)) * 0xd6e8feb86659fd93u;
  }

  WordId replace(Recent& recent, const ShortWord& key, std::size_t size);

  WordTable& table_;
  unsigned recent_shift_;
  std::vector<Recent> recent_;
};

}  // namespace firth::corpus
