#include <fmt/format.h>

#include "firth/gold_tags.hpp"

namespace firth {

std::string sweep_tsv(std::span<const SweepPoint> points) {
  std::string text = "classes\tmany_to_one\tprototype\tupper_bound\n";
  for (const SweepPoint& point : points) {
    text += fmt::format("{}\t{:.6f}\t{:.6f}\t{:.6f}\n", point.classes, point.many_to_one, point.prototype,
                        point.upper_bound);
  }
  return text;
}

}  // namespace firth
