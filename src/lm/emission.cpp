#include "lm/emission.hpp"

namespace firth::lm {
namespace {

/// Sums over the words of one class.
struct ClassSums {
  Count count = 0;
  Count seen = 0;
  Count words = 0;
};

double discount(std::span<const Count> counts) {
  double once = 0;
  double twice = 0;
  for (const Count count : counts) {
    once += count == 1 ? 1 : 0;
    twice += count == 2 ? 1 : 0;
  }
  return once > 0 && twice > 0 ? once / (once + 2 * twice) : 0.5;
}

}  // namespace

std::vector<double> estimate_emissions(std::span<const Symbol> class_of, std::span<const Count> counts,
                                       std::size_t classes, LmEmission method) {
  std::vector<ClassSums> sums(classes);
  for (std::size_t word = 0; word < class_of.size(); ++word) {
    ClassSums& own = sums[class_of[word]];
    own.count += counts[word];
    own.seen += counts[word] > 0 ? 1 : 0;
    ++own.words;
  }
  const double d = method == LmEmission::discounted ? discount(counts) : 0;
  std::vector<double> result(class_of.size());
  for (std::size_t word = 0; word < class_of.size(); ++word) {
    const ClassSums& own = sums[class_of[word]];
    const auto words = static_cast<double>(own.words);
    if (own.count == 0) {
      result[word] = 1 / words;
      continue;
    }
    const auto total = static_cast<double>(own.count);
    const double kept = counts[word] > 0 ? static_cast<double>(counts[word]) - d : 0;
    result[word] = (kept + d * static_cast<double>(own.seen) / words) / total;
  }
  return result;
}

}  // namespace firth::lm
