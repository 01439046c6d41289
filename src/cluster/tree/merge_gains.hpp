// What the AMI gains by each merge of two classes (never more than 0), kept up to date while classes merge.
//
// Notation: h(x) = x ln x in fixed point; the gain of merging v and w is, with phi(x,y) = h(x+y)-h(x)-h(y),
//   G(v,w) = sum over c of phi(N(v,c),N(w,c)) + phi(N(c,v),N(c,w)), c not v or w
//          + h(vv+vw+wv+ww) - h(vv) - h(vw) - h(wv) - h(ww) - phi(Nl(v),Nl(w)) - phi(Nr(v),Nr(w)) <= 0.
// All sums are integers: updating a gain step by step gives the same bits as computing it anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_log.hpp"
#include "base/worker_team.hpp"
#include "cluster/tree/class_table.hpp"
#include "cluster/tree/gain_table.hpp"
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
  /// Two contexts s and t that become one, for the classes that have either.
  struct Change {
    std::vector<std::size_t> classes;
    std::vector<Count> a;                // N(v,s)
    std::vector<Count> b;                // N(v,t)
    std::vector<std::int64_t> constant;  // h(a) + h(b) - h(a+b)
    Count largest = 0;

    void add(const std::int64_t* table, std::size_t i, std::vector<std::int64_t>& sums) const;
    const std::vector<Count>& rarer() const;
  };

  std::int64_t phi(Count x, Count y) const { return log_.h(x + y) - log_.h(x) - log_.h(y); }
  double ami_bits() const;
  void score(std::size_t v, std::size_t begin, std::span<std::int64_t> gains) const;
  void add_contexts(std::size_t v, bool after, std::size_t begin, std::span<std::int64_t> gains) const;
  Change change_of(std::size_t kept, std::size_t gone, bool after) const;
  void add_change(const Change& change, std::size_t i, std::vector<std::int64_t>& sums) const;
  void update_pairs(const Change& change);
  void merge(std::size_t kept, std::size_t gone);
  void score_anew(std::size_t kept);
  void refresh();
  void forget_merged();

  base::FixedLog log_;
  Count total_;
  ClassTable classes_;
  std::vector<char> alive_;
  std::vector<char> changed_;        // by the merge under way
  std::vector<std::size_t> places_;  // of the classes of the tables, among all
  std::size_t merged_ = 0;           // classes of the tables that are not alive
  GainTable gains_;
  std::int64_t objective_ = 0;
  base::WorkerTeam team_;
};

}  // namespace firth::clusters
