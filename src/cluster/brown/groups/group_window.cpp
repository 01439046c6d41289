#include "cluster/brown/groups/group_window.hpp"

#include <algorithm>
#include <utility>

#include "cluster/brown/window/square_counts.hpp"

namespace firth::brown {

Score marginal_loss(const MarginalPair& a, const MarginalPair& b, const ObjectiveTerms& terms) {
  const auto side = [&](const Marginal& v, const Marginal& w) {
    return terms.weigh(static_cast<double>(v.degree + w.degree), ObjectiveTerms::ln(v.count + w.count)) -
           v.weighed - w.weighed;
  };
  return side(a.left, b.left) + side(a.right, b.right);
}

template <class Cell>
GroupWindow<Cell>::GroupWindow(const EngineInput& input, std::size_t citizens, std::size_t clusters)
    : input_(input),
      counter_(input),
      after_(citizens, padded(clusters)),
      before_(citizens, padded(clusters)),
      slots_(padded(clusters)),
      words_(input.rank.size(), padded(clusters)),
      clusters_(padded(clusters)) {}

template <class Cell>
std::uint64_t GroupWindow<Cell>::bytes(std::size_t citizens, std::size_t clusters, std::size_t words) {
  constexpr std::uint64_t kNeighbourBytes = 8 * sizeof(Neighbour);  // of an immigrant on average
  const std::uint64_t stride = padded(clusters);
  return 2 * CountRows<Cell>::bytes(citizens, stride) + stride * (sizeof(Cluster) + kNeighbourBytes + 24) +
         words * 8;
}

template <class Cell>
Marginal GroupWindow<Cell>::make_marginal(Count count, Count degree) const {
  return {count, degree, terms().weigh(static_cast<double>(degree), ObjectiveTerms::ln(count))};
}

template <class Cell>
void GroupWindow<Cell>::add_degrees(Cluster& cluster, Count left, Count right) {
  auto& marginals = cluster.marginals;
  marginals.left = make_marginal(marginals.left.count, marginals.left.degree + left);
  marginals.right = make_marginal(marginals.right.count, marginals.right.degree + right);
}

/// N(citizen, lane) = after, N(lane, citizen) = before.
template <class Cell>
void GroupWindow<Cell>::set_cells(Row row, Slot lane, Count after, Count before) {
  after_.set(row, lane, static_cast<Cell>(after));
  before_.set(row, lane, static_cast<Cell>(before));
}

template <class Cell>
Slot GroupWindow<Cell>::insert(WordId word) {
  counter_.count(*this, word, new_word_);
  const Slot lane = slots_.take(word, input_.rank[word]);
  words_.add(word, lane);
  Cluster& cluster = clusters_[lane];
  cluster.row = kNoRow;
  cluster.self = new_word_.self;
  cluster.words = 1;
  cluster.neighbours = new_word_.neighbours;
  cluster.marginals.left = make_marginal(terms().left_marginal(word), new_word_.left_degree);
  cluster.marginals.right = make_marginal(terms().right_marginal(word), new_word_.right_degree);
  objective_ += terms().h(new_word_.self) - cluster.marginals.left.weighed - cluster.marginals.right.weighed;
  for (const auto& [other, after, before] : new_word_.neighbours) {
    Cluster& neighbour = clusters_[other];
    const auto weighed = [&] { return neighbour.marginals.left.weighed + neighbour.marginals.right.weighed; };
    objective_ += terms().h(after) + terms().h(before) + weighed();
    add_degrees(neighbour, before, after);
    objective_ -= weighed();
    if (neighbour.row == kNoRow)
      neighbour.neighbours.push_back({lane, before, after});
    else
      set_cells(neighbour.row, lane, before, after);
  }
  inside_ += new_word_.new_pairs();
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
  for (const auto& [other, after, before] : cluster.neighbours) set_cells(cluster.row, other, after, before);
  set_cells(cluster.row, immigrant, cluster.self, cluster.self);
  cluster.neighbours = std::vector<Neighbour>();
}

template <class Cell>
Score GroupWindow<Cell>::immigrant_loss(Slot immigrant, Row row) const {
  const ObjectiveTerms& m = terms();
  const Cluster& word = clusters_[immigrant];
  const Slot citizen = lane_of_[row];
  const Cell* const after_row = after(row);
  const Cell* const before_row = before(row);
  Score sum = marginal_loss(word.marginals, clusters_[citizen].marginals, m);
  for (const auto& [lane, after_count, before_count] : word.neighbours)
    if (lane != citizen) sum += m.phi(after_count, after_row[lane]) + m.phi(before_count, before_row[lane]);
  const Count to = before_row[immigrant];  // the immigrant, then the citizen
  const Count from = after_row[immigrant];
  const Count own = after_row[citizen];
  return sum + m.phi(word.self, to, from, own);
}

template <class Cell>
Score GroupWindow<Cell>::citizen_loss(Row v, Row w) const {
  const ObjectiveTerms& m = terms();
  const Slot v_lane = lane_of_[v];
  const Slot w_lane = lane_of_[w];
  const std::size_t words = lanes() / 64;
  const Count vv = after(v)[v_lane];
  const Count vw = after(v)[w_lane];
  const Count wv = after(w)[v_lane];
  const Count ww = after(w)[w_lane];
  return shared_phi(after_.row(v), after_.row(w), words, m, false) +
         shared_phi(before_.row(v), before_.row(w), words, m, false) - m.phi(vv, wv) - m.phi(vw, ww) -
         m.phi(vv, vw) - m.phi(wv, ww) + m.phi(vv, vw, wv, ww) +
         marginal_loss(clusters_[v_lane].marginals, clusters_[w_lane].marginals, m);
}

template <class Cell>
Score GroupWindow<Cell>::loss(Slot v, Slot w) const {
  if (row_of(v) == kNoRow) return immigrant_loss(v, row_of(w));
  return row_of(w) == kNoRow ? immigrant_loss(w, row_of(v)) : citizen_loss(row_of(v), row_of(w));
}

// The neighbours of a citizen, as an immigrant has them; the row becomes free.
template <class Cell>
std::vector<Neighbour> GroupWindow<Cell>::take_row(Row row) {
  std::vector<Neighbour> neighbours;
  for (Slot lane = 0; lane < lanes(); ++lane) {
    const Count after_count = after(row)[lane];
    const Count before_count = before(row)[lane];
    if (after_count + before_count == 0) continue;
    if (lane != lane_of_[row]) neighbours.push_back({lane, after_count, before_count});
    set_cells(row, lane, 0, 0);
  }
  lane_of_[row] = kNoSlot;
  free_rows_.push_back(row);
  return neighbours;
}

/// The counts of a cluster with lane `from` become counts with `to`; `neighbour` is the cluster as `from` has
/// it.
template <class Cell>
void GroupWindow<Cell>::move_neighbour(const Neighbour& neighbour, Slot from, Slot to) {
  Cluster& other = clusters_[neighbour.slot];
  if (other.row != kNoRow) {
    set_cells(other.row, to, after(other.row)[to] + neighbour.before,
              before(other.row)[to] + neighbour.after);
    set_cells(other.row, from, 0, 0);
    return;
  }
  const auto find = [&](Slot lane) {
    return std::find_if(other.neighbours.begin(), other.neighbours.end(),
                        [&](const Neighbour& known) { return known.slot == lane; });
  };
  const auto old = find(from);
  const auto known = find(to);
  old->slot = to;
  if (known == other.neighbours.end()) return;
  known->after += old->after;
  known->before += old->before;
  other.neighbours.erase(old);
}

template <class Cell>
void GroupWindow<Cell>::merge(Row kept, Slot gone, Score loss) {
  const Slot to = lane_of_[kept];
  Cluster& cluster = clusters_[to];
  Cluster& old = clusters_[gone];
  Count own = cluster.self + old.self;
  const std::vector<Neighbour> neighbours = old.row == kNoRow ? std::move(old.neighbours) : take_row(old.row);
  for (const Neighbour& neighbour : neighbours) {
    if (neighbour.slot == to) {
      own += neighbour.after + neighbour.before;
      continue;
    }
    set_cells(kept, neighbour.slot, after(kept)[neighbour.slot] + neighbour.after,
              before(kept)[neighbour.slot] + neighbour.before);
    move_neighbour(neighbour, gone, to);
  }
  set_cells(kept, gone, 0, 0);
  set_cells(kept, to, own, own);
  cluster.self = own;
  cluster.words += old.words;
  objective_ -= loss;
  cluster.marginals.left.count += old.marginals.left.count;
  cluster.marginals.right.count += old.marginals.right.count;
  add_degrees(cluster, old.marginals.left.degree, old.marginals.right.degree);
  slots_.join(to, slots_.head(gone), slots_.rank(gone));
  words_.merge(to, gone);
  slots_.release(gone);
  old = Cluster();
}

template <class Cell>
void GroupWindow<Cell>::check() const {
  Score objective = 0;
  Count inside = 0;
  for (Slot lane = 0; lane < slots_.used(); ++lane) {
    if (!is_live(lane)) continue;
    const Cluster& cluster = clusters_[lane];
    Count left = 0;
    Count right = 0;
    const auto add = [&](Count after_count, Count before_count) {
      objective += terms().h(after_count);
      left += after_count;
      right += before_count;
    };
    if (cluster.row == kNoRow) {
      add(cluster.self, cluster.self);
      for (const Neighbour& neighbour : cluster.neighbours) add(neighbour.after, neighbour.before);
    } else {
      for (Slot other = 0; other < slots_.used(); ++other)
        add(after(cluster.row)[other], before(cluster.row)[other]);
    }
    expect_same(left == cluster.marginals.left.degree && right == cluster.marginals.right.degree);
    objective -= make_marginal(cluster.marginals.left.count, left).weighed +
                 make_marginal(cluster.marginals.right.count, right).weighed;
    inside += left;
  }
  expect_same(objective == objective_ && inside == inside_);
}

template class GroupWindow<std::uint32_t>;
template class GroupWindow<std::uint64_t>;

}  // namespace firth::brown
