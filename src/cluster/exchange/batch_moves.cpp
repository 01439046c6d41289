#include "cluster/exchange/batch_moves.hpp"

#include <algorithm>

namespace firth::exchange {
namespace {

/// Numbers with counts, whose order means nothing: in rising order, the step to the next number and whether its count
/// is 1, as most are, take one byte as a rule.
template <typename T>
void write_counted(std::vector<T> items, std::uint32_t T::*number, base::MessageWriter& writer) {
  std::ranges::sort(items, {}, number);
  writer.put_number(items.size());
  std::uint64_t last = 0;
  for (const T& item : items) {
    writer.put_number(2 * (item.*number - last) + (item.count == 1 ? 0 : 1));
    if (item.count != 1) writer.put_number(item.count);
    last = item.*number;
  }
}

template <typename T>
void read_counted(base::MessageReader& reader, std::uint32_t T::*number, std::vector<T>& items) {
  items.resize(reader.get_number());
  std::uint64_t last = 0;
  for (T& item : items) {
    const std::uint64_t step = reader.get_number();
    last += step / 2;
    item.*number = static_cast<std::uint32_t>(last);
    item.count = static_cast<decltype(item.count)>(step % 2 == 0 ? 1 : reader.get_number());
  }
}

}  // namespace

void BatchMoves::begin(const Problem& problem, std::size_t size) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (entries_[i].proposed) places_[entries_[i].unit] = 0;
    entries_[i].proposed = entries_[i].moved = false;
  }
  problem_ = &problem;
  size_ = size;
  if (entries_.size() < size) entries_.resize(size);
  places_.resize(problem.units(), 0);
}

void BatchMoves::propose(std::size_t i, UnitId unit, const Contexts& contexts) {
  Entry& entry = entries_[i];
  entry.unit = unit;
  entry.proposed = true;
  places_[unit] = static_cast<std::uint32_t>(i + 1);
  contexts.right.save(entry.right.contexts);
  contexts.left.save(entry.left.contexts);
}

void BatchMoves::add_links(std::size_t i, const Neighbours& neighbours, std::vector<Link>& links) const {
  links.clear();
  // Only earlier places matter: the others move later.
  const auto add = [&](UnitId unit, std::uint32_t count) {
    const std::uint32_t place = places_[unit];
    if (place != 0 && place <= i) links.push_back({place - 1, count});
  };
  for (const UnitId unit : neighbours.once) add(unit, 1);
  for (std::size_t j = 0; j < neighbours.often.size(); ++j) add(neighbours.often[j], neighbours.frequency[j]);
}

void BatchMoves::write(std::size_t i, base::MessageWriter& writer) const {
  write_counted(entries_[i].right.contexts, &Context::other, writer);
  write_counted(entries_[i].left.contexts, &Context::other, writer);
}

void BatchMoves::read(std::size_t i, UnitId unit, base::MessageReader& reader) {
  Entry& entry = entries_[i];
  entry.unit = unit;
  entry.proposed = true;
  places_[unit] = static_cast<std::uint32_t>(i + 1);
  read_counted(reader, &Context::other, entry.right.contexts);
  read_counted(reader, &Context::other, entry.left.contexts);
}

void BatchMoves::share_links(const base::Ranks& ranks, RankPlaces places) {
  if (ranks.alone()) return;
  base::MessageWriter writer;
  for (const std::size_t i : places[ranks.rank()]) {
    if (!entries_[i].proposed) continue;
    write_counted(entries_[i].right.links, &Link::place, writer);
    write_counted(entries_[i].left.links, &Link::place, writer);
  }
  const std::vector<std::vector<std::byte>> messages = link_gather_.gather(ranks, writer.take());
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    base::MessageReader reader(messages[r]);
    for (const std::size_t i : places[r]) {
      if (!entries_[i].proposed) continue;
      read_counted(reader, &Link::place, entries_[i].right.links);
      read_counted(reader, &Link::place, entries_[i].left.links);
    }
  }
}

void BatchMoves::link(const base::Crew& crew, RankPlaces places) {
  constexpr std::size_t kGrain = 16;
  const std::span<const std::size_t> own = places[crew.ranks.rank()];
  crew.team.run(own.size(), kGrain, [&](unsigned, std::size_t begin, std::size_t end) {
    for (const std::size_t i : own.subspan(begin, end - begin)) {
      Entry& entry = entries_[i];
      if (!entry.proposed) continue;
      add_links(i, problem_->right().of(entry.unit), entry.right.links);
      add_links(i, problem_->left().of(entry.unit), entry.left.links);
    }
  });
  share_links(crew.ranks, places);
}

void BatchMoves::load_side(const Saved& saved, ContextList& contexts) const {
  contexts.load(saved.contexts);
  for (const Link& link : saved.links) {
    const Entry& neighbour = entries_[link.place];
    if (neighbour.moved) contexts.shift(neighbour.from, neighbour.to, link.count);
  }
}

void BatchMoves::load(std::size_t i, Contexts& contexts) const {
  load_side(entries_[i].right, contexts.right);
  load_side(entries_[i].left, contexts.left);
}

void BatchMoves::moved(std::size_t i, ClassId from, ClassId to) {
  entries_[i].moved = true;
  entries_[i].from = from;
  entries_[i].to = to;
}

}  // namespace firth::exchange
