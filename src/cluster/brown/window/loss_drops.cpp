#include "cluster/brown/window/loss_drops.hpp"

#include <algorithm>
#include <cmath>

namespace firth::brown {
namespace {

/// The share of one context in the loss of merging two clusters:
/// C(a,b) = a ln(a/Ms) + b ln(b/Mt) - (a+b) ln((a+b)/(Ms+Mt)) >= 0 (log-sum inequality).
class Share {
 public:
  Share(const ObjectiveTerms& terms, Count ms, Count mt)
      : terms_(terms),
        s_(ObjectiveTerms::ln(ms + mt) - ObjectiveTerms::ln(ms)),
        t_(ObjectiveTerms::ln(ms + mt) - ObjectiveTerms::ln(mt)) {}

  /// C(a,0) / a, in fixed point.
  double alone() const { return s_ * terms_.scale(); }

  Score operator()(Count a, Count b) const {
    if (a == 0 && b == 0) return 0;
    return terms_.phi(a, b) + terms_.weigh(static_cast<double>(a), s_) +
           terms_.weigh(static_cast<double>(b), t_);
  }

 private:
  const ObjectiveTerms& terms_;
  double s_;
  double t_;
};

/// Fact 2 for a new word u that joins s, second form: the cell (v,s) grows from a to a + d. Pairs with v lose
/// at most D = d ln max(a + d, Mv r) + d - (h(a+d) - h(a)), r being the largest rate N(w,s) / Mw afterwards.
Score growth_drop(const ObjectiveTerms& terms, Count a, Count d, double ln_marginal, double ln_rate) {
  if (d == 0) return 0;
  // An upper bound does not need the last digit of a logarithm.
  const double ceiling = std::max(std::log(static_cast<double>(a + d)), ln_marginal + ln_rate) + 1.0 + 1e-9;
  return std::max<Score>(terms.weigh(static_cast<double>(d), ceiling) - (terms.h(a + d) - terms.h(a)), 0) +
         kTouchSlack;
}

/// ln of the largest rate in the row of s once the word has joined it, `rate` before that; `count` says
/// which counts of its neighbours.
template <class Cell>
double ln_largest_rate(double rate, const Cell* row, const Side<Cell>& side, const NewWord& word,
                       Count Neighbour::*count) {
  for (const Neighbour& neighbour : word.neighbours)
    rate = std::max(
        rate, static_cast<double>(row[neighbour.slot] + neighbour.*count) * side.inverse[neighbour.slot]);
  return rate > 0 ? std::log(rate) : -1e3;
}

}  // namespace

template <class Cell>
void merge_drops(const Window<Cell>& window, Slot s, Slot t, std::span<Score> drops) {
  const Share left(window.terms(), window.left().marginal[s], window.left().marginal[t]);
  const Share right(window.terms(), window.right().marginal[s], window.right().marginal[t]);
  for (Slot v = 0; v < drops.size(); ++v) {
    const Count after_s = window.after(s)[v];
    const Count after_t = window.after(t)[v];
    const Count before_s = window.before(s)[v];
    const Count before_t = window.before(t)[v];
    const bool touched = (after_s | after_t | before_s | before_t) != 0;
    drops[v] =
        touched ? std::max<Score>(left(after_s, after_t) + right(before_s, before_t), 0) + kTouchSlack : 0;
  }
  drops[s] = drops[t] = 0;
}

namespace {

constexpr std::size_t kPairsOfLane = 4;  // looking at more pairs than this takes longer than it saves

/// Clusters that have to do with one of two.
template <class Cell>
void list_neighbours(const Window<Cell>& window, Slot s, Slot t, std::vector<Slot>& lanes) {
  lanes.clear();
  const auto any = [&](std::size_t i) {
    return window.cells().after_bits(s)[i] | window.cells().before_bits(s)[i] |
           window.cells().after_bits(t)[i] | window.cells().before_bits(t)[i];
  };
  for_each_bit(window.lanes() / 64, any, [&](Slot lane) { lanes.push_back(lane); });
}

}  // namespace

// Two contexts become one: phi(a+d, b+e) <= phi(a,b) + phi(d,e), with equality where d = e = 0.
template <class Cell>
bool merge_pair_drops(const Window<Cell>& window, Slot s, Slot t, std::vector<PairDrop>& drops) {
  const ObjectiveTerms& terms = window.terms();
  std::vector<Slot> near;
  std::vector<Slot> all;
  list_neighbours(window, t, t, near);
  list_neighbours(window, s, t, all);
  drops.clear();
  if (near.size() * all.size() > kPairsOfLane * window.lanes()) return false;
  const auto side = [&](const Cell* to_s, const Cell* to_t, Slot v, Slot w) {
    return terms.phi(to_s[v], to_s[w]) + terms.phi(to_t[v], to_t[w]) -
           terms.phi(to_s[v] + to_t[v], to_s[w] + to_t[w]);
  };
  const auto is_near = [&](Slot w) { return (window.after(t)[w] | window.before(t)[w]) != 0; };
  for (const Slot v : near) {
    if (v == s || v == t) continue;
    for (const Slot w : all) {
      if (w == s || w == t || w == v || (w < v && is_near(w))) continue;
      drops.push_back(
          {v, w,
           side(window.before(s), window.before(t), v, w) + side(window.after(s), window.after(t), v, w)});
    }
  }
  return true;
}

namespace {

/// Fact 2, first form: the shares of all contexts in the loss.
template <class Cell>
void share_drops(const Window<Cell>& window, const NewWord& word, Slot s, Drops& drops) {
  const ObjectiveTerms& terms = window.terms();
  const Share left(terms, window.left().marginal[s], terms.left_marginal(word.word));
  const Share right(terms, window.right().marginal[s], terms.right_marginal(word.word));
  // Clusters that are no neighbours of the word: C(a,0) = a ln((Ms+Mu)/Ms) ...
  drops.lanes.resize(window.lanes());
  weigh_cells(drops.lanes, {window.after(s), left.alone()}, {window.before(s), right.alone()}, kTouchSlack);
  // ... and those that do.
  for (const Neighbour& neighbour : word.neighbours) {
    const Slot v = neighbour.slot;
    drops.lanes[v] =
        std::max<Score>(
            left(window.after(s)[v], neighbour.after) + right(window.before(s)[v], neighbour.before), 0) +
        2 * kTouchSlack;
  }
  drops.lanes[s] = 0;
}

}  // namespace

template <class Cell>
void absorb_drops(const Window<Cell>& window, const NewWord& word, Slot s, Score loss, Drops& drops) {
  const ObjectiveTerms& terms = window.terms();
  const double ln_left =
      ln_largest_rate(window.rates().before(s), window.before(s), window.left(), word, &Neighbour::before);
  const double ln_right =
      ln_largest_rate(window.rates().after(s), window.after(s), window.right(), word, &Neighbour::after);
  Score sum = 0;
  drops.list.clear();
  for (const Neighbour& neighbour : word.neighbours) {
    const Slot v = neighbour.slot;
    if (v == s) continue;
    const Score drop =
        growth_drop(terms, window.before(s)[v], neighbour.before, window.left().ln_marginal[v], ln_left) +
        growth_drop(terms, window.after(s)[v], neighbour.after, window.right().ln_marginal[v], ln_right);
    drops.list.push_back({v, drop});
    sum += drop;
  }
  // The shares of the contexts add up to the loss at most.
  drops.by_lane = sum > loss;
  if (drops.by_lane) share_drops(window, word, s, drops);
}

template bool merge_pair_drops(const Window<std::uint32_t>&, Slot, Slot, std::vector<PairDrop>&);
template bool merge_pair_drops(const Window<std::uint64_t>&, Slot, Slot, std::vector<PairDrop>&);
template void merge_drops(const Window<std::uint32_t>&, Slot, Slot, std::span<Score>);
template void merge_drops(const Window<std::uint64_t>&, Slot, Slot, std::span<Score>);
template void absorb_drops(const Window<std::uint32_t>&, const NewWord&, Slot, Score, Drops&);
template void absorb_drops(const Window<std::uint64_t>&, const NewWord&, Slot, Score, Drops&);

}  // namespace firth::brown
