// Files that are there complete or not at all, and files mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/pending_file.hpp"

namespace firth::base {

/// A file under construction. It has no name until commit() gives it one, so a killed process leaves nothing
/// behind (where the file system cannot do that, a hidden temporary name is used; the next writer in the folder
/// removes what a killed one left). "-" is standard output; it, devices and FIFOs are written straight into,
/// and a terminal is shown control characters as text. All functions throw IoError.
class OutputFile {
 public:
  explicit OutputFile(std::string path);

  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  std::uint64_t position() const noexcept { return position_; }
  const std::string& path() const noexcept { return file_.path(); }

  /// Writes what is buffered, syncs, and gives the file its name, replacing any file of that name; while a
  /// Transaction is open on this thread, the file gets its name with the others.
  void commit();

  /// The same at once, whatever else is open.
  void commit_now();

 private:
  void flush();
  void put(std::string_view bytes);
  void finish();
  void publish();

  PendingFile file_;
  bool is_terminal_;
  std::uint64_t position_ = 0;
  std::string buffer_;
};

/// A read-only mapping of a whole file.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

  /// Whether the file has been changed in place since it was mapped. Safe in a signal handler.
  bool has_changed() const noexcept;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t inode_ = 0;
  std::int64_t modified_ns_ = 0;
};

}  // namespace firth::base
