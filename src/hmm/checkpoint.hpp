// What a training needs in order to go on after it was interrupted: each restart between two of its iterations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/checkpoint_file.hpp"
#include "firth/hmm.hpp"
#include "hmm/expectation.hpp"
#include "hmm/text.hpp"

namespace firth::hmm {

/// One restart between two iterations. What an algorithm does not need is empty.
struct Snapshot {
  bool penalised = false;                  ///< sparse: the iterations of plain EM beforehand are over
  std::vector<double> objective = {};      ///< what each iteration reached; at least one
  Expected counts = {};                    ///< that the next model is made of; gibbs: the sum of the samples
  std::vector<std::uint32_t> states = {};  ///< gibbs: of each token
  std::array<std::uint64_t, 4> rng = {};   ///< gibbs
  std::vector<double> penalties = {};      ///< sparse: SparseExpectation::penalties()
  double step = 0;                         ///< sparse: SparseExpectation::step()
};

/// Snapshots of all restarts of a training, in memory and in the file. May be used from several threads at once.
class TrainingCheckpoint {
 public:
  /// Reads the file, if the options ask for that and it exists. Throws FormatError if it is damaged or belongs to
  /// another training.
  TrainingCheckpoint(const Text& text, const HmmOptions& options, const RunOptions& run);

  /// Whether snapshots are wanted.
  bool is_kept() const noexcept { return file_.is_kept(); }

  /// Where a restart is to go on; nothing = at its beginning.
  std::optional<Snapshot> find(std::uint32_t restart) const;
  /// What a restart reached that has finished and was not the best: there is nothing to do for it any more.
  std::optional<double> find_beaten(std::uint32_t restart) const;

  /// Keeps a snapshot in place of the one before, and writes the file if it is time.
  void put(std::uint32_t restart, Snapshot snapshot);
  /// A restart has come to its end. Of those that have, the best alone keeps its snapshot.
  void finish(std::uint32_t restart, double reached);

  /// Writes what has changed.
  void write();
  /// Warns, once, that the file could not be written.
  void report(const RunOptions& run);

  /// Bytes of a snapshot.
  static std::uint64_t bytes(const Text& text, const HmmOptions& options);

 private:
  void write_locked();
  void read(base::SectionReader& reader);
  bool fits(const Snapshot& snapshot) const;
  bool gibbs_fits(const Snapshot& snapshot) const;

  const Text& text_;
  const HmmOptions& options_;
  base::CheckpointFile file_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, Snapshot> snapshots_;
  std::map<std::uint32_t, double> reached_;  // by restarts that have finished
  bool changed_ = false;
};

/// gibbs: the last sweeps of a restart, whose samples are averaged: one alone is noisy.
std::uint32_t averaged_sweeps(const HmmOptions& options);

/// Whether the first of two restarts is the one to keep: the higher one, or of equal ones the earlier.
bool is_better(std::pair<const std::uint32_t, double> one, std::pair<const std::uint32_t, double> other);

/// One restart of a training.
struct Restart {
  std::uint32_t number = 0;
  std::uint64_t seed = 0;
  TrainingCheckpoint& checkpoint;
};

}  // namespace firth::hmm
