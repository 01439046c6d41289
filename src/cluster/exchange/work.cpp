#include "cluster/exchange/work.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>

namespace firth::exchange {
namespace {

/// A unit is cut if it takes more than this part of the batch, and is long enough to be worth it ...
constexpr std::size_t kCutShare = 128;
constexpr std::size_t kMinCutWork = std::size_t{1} << 16;
constexpr std::size_t kMaxCut = 64;  // units of a batch
/// ... into pieces of about that part. Small ones make the kernel slow: two blocks of classes take twice the time of eight,
/// and with 10,000 classes, 16 pieces of a unit take a sixth longer than the whole.
constexpr std::size_t kMinBlocksPerPiece = 8;
constexpr std::size_t kMaxPieces = 16;

/// A place takes long if it takes more than this part of what a rank gets, and more than four units of the batch on average.
constexpr std::size_t kLongShare = 32;
constexpr std::size_t kLongUnits = 4;

/// What the kernel takes for a context that was seen so often, in halves of what it takes for one that was seen once: up to
/// kFittedCount a quotient of polynomials, beyond it two logarithms. Contexts of a unit differ, so this rises by and by.
std::size_t context_work(Count seen) {
  constexpr std::size_t kOnce = 2;
  constexpr std::size_t kPerDoubling = 3;
  constexpr std::size_t kMaxDoublings = 9;
  const auto doublings = static_cast<std::size_t>(std::bit_width(seen)) - 1;
  return kOnce + kPerDoubling * std::min(doublings, kMaxDoublings);
}

std::size_t predicted_work(const State& state, UnitId unit) {
  constexpr std::size_t kFixedContexts = 6;
  constexpr std::size_t kLanesPerNeighbour = 4;
  const Problem& problem = state.problem();
  std::size_t lanes = kFixedContexts * state.classes();
  const auto add = [&](const Side& side, Count marginal) {
    const Count seen = marginal - problem.self(unit);
    const Neighbours neighbours = side.of(unit);
    const std::size_t found = neighbours.once.size() + neighbours.often.size();
    const std::size_t contexts = std::min<std::size_t>(found, state.classes());
    if (contexts > 0)
      lanes += contexts * context_work(std::max<Count>(seen / contexts, 1)) / 2 * state.classes();
    lanes += kLanesPerNeighbour * found;
  };
  add(problem.right(), problem.out(unit));
  add(problem.left(), problem.in(unit));
  return lanes;
}

}  // namespace

void PredictedWork::update(const State& state) {
  if (classes_ == state.classes()) return;
  classes_ = state.classes();
  work_.resize(state.problem().units());
  for (UnitId unit = 0; unit < work_.size(); ++unit)
    work_[unit] = state.problem().owns(unit) ? predicted_work(state, unit) : 0;
}

std::vector<Piece> PredictedWork::cut(std::span<const UnitId> batch,
                                      std::span<const std::size_t> places) const {
  std::vector<Piece> pieces;
  const std::size_t blocks = padded_lanes(classes_) / kLaneBlock;
  if (blocks < 2 * kMinBlocksPerPiece) return pieces;
  std::size_t all = 0;
  for (const std::size_t i : places) all += work_[batch[i]];
  const std::size_t limit = std::max(all / kCutShare, kMinCutWork);
  std::vector<std::pair<std::size_t, std::size_t>> found;  // work and place
  for (const std::size_t i : places)
    if (work_[batch[i]] > limit) found.emplace_back(work_[batch[i]], i);
  std::ranges::sort(found, std::greater<>());
  found.resize(std::min(found.size(), kMaxCut));
  for (const auto& [work, place] : found) {
    const std::size_t count = std::min({work / limit + 1, blocks / kMinBlocksPerPiece, kMaxPieces});
    for (std::size_t p = 0; p < count; ++p) {
      pieces.push_back({place, {blocks * p / count * kLaneBlock, blocks * (p + 1) / count * kLaneBlock}});
    }
  }
  return pieces;
}

/// Gives what comes next to the rank that has least.
class PredictedWork::Dealer {
 public:
  explicit Dealer(std::size_t ranks) : given_(ranks, 0) {
    for (std::size_t r = 0; r < ranks; ++r) least_.emplace(0, r);
  }
  std::size_t next(std::size_t work) {
    const std::size_t rank = least_.top().second;
    least_.pop();
    least_.emplace(given_[rank] += work, rank);
    return rank;
  }
  /// Work of a rank so far.
  std::size_t& given(std::size_t rank) { return given_[rank]; }

 private:
  using Given = std::pair<std::size_t, std::size_t>;  // work and rank
  std::priority_queue<Given, std::vector<Given>, std::greater<>> least_;
  std::vector<std::size_t> given_;
};

void PredictedWork::deal(std::span<const UnitId> batch, Shares& shares) const {
  const std::size_t ranks = shares.places.size();
  std::vector<std::size_t> whole(batch.size());
  std::iota(whole.begin(), whole.end(), std::size_t{0});
  const std::vector<Piece> pieces = cut(batch, whole);
  std::size_t all = 0;
  for (const UnitId unit : batch) all += work_[unit];
  const std::size_t share = all / ranks;
  const std::size_t limit = std::max(share / kLongShare, kLongUnits * all / batch.size());

  struct Long {
    std::size_t work;
    std::size_t place;
    const Piece* piece;
  };
  std::vector<Long> longer;
  std::vector<bool> is_long(batch.size());
  for (const Piece& piece : pieces) {
    is_long[piece.place] = true;
    const std::size_t lanes = piece.lanes.end - piece.lanes.begin;
    longer.push_back({work_[batch[piece.place]] / padded_lanes(classes_) * lanes, piece.place, &piece});
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (is_long[i] || work_[batch[i]] <= limit) continue;
    is_long[i] = true;
    longer.push_back({work_[batch[i]], i, nullptr});
  }
  std::ranges::stable_sort(longer, std::greater<>(), &Long::work);
  Dealer dealer(ranks);
  for (const Long& item : longer) {
    const std::size_t rank = dealer.next(item.work);
    if (item.piece != nullptr) {
      shares.pieces[rank].push_back(*item.piece);
    } else {
      shares.places[rank].push_back(item.place);
    }
  }
  std::size_t rank = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (is_long[i]) continue;
    while (rank + 1 < ranks && dealer.given(rank) >= share) ++rank;
    dealer.given(rank) += work_[batch[i]];
    shares.places[rank].push_back(i);
  }
}

}  // namespace firth::exchange
