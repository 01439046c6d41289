// Files that are there complete or not at all, and files mapped into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace firth::base {

/// A file under construction. It has no name until commit() gives it one, so a killed process leaves nothing
/// behind (where the file system cannot do that, a hidden temporary name is used and removed on failure).
/// All functions throw IoError.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  std::uint64_t position() const noexcept { return position_; }
  const std::string& path() const noexcept { return path_; }

  /// Replaces bytes already written, e.g. a header.
  void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);

  /// Writes what is buffered, syncs, and gives the file its name, replacing any file of that name.
  void commit();

 private:
  void flush();

  std::string path_;
  std::string temporary_name_;
  int descriptor_ = -1;
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

  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace firth::base
