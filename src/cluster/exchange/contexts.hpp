// The classes around a unit.
#pragma once

#include <span>
#include <vector>

#include "cluster/exchange/pair_matrix.hpp"
#include "cluster/exchange/problem.hpp"

namespace firth::exchange {

/// How often one class is a neighbour of a unit on one side.
struct Context {
  ClassId other;
  Count count;
};

/// The classes around one unit, the unit itself left out: r_c (right) or l_c (left) of the formulas.
class ContextList {
 public:
  void resize(ClassId classes) {
    counts_.assign(classes, 0);
    present_.clear();
  }
  void collect(const Neighbours& neighbours, std::span<const ClassId> class_of);
  /// From a row of class counts, the class of the row left out.
  void collect_row(const PairMatrix& matrix, ClassId row);

  /// Adds the classes that have a count, each once.
  void append_to(std::vector<Context>& saved) const;
  /// What was saved. After this, once() and often() are of no use.
  void load(std::span<const Context> saved);
  /// The classes of neighbours. After this, once() and often() are of no use.
  void load(const Neighbours& neighbours, std::span<const ClassId> class_of) {
    clear();
    add_up(neighbours, class_of);
  }
  /// Some of the neighbours are in another class now. After this, once() and often() are of no use.
  void shift(ClassId from, ClassId to, Count count);

  std::span<const ClassId> once() const { return once_; }
  std::span<const Context> often() const { return often_; }
  /// Every class with a count, and perhaps others, in no particular order.
  std::span<const ClassId> present() const { return present_; }
  Count count(ClassId other) const { return counts_[other]; }

 private:
  void clear();
  void add_up(const Neighbours& neighbours, std::span<const ClassId> class_of);
  void split_by_count();

  std::vector<Count> counts_;
  std::vector<ClassId> present_;
  std::vector<ClassId> once_;
  std::vector<Context> often_;
};

/// Both sides of a unit.
struct Contexts {
  ContextList right;
  ContextList left;

  void resize(ClassId classes) {
    right.resize(classes);
    left.resize(classes);
  }
};

/// Both sides of a unit as lists, each class once; counts are above 0.
struct ContextSpans {
  std::span<const Context> right;
  std::span<const Context> left;
};

}  // namespace firth::exchange
