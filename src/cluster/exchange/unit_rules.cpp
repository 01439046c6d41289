#include "cluster/exchange/unit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "firth/error.hpp"

namespace firth::exchange {

bool UnitRules::fixed(UnitId unit) const {
  return !units_->seed_of.empty() && units_->seed_of[unit] != kNoSeed;
}

bool UnitRules::bound(UnitId unit) const {
  if (fixed(unit)) return true;
  return !units_->apart.empty() && units_->apart[unit].size() > (units_->boundary ? 1 : 0);
}

void UnitRules::mask(UnitId unit, std::span<const ClassId> class_of, std::span<float> scores) const {
  if (units_->apart.empty()) return;
  for (const UnitId other : units_->apart[unit]) {
    scores[class_of[other]] = -std::numeric_limits<float>::infinity();
  }
}

bool UnitRules::allows(UnitId unit, std::span<const ClassId> class_of, ClassId target) const {
  if (units_->apart.empty()) return true;
  const auto& others = units_->apart[unit];
  return std::none_of(others.begin(), others.end(), [&](UnitId other) { return class_of[other] == target; });
}

Conflicts UnitRules::conflicts(std::span<const ClassId> class_of, ClassId classes) const {
  if (!units_->constrained()) return {};
  Conflicts conflicts(classes, std::vector<bool>(classes, false));
  std::vector<ClassId> seed(classes, kNoSeed);
  for (UnitId unit = 0; unit < class_of.size(); ++unit) {
    if (fixed(unit)) seed[class_of[unit]] = units_->seed_of[unit];
    if (units_->apart.empty()) continue;
    for (const UnitId other : units_->apart[unit]) conflicts[class_of[unit]][class_of[other]] = true;
  }
  for (ClassId a = 0; a < classes; ++a) {
    for (ClassId b = 0; b < classes; ++b) {
      if (seed[a] != kNoSeed && seed[b] != kNoSeed && seed[a] != seed[b]) conflicts[a][b] = true;
    }
  }
  return conflicts;
}

void UnitRules::repair(std::vector<ClassId>& class_of, ClassId classes) const {
  if (units_->seeds > classes) {
    throw UsageError(
        fmt::format("the constraints name {} seed classes, {} classes are asked for", units_->seeds, classes),
        "ask for more classes");
  }
  place_by_rules(class_of, classes);
  fill_empty_classes(class_of, classes);
}

void UnitRules::place_by_rules(std::vector<ClassId>& class_of, ClassId classes) const {
  constexpr ClassId kNowhere = std::numeric_limits<ClassId>::max();
  const std::vector<ClassId> wanted = class_of;
  for (UnitId unit = 0; unit < class_of.size(); ++unit) {
    class_of[unit] = fixed(unit) ? units_->seed_of[unit] : kNowhere;
  }
  for (UnitId unit = 0; unit < class_of.size(); ++unit) {
    if (fixed(unit)) continue;
    ClassId target = wanted[unit];
    for (ClassId tries = 0; !allows(unit, class_of, target); ++tries) {
      if (tries == classes) {
        throw UsageError(fmt::format("the constraints cannot be kept with {} classes", classes),
                         "ask for more classes, or drop some constraints");
      }
      target = (target + 1) % classes;
    }
    class_of[unit] = target;
  }
}

void UnitRules::fill_empty_classes(std::vector<ClassId>& class_of, ClassId classes) const {
  std::vector<std::uint32_t> members(classes, 0);
  for (const ClassId c : class_of) ++members[c];
  // A class that lost all its units takes the last free one of a class that has several.
  for (ClassId c = 0; c < classes; ++c) {
    if (members[c] > 0) continue;
    auto unit = static_cast<UnitId>(class_of.size());
    do {
      if (unit == 0) {
        throw UsageError(fmt::format("the constraints leave some of {} classes without words", classes),
                         "ask for fewer classes");
      }
      --unit;
    } while (fixed(unit) || members[class_of[unit]] < 2);
    --members[class_of[unit]];
    class_of[unit] = c;
    ++members[c];
  }
}

}  // namespace firth::exchange
