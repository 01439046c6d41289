// A singular value decomposition that is kept in a file, so that a run that was killed need not make it again.
#pragma once

#include <cstddef>
#include <optional>

#include "base/checkpoint_file.hpp"
#include "firth/embed.hpp"
#include "linalg/truncated_svd.hpp"

namespace firth::vectors {

/// The checkpoint of EmbedOptions. What is done with the vectors afterwards does not matter to it.
template <typename T>
class SvdCheckpoint {
 public:
  /// All must outlive it.
  SvdCheckpoint(const Counts& counts, const EmbedOptions& options, const RunOptions& run);

  /// What is in the file, on every rank, if the options ask for that and it exists. Throws FormatError if it is damaged
  /// or belongs to another run.
  std::optional<linalg::SvdResult<T>> load() const;

  /// A file that cannot be written does not end the run: there is a warning.
  void save(const linalg::SvdResult<T>& svd);

 private:
  linalg::SvdResult<T> read(base::SectionReader& reader) const;

  const RunOptions& run_;
  std::size_t words_;
  std::size_t rank_;  // at most
  base::CheckpointFile file_;
};

}  // namespace firth::vectors
