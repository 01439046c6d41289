#include "cluster/exchange/batch_moves.hpp"

#include <algorithm>

namespace firth::exchange {
namespace {

constexpr std::size_t kBits = 64;

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

void BatchMoves::begin(const State& state, std::span<const UnitId> batch, bool saves) {
  for (std::size_t i = 0; saves_ && i < batch_.size(); ++i)
    if (entries_[i].proposed) places_[batch_[i]] = 0;
  state_ = &state;
  batch_.assign(batch.begin(), batch.end());
  saves_ = saves;
  group_.clear();
  marks_.assign(saves ? 0 : state.problem().units() / kBits + 1, 0);
  entries_.assign(batch.size(), {});
  if (!saves) return;
  places_.resize(state.problem().units(), 0);
  if (saved_.size() < batch.size()) saved_.resize(batch.size());
}

void BatchMoves::set_proposed(std::size_t i) {
  entries_[i].proposed = true;
  places_[batch_[i]] = static_cast<std::uint32_t>(i + 1);
}

void BatchMoves::propose(std::size_t i, const Contexts& contexts) {
  set_proposed(i);
  SavedSides& saved = saved_[i];
  saved.right.contexts.clear();
  saved.left.contexts.clear();
  contexts.right.append_to(saved.right.contexts);
  contexts.left.append_to(saved.left.contexts);
}

void BatchMoves::add_links(std::size_t i, const Neighbours& neighbours, std::vector<PlaceLink>& links) const {
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
  write_counted(saved_[i].right.contexts, &Context::other, writer);
  write_counted(saved_[i].left.contexts, &Context::other, writer);
}

void BatchMoves::read(std::size_t i, base::MessageReader& reader) {
  set_proposed(i);
  read_counted(reader, &Context::other, saved_[i].right.contexts);
  read_counted(reader, &Context::other, saved_[i].left.contexts);
}

void BatchMoves::share_links(const base::Ranks& ranks, RankPlaces places) {
  if (ranks.alone()) return;
  base::MessageWriter writer;
  for (const std::size_t i : places[ranks.rank()]) {
    if (!entries_[i].proposed) continue;
    write_counted(saved_[i].right.links, &PlaceLink::place, writer);
    write_counted(saved_[i].left.links, &PlaceLink::place, writer);
  }
  const std::vector<std::vector<std::byte>> messages = link_gather_.gather(ranks, writer.take());
  for (unsigned r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    base::MessageReader reader(messages[r]);
    for (const std::size_t i : places[r]) {
      if (!entries_[i].proposed) continue;
      read_counted(reader, &PlaceLink::place, saved_[i].right.links);
      read_counted(reader, &PlaceLink::place, saved_[i].left.links);
    }
  }
}

void BatchMoves::link(const base::Crew& crew, RankPlaces places) {
  constexpr std::size_t kGrain = 16;
  const std::span<const std::size_t> own = places[crew.ranks.rank()];
  const Problem& problem = state_->problem();
  crew.team.run(own.size(), kGrain, [&](unsigned, std::size_t begin, std::size_t end) {
    for (const std::size_t i : own.subspan(begin, end - begin)) {
      if (!entries_[i].proposed) continue;
      add_links(i, problem.right().of(batch_[i]), saved_[i].right.links);
      add_links(i, problem.left().of(batch_[i]), saved_[i].left.links);
    }
  });
  share_links(crew.ranks, places);
}

void BatchMoves::load_side(const Saved& saved, ContextList& contexts) const {
  contexts.load(saved.contexts);
  for (const PlaceLink& link : saved.links) {
    const Entry& neighbour = entries_[link.place];
    if (neighbour.moved) contexts.shift(neighbour.from, neighbour.to, link.count);
  }
}

void BatchMoves::load(std::size_t i, Contexts& contexts) const {
  if (saves_) {
    load_side(saved_[i].right, contexts.right);
    load_side(saved_[i].left, contexts.left);
  } else {
    contexts.right.load(state_->problem().right().of(batch_[i]), state_->class_of());
    contexts.left.load(state_->problem().left().of(batch_[i]), state_->class_of());
  }
}

void BatchMoves::begin_group(std::span<const std::size_t> places) {
  group_begin_ = places.empty() ? 0 : places.front();
  if (saves_) return;
  for (const auto& [unit, place] : group_) marks_[unit / kBits] = 0;
  group_.clear();
  for (const std::size_t place : places) {
    const UnitId unit = batch_[place];
    marks_[unit / kBits] |= std::uint64_t{1} << unit % kBits;
    group_.push_back({unit, static_cast<std::uint32_t>(place)});
  }
  std::ranges::sort(group_, {}, &PlaceOfUnit::unit);
}

void BatchMoves::find_in_lists(std::size_t i, const Neighbours& neighbours,
                               std::vector<PlaceLink>& links) const {
  const auto add = [&](UnitId unit, std::uint32_t count) {
    if ((marks_[unit / kBits] >> unit % kBits & 1) == 0) return;
    const std::uint32_t place = std::ranges::lower_bound(group_, unit, {}, &PlaceOfUnit::unit)->place;
    if (place < i) links.push_back({place, count});
  };
  for (const UnitId unit : neighbours.once) add(unit, 1);
  for (std::size_t j = 0; j < neighbours.often.size(); ++j) add(neighbours.often[j], neighbours.frequency[j]);
}

void BatchMoves::find_in_saved(const Saved& saved, std::vector<PlaceLink>& links) const {
  for (const PlaceLink& link : saved.links)
    if (link.place >= group_begin_) links.push_back(link);
}

std::size_t BatchMoves::find_links(std::size_t i, std::vector<PlaceLink>& links) const {
  const auto find = [&](const Side& side, const Saved SavedSides::*saved) {
    if (saves_) {
      find_in_saved(saved_[i].*saved, links);
    } else {
      find_in_lists(i, side.of(batch_[i]), links);
    }
  };
  find(state_->problem().right(), &SavedSides::right);
  const std::size_t left = links.size();
  find(state_->problem().left(), &SavedSides::left);
  return left;
}

void BatchMoves::moved(std::size_t i, ClassId from, ClassId to) {
  entries_[i].moved = true;
  entries_[i].from = from;
  entries_[i].to = to;
}

void BatchMoves::follow(const PlaceLink& link, std::vector<Context>& contexts) const {
  const Entry& neighbour = entries_[link.place];
  if (!neighbour.moved) return;
  const auto from = std::ranges::find(contexts, neighbour.from, &Context::other);
  from->count -= link.count;
  if (from->count == 0) contexts.erase(from);
  const auto to = std::ranges::find(contexts, neighbour.to, &Context::other);
  if (to == contexts.end()) {
    contexts.push_back({neighbour.to, link.count});
  } else {
    to->count += link.count;
  }
}

}  // namespace firth::exchange
