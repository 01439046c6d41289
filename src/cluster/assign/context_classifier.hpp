// Which class the neighbours of a word suggest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/assign/class_guess.hpp"
#include "firth/counts.hpp"
#include "firth/types.hpp"

namespace firth::clusters {

/// How often a class is a neighbour of a word on one side.
struct ClassContext {
  ClassId class_id;
  Count count;
};

/// Naive Bayes over neighbouring classes. With N the class bigrams, Nl and Nr their marginals, T their total,
///
///   p(c follows B) = (N(B,c) + a Nr(c) / T) / (Nl(B) + a),   p(c precedes B) likewise,
///
/// so a class of few bigrams behaves like the whole text until it has shown `a` of them. Without that, a
/// class without bigrams would suit every word. May be used from several threads at once.
class ContextClassifier {
 public:
  /// `candidates[c]`: class c may be chosen; classes without bigrams never are.
  ContextClassifier(const PairCounts& class_bigrams, std::vector<bool> candidates);

  /// Whether there is a class to choose.
  bool has_candidates() const noexcept { return has_candidates_; }
  /// Neighbours of these classes say something: N has them on that side.
  bool is_known_right(ClassId c) const { return !right_.empty(c); }
  bool is_known_left(ClassId c) const { return !left_.empty(c); }

  /// Needs a candidate. `scores` is scratch memory. O(classes + sum over contexts of the classes they meet).
  ClassGuess guess(std::span<const ClassContext> right, std::span<const ClassContext> left,
                   std::vector<double>& scores) const;

  /// Bytes that it takes for this many distinct class bigrams.
  static std::uint64_t bytes(std::uint64_t distinct, ClassId classes);

 private:
  /// What a neighbouring class on one side tells about each class B: ln(1 + N T / (a marginal)), for the pairs
  /// that were seen. The rest of ln p is the same for all B, or depends on B alone.
  class Side {
   public:
    struct Weight {
      ClassId class_id;
      float nats;
    };

    /// Row c of `met` has the classes B that meet neighbour c; `own` are the totals of B on this side.
    Side(const PairCounts& met, std::span<const Count> own);

    bool empty(ClassId c) const { return first_[c] == first_[c + 1]; }
    void add(std::span<const ClassContext> contexts, std::vector<double>& scores) const;

   private:
    std::vector<std::uint64_t> first_;  // of each neighbour class, in weights_; and the end
    std::vector<Weight> weights_;
    std::vector<double> log_total_;  // ln(own + a) of each class: the price of a neighbour
  };

  Side right_;
  Side left_;
  std::vector<bool> candidates_;
  bool has_candidates_ = false;
};

}  // namespace firth::clusters
