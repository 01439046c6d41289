#include "cluster/exchange/merge.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "cluster/exchange/kernel.hpp"
#include "firth/error.hpp"

namespace firth::exchange {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr ClassId kNone = static_cast<ClassId>(-1);
/// Blocks of lanes that a thread takes at a time: about 20 microseconds of work.
constexpr std::size_t kLossBlocksPerPiece = 8;
/// Contexts times classes from which ranks share the losses of a merged class: about 100 microseconds of work.
constexpr std::size_t kMinSharedWork = std::size_t{1} << 20;

/// The classes left, and what each pair of them gains (never more than 0) when it becomes one.
/// Large because scoring, the rows' best pairs and the conflicts must change together after every merge.
class MergeTable {
 public:
  MergeTable(ClassCounts counts, ClassId classes, Conflicts conflicts, base::WorkerTeam& team,
             const RunOptions& run)
      : counts_(std::move(counts)),
        classes_(classes),
        conflicts_(std::move(conflicts)),
        alive_(classes_, true),
        gains_(std::size_t{classes_} * classes_, kNever),
        best_(classes_, kNone),
        parent_(classes_),
        crew_{team, base::Ranks(run)},
        workers_(team.size()) {
    std::iota(parent_.begin(), parent_.end(), ClassId{0});
    for (Worker& worker : workers_) worker.contexts.resize(classes_);
    crew_.compute(std::span<float>(gains_), classes_, [&](unsigned index, std::size_t row) {
      if (run.stop.stop_requested()) return;
      const auto c = static_cast<ClassId>(row);
      prepare(c, workers_[index]);
      score_lanes(c, workers_[index], {0, padded_lanes(c)});  // the others are scored with their own rows
      for (ClassId other = 0; other < c; ++other) gain(c, other) = workers_[index].scores[other];
    });
    run.check_stop();
    for (ClassId a = 0; a < classes_; ++a) {
      for (ClassId b = 0; b < a; ++b) {
        if (!conflicts_.empty() && conflicts_[a][b]) gain(a, b) = kNever;
        gain(b, a) = gain(a, b);
      }
    }
    for (ClassId c = 0; c < classes_; ++c) find_best(c);
  }

  /// Merges the best pair; false if there is none.
  bool merge_best() {
    for (;;) {
      ClassId a = kNone;
      for (ClassId c = 0; c < classes_; ++c) {
        if (best_[c] != kNone && (a == kNone || gain(c, best_[c]) > gain(a, best_[a]))) a = c;
      }
      if (a == kNone) return false;
      const ClassId b = best_[a];
      const float stale = gain(a, b);
      const float fresh = exact_gain(a, b);
      if (fresh >= stale) {
        merge(std::min(a, b), std::max(a, b));
        return true;
      }
      gain(a, b) = gain(b, a) = fresh;
      find_best(a);
      find_best(b);
      // If it is still the best pair, the next turn finds its loss unchanged and merges it.
    }
  }

  /// Class of a class of the start.
  ClassId root(ClassId c) const {
    while (parent_[c] != c) c = parent_[c];
    return c;
  }

 private:
  struct Worker {
    Contexts contexts;
    base::AlignedVector<float> scores;
    std::int64_t alone = 0;  // what the class is worth by itself
  };

  float& gain(ClassId a, ClassId b) { return gains_[std::size_t{a} * classes_ + b]; }
  std::int64_t h(Count x) const { return counts_.tables->h(x); }
  float nats(std::int64_t value) const { return static_cast<float>(counts_.tables->nats(value)); }

  /// What score_lanes() needs, the same for all lanes.
  void prepare(ClassId c, Worker& worker) const {
    worker.contexts.right.collect_row(counts_.before, c);
    worker.contexts.left.collect_row(counts_.after, c);
    worker.scores.resize(padded_lanes(classes_));
    worker.alone = h(counts_.pair(c, c)) - h(counts_.out[c]) - h(counts_.in[c]);
    for (const ClassId other : worker.contexts.right.present()) worker.alone += h(counts_.pair(c, other));
    for (const ClassId other : worker.contexts.left.present()) worker.alone += h(counts_.pair(other, c));
  }

  /// Gains of merging c with other classes: c is treated as a unit that lives alone in its class.
  void score_lanes(ClassId c, Worker& worker, Lanes lanes) const {
    score_contexts(counts_, worker.contexts, {counts_.out[c], counts_.in[c]}, lanes, worker.scores.data());
    const Count self = counts_.pair(c, c);
    const auto end = static_cast<ClassId>(std::min<std::size_t>(lanes.end, classes_));
    for (auto other = static_cast<ClassId>(lanes.begin); other < end; ++other) {
      const Count d = counts_.pair(other, other);
      const Count p = counts_.pair(c, other);
      const Count q = counts_.pair(other, c);
      worker.scores[other] += nats(h(d + p + q + self) - h(d + p) - h(d + q) + h(d) - worker.alone);
    }
  }

  /// All gains of c, by all threads, and by all ranks if it is worth a message: lanes do not depend on each other.
  void score_together(ClassId c) {
    Worker& shared = workers_[0];
    prepare(c, shared);
    const std::size_t lanes = shared.scores.size();
    const std::size_t contexts =
        shared.contexts.right.present().size() + shared.contexts.left.present().size();
    const base::Ranks ranks = contexts * lanes < kMinSharedWork ? base::Ranks() : crew_.ranks;
    const base::Share own = ranks.share(lanes / kLaneBlock);
    crew_.team.run(own.size(), kLossBlocksPerPiece, [&](unsigned, std::size_t begin, std::size_t end) {
      score_lanes(c, shared, {(own.begin + begin) * kLaneBlock, (own.begin + end) * kLaneBlock});
    });
    ranks.gather(std::span<float>(shared.scores), kLaneBlock);
  }

  float exact_gain(ClassId a, ClassId b) const {
    std::int64_t sum = 0;
    const auto joined = [&](Count x, Count y) { return h(x + y) - h(x) - h(y); };
    for (ClassId c = 0; c < classes_; ++c) {
      if (c == a || c == b) continue;
      const Count right_a = counts_.before.at(a, c);
      const Count right_b = counts_.before.at(b, c);
      if (right_a != 0 && right_b != 0) sum += joined(right_a, right_b);
      const Count left_a = counts_.after.at(a, c);
      const Count left_b = counts_.after.at(b, c);
      if (left_a != 0 && left_b != 0) sum += joined(left_a, left_b);
    }
    const Count aa = counts_.pair(a, a);
    const Count ab = counts_.pair(a, b);
    const Count ba = counts_.pair(b, a);
    const Count bb = counts_.pair(b, b);
    sum += h(aa + ab + ba + bb) - h(aa) - h(ab) - h(ba) - h(bb);
    sum -= joined(counts_.out[a], counts_.out[b]) + joined(counts_.in[a], counts_.in[b]);
    return nats(sum);
  }

  void find_best(ClassId c) {
    best_[c] = kNone;
    if (!alive_[c]) return;
    const float* row = &gain(c, 0);
    const ClassId best = best_class({row, classes_});
    if (row[best] > kNever) best_[c] = best;
  }

  void merge(ClassId kept, ClassId gone) {
    for (ClassId c = 0; c < classes_; ++c) {
      move_count(gone, c, kept, c);
    }
    for (ClassId c = 0; c < classes_; ++c) {
      move_count(c, gone, c, kept);
    }
    for (MarginalRow* row : {&counts_.out, &counts_.in}) {
      row->set(kept, (*row)[kept] + (*row)[gone]);
      row->set(gone, 0);
    }
    alive_[gone] = false;
    parent_[gone] = kept;
    if (!conflicts_.empty()) join_conflicts(kept, gone);
    score_together(kept);
    for (ClassId c = 0; c < classes_; ++c) {
      const bool possible = alive_[c] && c != kept && (conflicts_.empty() || !conflicts_[kept][c]);
      gain(kept, c) = gain(c, kept) = possible ? workers_[0].scores[c] : kNever;
      gain(gone, c) = gain(c, gone) = kNever;
    }
    for (ClassId c = 0; c < classes_; ++c) {
      if (c == kept || c == gone || best_[c] == kept || best_[c] == gone) {
        find_best(c);
      } else if (alive_[c] &&
                 (best_[c] == kNone ? gain(c, kept) > kNever : gain(c, kept) > gain(c, best_[c]))) {
        best_[c] = kept;
      }
    }
  }

  void move_count(ClassId left, ClassId right, ClassId new_left, ClassId new_right) {
    const Count n = counts_.pair(left, right);
    if (n == 0) return;
    counts_.set(left, right, 0);
    counts_.add(new_left, new_right, n);
  }

  void join_conflicts(ClassId kept, ClassId gone) {
    for (ClassId c = 0; c < classes_; ++c) {
      if (conflicts_[gone][c]) conflicts_[kept][c] = conflicts_[c][kept] = true;
    }
  }

  ClassCounts counts_;
  ClassId classes_;
  Conflicts conflicts_;
  std::vector<bool> alive_;
  base::AlignedVector<float> gains_;
  std::vector<ClassId> best_;
  std::vector<ClassId> parent_;
  base::Crew crew_;
  std::vector<Worker> workers_;
};

}  // namespace

std::vector<ClassId> merge_classes(State state, ClassId target, const Conflicts& conflicts,
                                   base::WorkerTeam& team, const RunOptions& run) {
  std::vector<ClassId> classes(state.class_of().begin(), state.class_of().end());
  const ClassId before = state.classes();
  MergeTable table(std::move(state).release_counts(), before, conflicts, team, run);
  for (ClassId left = before; left > target; --left) {
    run.check_stop();
    if (!table.merge_best()) {
      throw UsageError("the constraints leave no fewer than " + std::to_string(left) + " classes",
                       "ask for more classes, or drop some constraints");
    }
  }
  std::vector<ClassId> number(before, kNone);
  ClassId next = 0;
  for (ClassId c = 0; c < before; ++c) {
    if (table.root(c) == c) number[c] = next++;
  }
  for (ClassId& c : classes) c = number[table.root(c)];
  return classes;
}

}  // namespace firth::exchange
