#include "base/section_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

#include "base/files.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint64_t kAlign = 64;

struct Header {
  std::array<char, 8> magic = {};
  std::uint32_t version = 0;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t file_bytes = 0;
  std::uint64_t section_count = 0;
  std::uint64_t table_checksum = 0;
  std::array<std::uint64_t, 3> reserved = {};
};
static_assert(sizeof(Header) == 64);

struct Row {
  std::uint32_t kind = 0;
  std::uint32_t reserved = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Row) == 32);

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlign - 1) / kAlign * kAlign;
}

}  // namespace

void write_sections(const std::string& path, const FileKind& kind, std::span<const Section> sections) {
  std::vector<Row> table;
  std::uint64_t offset = sizeof(Header) + sections.size() * sizeof(Row);
  for (const Section& section : sections) {
    offset = aligned(offset);
    table.push_back({section.kind, 0, offset, section.bytes.size(), checksum(section.bytes)});
    offset += section.bytes.size();
  }
  Header header;
  header.magic = kind.magic;
  header.version = kind.version;
  header.file_bytes = offset;
  header.section_count = sections.size();
  header.table_checksum = checksum(std::as_bytes(std::span(table)));
  OutputFile file(path);
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(std::as_bytes(std::span(table)));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    file.write(std::string(table[i].offset - file.position(), '\0'));
    file.write(sections[i].bytes);
  }
  file.commit();
}

SectionReader::SectionReader(std::string path, std::span<const std::byte> file, const FileKind& kind)
    : path_(std::move(path)), kind_(kind) {
  Header header;
  if (file.size() < sizeof(Header) || std::memcmp(file.data(), kind.magic.data(), kind.magic.size()) != 0) {
    throw FormatError(path_, fmt::format("this is not a {}", kind.name), kind.remedy);
  }
  std::memcpy(&header, file.data(), sizeof(Header));
  if (header.byte_order != kByteOrder) {
    throw FormatError(path_, fmt::format("the {} comes from a machine with another byte order", kind.name),
                      kind.remedy);
  }
  if (header.version != kind.version) {
    throw FormatError(
        path_,
        fmt::format("{} of version {}, this is for version {}", kind.name, header.version, kind.version),
        kind.remedy);
  }
  if (header.file_bytes != file.size()) damaged("its size is not what its header says");
  const std::uint64_t room = (file.size() - sizeof(Header)) / sizeof(Row);
  if (header.section_count > room) damaged("the table of sections does not fit");
  const auto table = file.subspan(sizeof(Header), header.section_count * sizeof(Row));
  if (checksum(table) != header.table_checksum) damaged("the checksum of the table of sections is wrong");
  for (std::uint64_t i = 0; i < header.section_count; ++i) {
    Row row;
    std::memcpy(&row, table.data() + i * sizeof(Row), sizeof(Row));
    const bool fits =
        row.offset % kAlign == 0 && row.offset <= file.size() && row.bytes <= file.size() - row.offset;
    if (!fits) damaged("a section lies outside of the file");
    sections_.push_back({row.kind, file.subspan(row.offset, row.bytes)});
    if (checksum(sections_.back().bytes) != row.checksum) damaged("a checksum is wrong");
  }
}

std::span<const std::byte> SectionReader::take_bytes(std::uint32_t kind, std::size_t element_bytes) {
  if (next_ == sections_.size() || sections_[next_].kind != kind) damaged("a section is missing");
  const std::span<const std::byte> bytes = sections_[next_++].bytes;
  if (bytes.size() % element_bytes != 0) damaged("a section has an impossible size");
  return bytes;
}

void SectionReader::finish() const {
  if (next_ != sections_.size()) damaged("there are sections too many");
}

void SectionReader::damaged(std::string_view details) const {
  throw FormatError(path_, fmt::format("the {} is damaged: {}", kind_.name, details), kind_.remedy);
}

}  // namespace firth::base
