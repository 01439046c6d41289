// The file that a run can be continued from: the fingerprint of the run, then sections of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/ranks.hpp"
#include "base/section_file.hpp"
#include "firth/checkpoint.hpp"
#include "firth/run.hpp"

namespace firth::base {

/// What to do with a checkpoint that cannot be used.
inline constexpr std::string_view kCheckpointRemedy = "remove the file to start from the beginning";

/// Kinds of the sections of a run begin after this one.
inline constexpr std::uint32_t kFingerprintSection = 1;

/// Reads and writes the checkpoint of one run. Rank 0 alone touches the file; all ranks read what it has.
class CheckpointFile {
 public:
  /// `kind` must outlive it. The fingerprint does not matter if the options name no file.
  CheckpointFile(const FileKind& kind, CheckpointOptions options, std::uint64_t fingerprint,
                 Ranks ranks = Ranks());

  /// Whether there is to be a file.
  bool is_kept() const noexcept { return !options_.file.empty(); }

  /// Calls `take` for what comes after the fingerprint, if the run is to continue and the file exists. Throws
  /// FormatError if it is damaged or belongs to another run.
  void read(const std::function<void(SectionReader&)>& take) const;

  /// FormatError: the file cannot come from this run.
  [[noreturn]] void damaged() const;

  /// Whether enough time has passed since the file was written, or the run began.
  bool is_due() const;
  /// Puts the sections after the fingerprint. A file that cannot be written does not end the run: false, and report()
  /// tells.
  bool write(std::span<const Section> sections);
  /// Warns, once, that the file could not be written.
  void report(const RunOptions& run);

 private:
  using Clock = std::chrono::steady_clock;

  void read_bytes(std::span<const std::byte> bytes, const std::function<void(SectionReader&)>& take) const;

  const FileKind& kind_;
  CheckpointOptions options_;
  std::uint64_t fingerprint_;
  Ranks ranks_;
  Clock::time_point written_ = Clock::now();
  std::string failure_;  // of the last write; empty = none
  bool warned_ = false;
};

}  // namespace firth::base
