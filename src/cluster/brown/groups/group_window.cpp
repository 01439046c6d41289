#include "cluster/brown/groups/group_window.hpp"

#include <algorithm>
#include <stdexcept>

namespace firth::brown {
namespace {

std::size_t padded(std::size_t lanes) {
  return (std::max<std::size_t>(lanes, 1) + kLaneBlock - 1) / kLaneBlock * kLaneBlock;
}

void set_bit(std::uint64_t* bits, Slot lane, bool value) {
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
  bits[lane / 64] = value ? bits[lane / 64] | bit : bits[lane / 64] & ~bit;
}

}  // namespace

template <class Cell>
GroupWindow<Cell>::GroupWindow(const EngineInput& input, std::size_t citizens, std::size_t clusters)
    : input_(input),
      gatherer_(input),
      stride_(padded(clusters)),
      after_(citizens * stride_),
      before_(citizens * stride_),
      after_bits_(citizens * stride_ / 64),
      before_bits_(citizens * stride_ / 64),
      clusters_(stride_),
      slot_of_(input.rank.size(), kNoSlot) {}

template <class Cell>
std::uint64_t GroupWindow<Cell>::bytes(std::size_t citizens, std::size_t clusters, std::size_t words) {
  constexpr std::uint64_t kMeetings = 8 * sizeof(Neighbour);  // of an immigrant on average, and its words
  const std::uint64_t stride = padded(clusters);
  return citizens * stride * (2 * sizeof(Cell) + 1) + stride * (sizeof(Cluster) + kMeetings) + words * 12;
}

template <class Cell>
void GroupWindow<Cell>::set_marginal(Marginal& marginal, Count count, Count degree) const {
  marginal.count = count;
  marginal.degree = degree;
  marginal.ln = Measure::ln(count);
  marginal.weighed = measure().weigh(static_cast<double>(degree), marginal.ln);
}

/// N(citizen, lane) = after, N(lane, citizen) = before.
template <class Cell>
void GroupWindow<Cell>::set_cells(Row row, Slot lane, Count after, Count before) {
  after_[row * stride_ + lane] = static_cast<Cell>(after);
  before_[row * stride_ + lane] = static_cast<Cell>(before);
  set_bit(after_bits_.data() + row * (stride_ / 64), lane, after > 0);
  set_bit(before_bits_.data() + row * (stride_ / 64), lane, before > 0);
}

template <class Cell>
Slot GroupWindow<Cell>::insert(WordId word) {
  gatherer_.gather(*this, word, met_);
  if (free_lanes_.empty()) {
    free_lanes_.push_back(static_cast<Slot>(used_++));
    lanes_ = padded(used_);
  }
  const Slot lane = free_lanes_.back();
  free_lanes_.pop_back();
  Cluster& cluster = clusters_[lane];
  cluster.node = cluster.head = word;
  cluster.rank = input_.rank[word];
  cluster.row = kNoRow;
  cluster.self = met_.self;
  cluster.words.assign(1, word);
  cluster.meetings = met_.meetings;
  set_marginal(cluster.sides.left, measure().left_marginal(word), met_.left_degree);
  set_marginal(cluster.sides.right, measure().right_marginal(word), met_.right_degree);
  objective_ += measure().h(met_.self) - cluster.sides.left.weighed - cluster.sides.right.weighed;
  for (const auto& [other, after, before] : met_.meetings) {
    Cluster& neighbour = clusters_[other];
    objective_ += measure().h(after) + measure().h(before) + neighbour.sides.left.weighed +
                  neighbour.sides.right.weighed;
    set_marginal(neighbour.sides.left, neighbour.sides.left.count, neighbour.sides.left.degree + before);
    set_marginal(neighbour.sides.right, neighbour.sides.right.count, neighbour.sides.right.degree + after);
    objective_ -= neighbour.sides.left.weighed + neighbour.sides.right.weighed;
    if (neighbour.row != kNoRow)
      set_cells(neighbour.row, lane, before, after);
    else
      neighbour.meetings.push_back({lane, before, after});
  }
  inside_ += met_.left_degree + met_.right_degree - met_.self;
  slot_of_[word] = lane;
  last_word_ = std::max(last_word_, word);
  ++live_;
  return lane;
}

template <class Cell>
void GroupWindow<Cell>::make_citizen(Slot immigrant) {
  if (free_rows_.empty()) {
    free_rows_.push_back(static_cast<Row>(lane_of_.size()));
    lane_of_.push_back(kNoSlot);
  }
  Cluster& cluster = clusters_[immigrant];
  cluster.row = free_rows_.back();
  free_rows_.pop_back();
  lane_of_[cluster.row] = immigrant;
  for (const auto& [other, after, before] : cluster.meetings) set_cells(cluster.row, other, after, before);
  set_cells(cluster.row, immigrant, cluster.self, cluster.self);
  cluster.meetings = std::vector<Neighbour>();
}

template <class Cell>
Score GroupWindow<Cell>::marginal_loss(const Sides& a, const Sides& b) const {
  const auto side = [&](const Marginal& v, const Marginal& w) {
    return measure().weigh(static_cast<double>(v.degree + w.degree), Measure::ln(v.count + w.count)) -
           v.weighed - w.weighed;
  };
  return side(a.left, b.left) + side(a.right, b.right);
}

template <class Cell>
Score GroupWindow<Cell>::immigrant_loss(Slot immigrant, Row row) const {
  const Measure& m = measure();
  const Cluster& word = clusters_[immigrant];
  const Slot citizen = lane_of_[row];
  const Cell* const after_row = after(row);
  const Cell* const before_row = before(row);
  Score sum = marginal_loss(word.sides, clusters_[citizen].sides);
  for (const auto& [lane, after_count, before_count] : word.meetings)
    if (lane != citizen) sum += m.phi(after_count, after_row[lane]) + m.phi(before_count, before_row[lane]);
  const Count to = before_row[immigrant];  // the immigrant, then the citizen
  const Count from = after_row[immigrant];
  const Count own = after_row[citizen];
  return sum + m.phi(word.self, to, from, own);
}

template <class Cell>
Score GroupWindow<Cell>::citizen_loss(Row v, Row w) const {
  const Measure& m = measure();
  const Slot v_lane = lane_of_[v];
  const Slot w_lane = lane_of_[w];
  const std::size_t words = lanes_ / 64;
  const Count vv = after(v)[v_lane];
  const Count vw = after(v)[w_lane];
  const Count wv = after(w)[v_lane];
  const Count ww = after(w)[w_lane];
  return shared_phi(BitRow<Cell>{after(v), after_bits(v)}, BitRow<Cell>{after(w), after_bits(w)}, words, m,
                    false) +
         shared_phi(BitRow<Cell>{before(v), before_bits(v)}, BitRow<Cell>{before(w), before_bits(w)}, words,
                    m, false) -
         m.phi(vv, wv) - m.phi(vw, ww) - m.phi(vv, vw) - m.phi(wv, ww) + m.phi(vv, vw, wv, ww) +
         marginal_loss(clusters_[v_lane].sides, clusters_[w_lane].sides);
}

template <class Cell>
Score GroupWindow<Cell>::any_loss(Slot v, Slot w) const {
  if (row_of(v) == kNoRow) return immigrant_loss(v, row_of(w));
  return row_of(w) == kNoRow ? immigrant_loss(w, row_of(v)) : citizen_loss(row_of(v), row_of(w));
}

// The neighbours of a citizen, as an immigrant has them; the row becomes free.
template <class Cell>
std::vector<Neighbour> GroupWindow<Cell>::take_row(Row row) {
  std::vector<Neighbour> meetings;
  for (Slot lane = 0; lane < lanes_; ++lane) {
    const Count after_count = after(row)[lane];
    const Count before_count = before(row)[lane];
    if (after_count + before_count == 0) continue;
    if (lane != lane_of_[row]) meetings.push_back({lane, after_count, before_count});
    set_cells(row, lane, 0, 0);
  }
  lane_of_[row] = kNoSlot;
  free_rows_.push_back(row);
  return meetings;
}

/// What a cluster had to do with lane `from` it has to do with `to` from now on; `meeting` as `from` saw it.
template <class Cell>
void GroupWindow<Cell>::move_meeting(const Neighbour& meeting, Slot from, Slot to) {
  Cluster& other = clusters_[meeting.slot];
  if (other.row != kNoRow) {
    set_cells(other.row, to, after(other.row)[to] + meeting.before, before(other.row)[to] + meeting.after);
    set_cells(other.row, from, 0, 0);
    return;
  }
  const auto find = [&](Slot lane) {
    return std::find_if(other.meetings.begin(), other.meetings.end(),
                        [&](const Neighbour& known) { return known.slot == lane; });
  };
  const auto old = find(from);
  const auto known = find(to);
  old->slot = to;
  if (known == other.meetings.end()) return;
  known->after += old->after;
  known->before += old->before;
  other.meetings.erase(old);
}

template <class Cell>
void GroupWindow<Cell>::merge(Row kept, Slot gone, Score loss) {
  const Slot to = lane_of_[kept];
  Cluster& cluster = clusters_[to];
  Cluster& old = clusters_[gone];
  Count own = cluster.self + old.self;
  const std::vector<Neighbour> meetings = old.row == kNoRow ? std::move(old.meetings) : take_row(old.row);
  for (const Neighbour& meeting : meetings) {
    if (meeting.slot == to) {
      own += meeting.after + meeting.before;
      continue;
    }
    set_cells(kept, meeting.slot, after(kept)[meeting.slot] + meeting.after,
              before(kept)[meeting.slot] + meeting.before);
    move_meeting(meeting, gone, to);
  }
  set_cells(kept, gone, 0, 0);
  set_cells(kept, to, own, own);
  cluster.self = own;
  objective_ -= loss;
  set_marginal(cluster.sides.left, cluster.sides.left.count + old.sides.left.count,
               cluster.sides.left.degree + old.sides.left.degree);
  set_marginal(cluster.sides.right, cluster.sides.right.count + old.sides.right.count,
               cluster.sides.right.degree + old.sides.right.degree);
  cluster.rank = std::min(cluster.rank, old.rank);
  cluster.head = std::min(cluster.head, old.head);
  for (const WordId word : old.words) slot_of_[word] = to;
  cluster.words.insert(cluster.words.end(), old.words.begin(), old.words.end());
  old = Cluster();
  free_lanes_.push_back(gone);
  --live_;
}

template <class Cell>
void GroupWindow<Cell>::check() const {
  const auto expect = [](bool same) {
    if (!same)
      throw std::logic_error("Brown clustering: a sum kept up to date differs from its recomputation");
  };
  Score objective = 0;
  Count inside = 0;
  for (Slot lane = 0; lane < used_; ++lane) {
    if (!is_live(lane)) continue;
    const Cluster& cluster = clusters_[lane];
    Count left = 0;
    Count right = 0;
    const auto add = [&](Count after_count, Count before_count) {
      objective += measure().h(after_count);
      left += after_count;
      right += before_count;
    };
    if (cluster.row == kNoRow) {
      add(cluster.self, cluster.self);
      for (const Neighbour& meeting : cluster.meetings) add(meeting.after, meeting.before);
    } else {
      for (Slot other = 0; other < used_; ++other) add(after(cluster.row)[other], before(cluster.row)[other]);
    }
    expect(left == cluster.sides.left.degree && right == cluster.sides.right.degree);
    objective -= measure().weigh(static_cast<double>(left), Measure::ln(cluster.sides.left.count)) +
                 measure().weigh(static_cast<double>(right), Measure::ln(cluster.sides.right.count));
    inside += left;
  }
  expect(objective == objective_ && inside == inside_);
}

template class GroupWindow<std::uint32_t>;
template class GroupWindow<std::uint64_t>;

}  // namespace firth::brown
