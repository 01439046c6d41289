#include "cluster/exchange/cut_units.hpp"

#include <algorithm>
#include <utility>

namespace firth::exchange {
namespace {

PieceScores summarise(std::span<float> scores, Lanes lanes, ClassId home, float inverse_temperature) {
  PieceScores found;
  const std::size_t end = std::min(lanes.end, scores.size());
  if (lanes.begin >= end) return found;
  const std::span<float> own = scores.subspan(lanes.begin, end - lanes.begin);
  const bool has_home = home >= lanes.begin && home < end;
  if (has_home) found.home = std::exchange(scores[home], PieceScores::kNone);
  const std::size_t best = best_class(own);
  found.best = {static_cast<ClassId>(lanes.begin + best), own[best]};
  if (has_home) scores[home] = found.home;
  const float highest = std::max(found.best.score, found.home);
  if (inverse_temperature == 0 || highest == PieceScores::kNone) return found;
  // What is too far below the best of some classes is too far below the best of all.
  for (std::size_t lane = 0; lane < own.size(); ++lane) {
    if ((own[lane] - highest) * inverse_temperature >= -kCutoffTemperatures)
      found.near.push_back({static_cast<ClassId>(lanes.begin + lane), own[lane]});
  }
  return found;
}

}  // namespace

void JoinedScores::add(const PieceScores& piece) {
  if (piece.best.score > best.score || (piece.best.score == best.score && piece.best.c < best.c))
    best = piece.best;
  home = std::max(home, piece.home);
}

const Contexts& CutUnits::contexts(std::size_t place) const {
  return contexts_[static_cast<std::size_t>(std::ranges::lower_bound(places_, place) - places_.begin())];
}

void CutUnits::collect(const State& state, std::span<const UnitId> batch, base::WorkerTeam& team) {
  if (contexts_.size() < places_.size()) contexts_.resize(places_.size());
  team.run(2 * places_.size(), 1, [&](unsigned, std::size_t half, std::size_t) {
    const UnitId unit = batch[places_[half / 2]];
    Contexts& contexts = contexts_[half / 2];
    ContextList& list = half % 2 == 0 ? contexts.right : contexts.left;
    list.resize(state.classes());
    const Side& side = half % 2 == 0 ? state.problem().right() : state.problem().left();
    list.collect(side.of(unit), state.class_of());
  });
}

std::vector<PieceScores> CutUnits::score(const State& state, std::span<const UnitId> batch,
                                         std::span<const Piece> pieces, const Rules& rules,
                                         base::WorkerTeam& team) {
  std::vector<PieceScores> found(pieces.size());
  places_.clear();
  for (const Piece& piece : pieces) places_.push_back(piece.place);
  std::ranges::sort(places_);
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  if (places_.empty()) return found;
  collect(state, batch, team);
  scores_.resize(team.size());
  team.run(pieces.size(), 1, [&](unsigned worker, std::size_t p, std::size_t) {
    const Piece& piece = pieces[p];
    const UnitId unit = batch[piece.place];
    const Contexts& around = contexts(piece.place);
    base::AlignedVector<float>& scores = scores_[worker];
    scores.resize(state.counts().after.stride());
    score_contexts(state.counts(), around, {state.problem().out(unit), state.problem().in(unit)}, piece.lanes,
                   scores.data());
    correct_scores(state, unit, around, piece.lanes, scores.data());
    const std::span<float> classes(scores.data(), state.classes());
    if (rules.mask) rules.mask(unit, classes);
    found[p] = summarise(classes, piece.lanes, state.class_of()[unit], rules.inverse_temperature);
  });
  return found;
}

}  // namespace firth::exchange
