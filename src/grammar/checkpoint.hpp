// What the training of grammars by EM needs in order to go on after it was interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/checkpoint_file.hpp"
#include "firth/lpcfg.hpp"
#include "grammar/latent_parameters.hpp"

namespace firth::grammar {

/// A grammar between two steps of EM.
struct EmState {
  std::uint32_t step = 0;  ///< steps made
  LatentParameters parameters = {};
};

/// The grammars of a run, those that are finished and the one that is being learned, in memory and in the file.
class GrammarCheckpoint {
 public:
  /// The run learns the grammars of these models one after the other. Reads the file, if the options of the first ask
  /// for that and it exists. Throws FormatError if it is damaged or belongs to another run.
  GrammarCheckpoint(std::span<const LpcfgTrainOptions> models, const RunOptions& run);

  bool is_kept() const noexcept { return file_.is_kept(); }

  /// Where a grammar is to go on, by its number in the run; nothing = at its beginning. Throws FormatError if it was
  /// learned from other trees.
  std::optional<EmState> find(std::size_t number, const TrainingNodes& trees,
                              const LatentOptions& options) const;

  /// Keeps the state of a grammar in place of the one before, and writes the file if it is time.
  void put(std::size_t number, const TrainingNodes& trees, const EmState& state, const RunOptions& run);

  /// Writes what has changed, and warns, once, if that cannot be done.
  void write(const RunOptions& run);

 private:
  struct Entry {
    std::uint64_t trees = 0;  ///< fingerprint
    EmState state;
  };

  void read(base::SectionReader& reader);
  void write_now(const RunOptions& run);

  std::string path_;
  base::CheckpointFile file_;
  std::size_t grammars_ = 0;  // of the run
  std::vector<Entry> entries_;
  bool changed_ = false;
};

/// A grammar of a run.
struct GrammarPlace {
  GrammarCheckpoint& checkpoint;
  std::size_t number = 0;
};

}  // namespace firth::grammar
