// What the AMI gains by each merge of two classes (never more than 0), kept up to date while classes merge.
//
// Notation: h(x) = x ln x in fixed point; the gain of merging v and w is, with phi(x,y) = h(x+y)-h(x)-h(y),
//   G(v,w) = sum over c of phi(N(v,c),N(w,c)) + phi(N(c,v),N(c,w)), c not v or w
//          + h(vv+vw+wv+ww) - h(vv) - h(vw) - h(wv) - h(ww) - phi(Nl(v),Nl(w)) - phi(Nr(v),Nr(w)) <= 0.
// All sums are integers: updating a gain step by step gives the same bits as computing it anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned.hpp"
#include "base/fixed_log.hpp"
#include "base/worker_team.hpp"
#include "cluster/tree/class_table.hpp"
#include "firth/run.hpp"

namespace firth::clusters {

/// Classes in the order of their ranks; a merged class keeps the place of the one that ranks first, so that
/// "the first best pair" is the tie rule.
class MergeGains {
 public:
  /// Throws Cancelled.
  MergeGains(const PairCounts& pairs, const RunOptions& run);

  struct Step {
    std::size_t kept;
    std::size_t gone;
    double ami_bits;
  };

  Step merge_best();

 private:
  /// The contexts of one side when s and t become one: what each class adds to its gains with others.
  struct Change {
    std::vector<Count> a;                // N(v,s)
    std::vector<Count> b;                // N(v,t)
    std::vector<std::int64_t> constant;  // h(a) + h(b) - h(a+b)
    Count largest = 0;

    void add(const std::int64_t* table, std::size_t v, std::vector<std::int64_t>& sums) const;
    const std::vector<Count>& rarer() const;
  };

  std::int64_t& gain(std::size_t v, std::size_t w) { return gains_[v * classes_.size() + w]; }
  std::int64_t phi(Count x, Count y) const { return log_.h(x + y) - log_.h(x) - log_.h(y); }
  double ami_bits() const;
  void score(std::size_t v, std::vector<std::int64_t>& row) const;
  void add_contexts(std::size_t v, bool after, std::vector<std::int64_t>& row) const;
  Change change_of(const Count* s, const Count* t) const;
  void add_change(const Change& change, std::size_t v, std::vector<std::int64_t>& sums) const;
  void update_pairs(std::size_t kept, std::size_t gone, const Change& change);
  void merge(std::size_t kept, std::size_t gone);

  base::FixedLog log_;
  Count total_;
  ClassTable classes_;
  std::vector<char> alive_;
  base::AlignedVector<std::int64_t> gains_;  // G(v,w) at v < w, kNever elsewhere
  std::int64_t objective_ = 0;
  base::WorkerTeam team_;
};

}  // namespace firth::clusters
