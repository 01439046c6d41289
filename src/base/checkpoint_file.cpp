#include "base/checkpoint_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/stage.hpp"
#include "firth/error.hpp"

namespace firth {

void validate(const CheckpointOptions& options) {
  if (options.resume && options.file.empty()) {
    throw UsageError("there is no checkpoint to resume from", "name the checkpoint file",
                     "CheckpointOptions::file");
  }
}

namespace base {

CheckpointFile::CheckpointFile(const FileKind& kind, CheckpointOptions options, std::uint64_t fingerprint,
                               Ranks ranks)
    : kind_(kind), options_(std::move(options)), fingerprint_(fingerprint), ranks_(ranks) {}

void CheckpointFile::read(const std::function<void(SectionReader&)>& take) const {
  if (!is_kept() || !options_.resume) return;
  const bool found = ranks_.is_root() && exists(options_.file);
  if (ranks_.alone()) {
    if (found) read_bytes(MappedFile(options_.file).bytes(), take);
    return;
  }
  std::vector<std::byte> bytes;
  if (found) {
    const MappedFile file(options_.file);
    bytes.assign(file.bytes().begin(), file.bytes().end());
  }
  if (ranks_.any(found ? 1 : 0) == 0) return;
  ranks_.broadcast(bytes);
  read_bytes(bytes, take);
}

void CheckpointFile::read_bytes(std::span<const std::byte> bytes,
                                const std::function<void(SectionReader&)>& take) const {
  SectionReader reader(options_.file, bytes, kind_);
  const auto fingerprint = reader.take<std::uint64_t>(kFingerprintSection);
  if (fingerprint.size() != 1) reader.damaged("its fingerprint is missing");
  if (fingerprint[0] != fingerprint_) {
    throw FormatError(options_.file, "the checkpoint belongs to another input, other options or another seed",
                      std::string(kind_.remedy));
  }
  take(reader);
  reader.finish();
}

void CheckpointFile::damaged() const {
  throw FormatError(options_.file, "the checkpoint is damaged", std::string(kind_.remedy));
}

bool CheckpointFile::is_due() const {
  return is_kept() && std::chrono::duration<double>(Clock::now() - written_).count() >= options_.seconds;
}

bool CheckpointFile::write(std::span<const Section> sections) {
  if (!is_kept() || !ranks_.is_root()) return true;
  std::vector<Section> all = {make_section(kFingerprintSection, std::span(&fingerprint_, 1))};
  all.insert(all.end(), sections.begin(), sections.end());
  try {
    write_sections_now(options_.file, kind_, all);
    failure_.clear();
  } catch (const IoError& error) {
    failure_ = error.what();
  }
  written_ = Clock::now();
  return failure_.empty();
}

void CheckpointFile::report(const RunOptions& run) {
  if (failure_.empty() || warned_ || run.progress == nullptr) return;
  warned_ = true;
  warn(run, fmt::format("the checkpoint was not written: {}", failure_));
}

}  // namespace base
}  // namespace firth
