// Files of several arrays that are mapped into memory: header, table of sections, sections.
//
//   bytes 0..63    the header: magic, version, byte order, size of the file, number of sections, checksum
//                  of the table
//   then           the table: kind, number, offset, size, checksum (XXH3) of each section
//   then           the sections, each at a multiple of 64 bytes, gaps filled with zeros
//
// Every byte is covered: by a checksum, or because it must be zero.
//
// Numbers are in the byte order of the machine that wrote the file; a file of the other order is refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firth::base {

/// What kind of file it is.
struct FileKind {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::string_view name;    ///< "language model"
  std::string_view remedy;  ///< what to do with a damaged or foreign one
};

/// What a file is, by its first bytes: "a grammar", and what reads it. Empty if they say nothing.
struct KnownFile {
  std::string_view name;
  std::string_view advice;
};
KnownFile known_file(std::string_view begin) noexcept;

/// A section: what it is, which of several of that kind, and its content.
struct Section {
  std::uint32_t kind = 0;
  std::span<const std::byte> bytes;
  std::uint32_t number = 0;
};

template <typename Range>
Section make_section(std::uint32_t kind, const Range& values, std::uint32_t number = 0) {
  return {kind, std::as_bytes(std::span(values)), number};
}

/// Writes the file, complete or not at all. Throws IoError, UsageError if the name says that it is compressed.
void write_sections(const std::string& path, const FileKind& kind, std::span<const Section> sections);

/// The same for files that do not wait for the results of the run, whatever transaction is open: checkpoints.
void write_sections_now(const std::string& path, const FileKind& kind, std::span<const Section> sections);

/// The bytes that such a file has.
std::string section_bytes(const FileKind& kind, std::span<const Section> sections);

/// Goes through the sections of a file. Header, table and all checksums are checked first. Throws
/// FormatError.
class SectionReader {
 public:
  /// `file` must outlive the reader and everything taken from it; its start is aligned to 64 bytes.
  SectionReader(std::string path, std::span<const std::byte> file, const FileKind& kind);

  /// The next section, which must be of this kind and number.
  template <typename T>
  std::span<const T> take(std::uint32_t kind, std::uint32_t number = 0) {
    const std::span<const std::byte> bytes = take_bytes(kind, number, sizeof(T));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  /// Whether the next section is of this kind.
  bool has(std::uint32_t kind) const noexcept {
    return next_ < sections_.size() && sections_[next_].kind == kind;
  }

  /// Nothing may be left.
  void finish() const;

  /// "the NAME is damaged: `details`".
  [[noreturn]] void damaged(std::string_view details) const;

 private:
  std::span<const std::byte> take_bytes(std::uint32_t kind, std::uint32_t number, std::size_t element_bytes);

  std::string path_;
  FileKind kind_;
  std::vector<Section> sections_;
  std::size_t next_ = 0;
};

}  // namespace firth::base
