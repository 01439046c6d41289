// Files to write from front to back: compressed if their name says so.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace firth::text {

/// Takes bytes, and gives them compressed.
class Compressor {
 public:
  virtual ~Compressor() = default;
  /// `last`: nothing follows.
  virtual void add(std::string_view bytes, bool last, base::OutputFile& file) = 0;
};

/// An output file of text, or of numbers that are not mapped into memory. A name that ends in .gz, .zst or .xz makes it
/// gzip, zstd or xz; the same text gives the same bytes. All functions throw IoError.
class TextFile {
 public:
  explicit TextFile(const std::string& path);

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);

  /// As base::OutputFile::commit().
  void commit();

 private:
  base::OutputFile file_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace firth::text
