// What fits into which class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "firth/class_sizes.hpp"
#include "firth/types.hpp"

namespace firth::balance {

/// Sizes of the units, the classes that they may be in, and the limits of these.
class Capacity {
 public:
  /// `first` is the first class that has a limit: those before it stay as they are. Throws UsageError if the units cannot
  /// fit.
  Capacity(std::vector<std::uint64_t> sizes, std::span<const ClassId> class_of, ClassId first,
           ClassId classes);

  /// Sets limits: at most sizes.max, or alike. With slack > 0, classes that are to be alike may be larger than the average
  /// by that share. Throws UsageError if the units cannot fit.
  void limit(const ClassSizes& sizes, double slack, std::span<const ClassId> class_of);

  /// No class may become larger than it is: together, none may become smaller.
  void keep_loads() { max_ = loads_; }

  [[nodiscard]] ClassId classes() const { return static_cast<ClassId>(loads_.size()); }
  [[nodiscard]] ClassId first() const { return first_; }
  [[nodiscard]] std::uint64_t size(std::size_t unit) const { return sizes_[unit]; }
  [[nodiscard]] std::uint64_t load(ClassId c) const { return loads_[c]; }
  [[nodiscard]] std::uint64_t max(ClassId c) const { return max_[c]; }
  [[nodiscard]] bool too_large(ClassId c) const { return loads_[c] > max_[c]; }
  [[nodiscard]] bool any_too_large() const;
  /// Whether the unit fits into the class as it is.
  [[nodiscard]] bool has_room(std::size_t unit, ClassId c) const {
    return c >= first_ && loads_[c] + sizes_[unit] <= max_[c];
  }
  /// Whether two units of different classes may change places.
  [[nodiscard]] bool may_swap(std::size_t unit, ClassId home, std::size_t other, ClassId target) const {
    return target >= first_ && loads_[target] - sizes_[other] + sizes_[unit] <= max_[target] &&
           loads_[home] - sizes_[unit] + sizes_[other] <= max_[home];
  }
  /// Units that are larger than the average class, each with the class that is its own.
  struct Pin {
    std::size_t unit;
    ClassId home;
  };
  [[nodiscard]] std::span<const Pin> pins() const { return pins_; }

  void moved(std::size_t unit, ClassId from, ClassId to) {
    loads_[from] -= sizes_[unit];
    loads_[to] += sizes_[unit];
  }

 private:
  void limit_all(std::uint64_t max);
  void limit_evenly(double slack, std::span<const ClassId> class_of);

  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint64_t> loads_;
  std::vector<std::uint64_t> max_;
  std::vector<Pin> pins_;
  ClassId first_;
};

}  // namespace firth::balance
