// Scratch space on disk that vanishes with the process, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace firth::base {

/// A file without a name: not even a killed process leaves it behind. Appends and reads may come from
/// several threads at once. All functions throw IoError naming the folder.
class TempFile {
 public:
  /// `folder` empty = the system's folder for temporary files.
  explicit TempFile(const std::string& folder);
  ~TempFile();
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
  void read_at(std::uint64_t offset, std::span<std::byte> bytes) const;

  /// The first `size` bytes, mapped; the mapping outlives this object.
  std::shared_ptr<const void> map(std::uint64_t size) const;
  /// The same to be written to; room for it is taken on the disk at once.
  std::shared_ptr<void> map_writable(std::uint64_t size) const;

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace firth::base
