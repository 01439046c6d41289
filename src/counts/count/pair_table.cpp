#include "counts/count/pair_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/large_memory.hpp"

namespace firth::counts {
namespace {

constexpr std::size_t kFirstSlots = std::size_t{1} << 6;
constexpr std::size_t kMinSlots = std::size_t{1} << 10;  // however small the limit is
constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::size_t kAhead = 12;  // pairs to fetch ahead: about as many as memory can have under way
constexpr std::size_t kSpillPairs = std::size_t{1} << 14;

bool too_full(std::size_t used, std::size_t slots) {
  return used * 8 > slots * 5;
}

}  // namespace

class PairTable::TableSource final : public PairSource {
 public:
  TableSource(Slots slots, std::size_t begin, std::size_t end, std::span<const WordId> ranks)
      : slots_(std::move(slots)), begin_(begin), end_(end), ranks_(ranks) {}

  void for_each(const Visit& visit) const override {
    PairBatch batch(visit);
    for (std::size_t place = begin_; place < end_; ++place) {
      const Slot& slot = slots_[place];
      if (slot.count == 0) continue;
      batch.add({ranks_[slot.pair >> 32], ranks_[static_cast<std::uint32_t>(slot.pair)], slot.count});
    }
    batch.flush();
  }

  std::uint64_t max_pairs() const override { return end_ - begin_; }

 private:
  Slots slots_;
  std::size_t begin_;
  std::size_t end_;
  std::span<const WordId> ranks_;
};

class PairTable::FileSource final : public PairSource {
 public:
  FileSource(std::shared_ptr<base::TempFile> file, std::uint64_t begin, std::uint64_t end,
             std::span<const WordId> ranks)
      : file_(std::move(file)), begin_(begin), end_(end), ranks_(ranks) {}

  void for_each(const Visit& visit) const override {
    std::vector<PairCount> pairs;
    for (std::uint64_t at = begin_; at < end_; at += pairs.size()) {
      pairs.resize(std::min<std::uint64_t>(kSpillPairs, end_ - at));
      file_->read_at(at * sizeof(PairCount), std::as_writable_bytes(std::span(pairs)));
      for (PairCount& pair : pairs) pair = {ranks_[pair.left], ranks_[pair.right], pair.count};
      visit(pairs);
    }
  }

  std::uint64_t max_pairs() const override { return end_ - begin_; }

 private:
  std::shared_ptr<base::TempFile> file_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::span<const WordId> ranks_;
};

PairTable::Slots::Slots(std::size_t size) : size_(size) {
  const std::size_t bytes = size * sizeof(Slot);
  if (bytes < kLargePage) {  // the first table of every thread and distance: not worth a call of the system
    const auto slots = std::make_shared<Slot[]>(size);
    data_ = {slots, slots.get()};
    return;
  }
  data_ = std::static_pointer_cast<Slot>(base::large_memory(bytes));
}

PairTable::PairTable(std::size_t max_bytes, const std::string& temp_folder)
    // Growing needs the old table beside the new one: 1.5 times the final size.
    : max_slots_(std::bit_floor(std::max(max_bytes / sizeof(Slot) * 2 / 3, kMinSlots))),
      temp_folder_(temp_folder) {
  if (max_bytes == 0) max_slots_ = 0;
  resize(kFirstSlots);
}

void PairTable::add_sequence(std::span<const WordId> ids, std::size_t distance) {
  if (ids.size() <= distance) return;
  const std::size_t pairs = ids.size() - distance;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t ahead = i + kAhead;
    if (ahead < pairs)
      __builtin_prefetch(slots_.begin() + place_of(join(ids[ahead], ids[ahead + distance])), 1);
    const std::uint64_t pair = join(ids[i], ids[i + distance]);
    add(pair, place_of(pair), 1);
  }
}

void PairTable::add(WordId left, WordId right, Count count) {
  const std::uint64_t pair = join(left, right);
  add(pair, place_of(pair), count);
}

void PairTable::add(std::uint64_t pair, std::size_t place, Count count) {
  const std::size_t mask = slots_.size() - 1;
  for (;; place = (place + 1) & mask) {
    Slot& slot = slots_[place];
    if (slot.count == 0) {
      slot = {pair, count};
      if (too_full(++used_, slots_.size())) make_room();
      return;
    }
    if (slot.pair == pair) {
      slot.count += count;
      return;
    }
  }
}

void PairTable::make_room() {
  if (max_slots_ > 0 && slots_.size() * 2 > max_slots_) {
    spill();
  } else {
    resize(slots_.size() * 2);
  }
}

void PairTable::resize(std::size_t slots) {
  const Slots old = std::exchange(slots_, Slots(slots));
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  const std::size_t mask = slots - 1;
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t place = place_of(slot.pair);
    while (slots_[place].count != 0) place = (place + 1) & mask;
    slots_[place] = slot;
  }
}

void PairTable::spill() {
  if (file_ == nullptr) file_ = std::make_shared<base::TempFile>(temp_folder_);
  std::vector<PairCount> buffer;
  buffer.reserve(kSpillPairs);
  const auto flush = [&] {
    file_->write_at(spilled_ * sizeof(PairCount), std::as_bytes(std::span(buffer)));
    spilled_ += buffer.size();
    buffer.clear();
  };
  for (Slot& slot : slots_) {
    if (slot.count == 0) continue;
    buffer.push_back({static_cast<WordId>(slot.pair >> 32), static_cast<WordId>(slot.pair), slot.count});
    slot.count = 0;
    if (buffer.size() == kSpillPairs) flush();
  }
  flush();
  used_ = 0;
}

void PairTable::append_sources(std::span<const WordId> ranks,
                               std::vector<std::unique_ptr<PairSource>>& sources) const {
  constexpr std::size_t kSlotsPerSource = std::size_t{1} << 18;
  for (std::size_t begin = 0; begin < slots_.size(); begin += kSlotsPerSource) {
    sources.push_back(std::make_unique<TableSource>(slots_, begin,
                                                    std::min(slots_.size(), begin + kSlotsPerSource), ranks));
  }
  for (std::uint64_t begin = 0; begin < spilled_; begin += kSlotsPerSource) {
    sources.push_back(
        std::make_unique<FileSource>(file_, begin, std::min(spilled_, begin + kSlotsPerSource), ranks));
  }
}

}  // namespace firth::counts
