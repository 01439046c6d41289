// One run of the search for classes of words that have the same neighbours and similar spellings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/exchange/problem.hpp"
#include "cluster/exchange/tables.hpp"
#include "cluster/pos/spelling_model.hpp"
#include "firth/pos.hpp"

namespace firth::pos {

/// Pairs at one distance. The last unit is no word but the boundary of sentences.
struct Distance {
  Distance(const PairCounts& pairs, double pair_weight);

  exchange::Problem problem;
  exchange::Tables tables;
  double weight;
};

/// What every run works on. Its words are the units of fold_case().
struct PosProblem {
  PosProblem(const Counts& counts, const PosOptions& options);

  static constexpr WordId kNone = static_cast<WordId>(-1);

  CaseFolding folded;
  std::size_t words;
  WordId unknown;  ///< `<unk>`, which no class should be made for; kNone = there is none
  double scale;    ///< weight of a token: 1, or less in a text of more than PosOptions::max_tokens
  std::vector<std::unique_ptr<Distance>> distances;
  SpellingTree tree;
  std::vector<double> amounts;
  TemplateWeights weights;
  double type_weight;
};

/// What a run found: a class for every unit, and how good it is, in nats.
struct PosPartition {
  std::vector<ClassId> class_of;
  double objective = 0;
  double spelling = 0;  ///< the part of it that is about spelling
  double types = 0;     ///< the part of it that is about how many words a class has
};

/// Overshoot, merge, anneal, climb: as exchange/auto_search.cpp, with spelling in every move.
PosPartition search(const PosProblem& problem, ClassId classes, std::uint64_t seed, const RunOptions& run);

/// The bigrams and one more word: the boundary of sentences, which precedes (follows) every word as often as no
/// word does.
PairCounts with_boundary(const Counts& counts);

}  // namespace firth::pos
