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

#include "base/hash.hpp"
#include "firth/types.hpp"

namespace firth::text {

/// A word of up to 16 bytes as two integers, filled up with zeros. Words have no NUL bytes, so equal keys
/// mean equal words.
struct ShortWord {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const ShortWord&, const ShortWord&) = default;
};

inline constexpr std::size_t kShortWordBytes = 16;

/// Hash of any word.
std::uint64_t hash_word(std::string_view word) noexcept;

/// Hash of a short word: one multiplication.
inline std::uint64_t hash_word(const ShortWord& key) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(key.low ^ base::kGoldenRatio) * (key.high ^ 0xd6e8feb86659fd93u);
  const std::uint64_t folded =
      static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  return folded * 0xbf58476d1ce4e5b9u;
}

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
  /// Its id is given beside the entry so that a reader need not fetch the entry.
  struct Found {
    WordEntry* entry;
    WordId id;
  };

  WordTable();

  /// The entry of a word, new with count 0 if need be. Any thread. Throws ResourceError beyond 2^32 - 2
  /// words.
  Found find_or_add(std::string_view word);
  /// The same for a short word; `hash` is that of its key.
  Found find_or_add(const ShortWord& key, std::size_t size, std::uint64_t hash);

  /// Words that were given an id so far.
  std::size_t size() const noexcept { return size_; }
  /// Memory in use.
  std::size_t bytes() const noexcept { return bytes_; }

  /// All entries by id, from the first after the last clear() on. Not while others add words.
  std::vector<const WordEntry*> entries() const;

  /// Forgets all words; ids go on, so a word that comes again gets another one. No counter may remember any
  /// word (WordCounter::forget).
  void clear();

 private:
  // Short words are compared within the slot, without a look at their entry; longer ones have their hash as
  // key.
  struct Slot {
    ShortWord key;
    WordEntry* entry = nullptr;
    WordId id = 0;
    bool is_long = false;

    std::uint64_t hash() const noexcept { return is_long ? key.low : hash_word(key); }
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

  Found find_or_add(const Slot& wanted, std::string_view word, std::uint64_t hash);
  WordEntry& add(Shard& shard, std::string_view word);
  void grow(Shard& shard);
  std::byte* allocate(Shard& shard, std::size_t bytes);

  static constexpr std::size_t kShardBits = 6;

  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  std::atomic<std::size_t> size_ = 0;
  std::size_t first_id_ = 0;  // of the words that are still known
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
    const std::uint64_t hash = hash_word(key);
    Recent& recent = recent_[hash >> recent_shift_];
    if (recent.key == key) [[likely]] {
      ++recent.seen;
      return recent.id;
    }
    return replace(recent, key, size, hash);
  }

  /// Id of any word; counts it `times` times.
  WordId count(std::string_view word, Count times = 1);

  /// Adds what was counted to the table. Call at the end, and before 2^32 words were counted.
  void flush();
  /// As flush(), and forgets the words it remembers.
  void forget();

 private:
  struct Recent {
    ShortWord key;
    WordEntry* entry = nullptr;
    WordId id = 0;
    std::uint32_t seen = 0;
  };

  WordId replace(Recent& recent, const ShortWord& key, std::size_t size, std::uint64_t hash);

  // What left `recent_` and is not yet added to its entry, which by then may be far away in memory.
  struct Evicted {
    WordEntry* entry;
    std::uint32_t seen;
  };
  void add_evicted() noexcept;

  static constexpr std::size_t kMaxEvicted = 32;

  WordTable& table_;
  unsigned recent_shift_;
  std::array<Evicted, kMaxEvicted> evicted_ = {};
  std::size_t evicted_count_ = 0;
  std::vector<Recent> recent_;
};

}  // namespace firth::text
