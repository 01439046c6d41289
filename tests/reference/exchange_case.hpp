// A small problem of exchange clustering, drawn at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/rng.hpp"
#include "cluster/exchange/state.hpp"
#include "firth/counts.hpp"
#include "reference/random_data.hpp"

namespace firth::exchange {

/// A random corpus in random classes.
struct Case {
  explicit Case(std::uint64_t seed, Count times = 1)
      : rng(seed),
        words(4 + rng.below(30)),
        counts(reference::repeated(reference::random_counts(rng, words, 2 + rng.below(800)), times)),
        classes(static_cast<ClassId>(2 + rng.below(6))),
        class_of(reference::random_classes(rng, words, classes)),
        unit_of(words) {
    std::iota(unit_of.begin(), unit_of.end(), UnitId{0});
  }

  base::Rng rng;
  std::size_t words;
  Counts counts;
  ClassId classes;
  std::vector<ClassId> class_of;
  std::vector<UnitId> unit_of;
};

/// Every third case has no prior on the sizes of classes.
inline double size_weight(std::uint64_t seed) {
  return static_cast<double>(seed % 3);
}

}  // namespace firth::exchange
