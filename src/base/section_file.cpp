#include "base/section_file.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/file_system.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "firth/error.hpp"
#include "firth/files.hpp"

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

/// A row of the table of sections.
struct Row {
  std::uint32_t kind = 0;
  std::uint32_t number = 0;
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

/// How many threads compute the checksums of this many bytes: below some megabytes, waking them takes longer.
unsigned threads_for(std::uint64_t bytes) {
  constexpr std::uint64_t kMinShared = std::uint64_t{16} << 20;
  return bytes < kMinShared ? 1 : 0;
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
}

struct KnownBeginning {
  std::string_view begin;
  KnownFile file;
};

constexpr std::array kKnownBeginnings = {
    KnownBeginning{"\x89"
                   "FLM ",
                   {"a language model", "read it with load_lm()"}},
    KnownBeginning{"\x89"
                   "FHM ",
                   {"a hidden Markov model", "read it with load_hmm()"}},
    KnownBeginning{"\x89"
                   "FTG ",
                   {"a tagger", "read it with load_tagger()"}},
    KnownBeginning{"\x89"
                   "FPG ",
                   {"a grammar", "read it with load_lpcfg()"}},
    KnownBeginning{"\x89"
                   "FCNT",
                   {"a count file", "read it with load_counts()"}},
    KnownBeginning{"\x89"
                   "FNG ",
                   {"a file of n-grams", "read it with load_lm_counts()"}},
    KnownBeginning{"\x89"
                   "FCL ",
                   {"a clustering as bytes", "read it with Clustering::from_bytes()"}},
    KnownBeginning{"\x89"
                   "FWV ",
                   {"vectors as bytes", "read them with WordVectors::from_bytes()"}},
    KnownBeginning{"mmap lm http://kheafield.com/", {"a binary file of KenLM", "give the ARPA file"}},
    KnownBeginning{"\x93NUMPY", {"a NumPy array", "give the folder that it lies in"}},
    KnownBeginning{"%PDF-", {"a PDF", "extract its text first"}},
    KnownBeginning{"PK\x03\x04", {"a ZIP archive", "unpack it first"}},
    KnownBeginning{"7z\xbc\xaf\x27\x1c", {"a 7z archive", "unpack it first"}},
    KnownBeginning{"Rar!\x1a\x07", {"a RAR archive", "unpack it first"}},
    KnownBeginning{"\xd0\xcf\x11\xe0", {"a document of an office program", "save it as text or CSV"}},
    KnownBeginning{"PAR1\x15", {"a Parquet file", "write its text as JSON lines or CSV"}},
    KnownBeginning{"\x89PNG\r\n", {"a picture", "leave it out"}},
    KnownBeginning{"\xff\xd8\xff", {"a picture", "leave it out"}},
};

/// Gives the bytes of the file to `put`, piece by piece.
template <class Put>
void put_sections(const FileKind& kind, std::span<const Section> sections, const Put& put) {
  std::vector<Row> table;
  std::uint64_t offset = sizeof(Header) + sections.size() * sizeof(Row);
  for (const Section& section : sections) {
    offset = aligned(offset);
    table.push_back({section.kind, section.number, offset, section.bytes.size(), 0});
    offset += section.bytes.size();
  }
  parallel_for(table.size(), 1, threads_for(offset),
               [&](std::size_t i, std::size_t) { table[i].checksum = checksum(sections[i].bytes); });
  Header header;
  header.magic = kind.magic;
  header.version = kind.version;
  header.file_bytes = offset;
  header.section_count = sections.size();
  header.table_checksum = checksum(std::as_bytes(std::span(table)));
  put(std::as_bytes(std::span(&header, 1)));
  put(std::as_bytes(std::span(table)));
  std::uint64_t position = sizeof(Header) + table.size() * sizeof(Row);
  constexpr std::array<std::byte, kAlign> kZeros = {};
  for (std::size_t i = 0; i < sections.size(); ++i) {
    put(std::span(kZeros).first(table[i].offset - position));
    put(sections[i].bytes);
    position = table[i].offset + sections[i].bytes.size();
  }
}

/// Fills `sections`. Says what is wrong with them, or nothing.
std::string_view read_rows(std::span<const std::byte> file, std::span<const Row> rows,
                           std::vector<Section>& sections) {
  std::uint64_t end = sizeof(Header) + rows.size() * sizeof(Row);
  for (const Row& row : rows) {
    const bool fits =
        row.offset == aligned(end) && row.offset <= file.size() && row.bytes <= file.size() - row.offset;
    if (!fits) return "a section lies outside of its place";
    if (!is_zero(file.subspan(end, row.offset - end))) return "there is something between two sections";
    end = row.offset + row.bytes;
    sections.push_back({row.kind, file.subspan(row.offset, row.bytes), row.number});
  }
  if (end != file.size()) return "there is something after the last section";
  std::atomic<bool> right = true;
  parallel_for(rows.size(), 1, threads_for(file.size()), [&](std::size_t i, std::size_t) {
    if (checksum(sections[i].bytes) != rows[i].checksum) right = false;
  });
  return right ? std::string_view() : "a checksum is wrong";
}

/// A text in the place of a model: the arguments are perhaps the wrong way round.
void refuse_text(const std::string& path, std::span<const std::byte> file, const FileKind& kind) {
  constexpr std::size_t kLookAt = 1000;
  const auto is_control = [](std::byte byte) {
    const auto c = static_cast<unsigned char>(byte);
    return c < ' ' && c != '\n' && c != '\t' && c != '\r';
  };
  const auto begin = file.first(std::min(file.size(), kLookAt));
  const bool is_trained = std::string_view(kind.remedy).find("train it again") != std::string_view::npos;
  if (begin.empty() || !is_trained || std::any_of(begin.begin(), begin.end(), is_control)) return;
  throw FormatError(path, fmt::format("this is text, not a {}", kind.name),
                    fmt::format("a {} is named before the text", kind.name));
}

/// Makes a folder; removes it again, with those above it that were made, if nothing came into them.
class NewFolder {
 public:
  explicit NewFolder(std::string path) : path_(std::move(path)), missing_(missing_part(path_)) {
    make_folder(path_);
  }
  ~NewFolder() {
    if (missing_.first.empty()) return;
    for (std::string path = path_; path != missing_.existing && path != "."; path = folder_of(path))
      if (::rmdir(path.c_str()) != 0) return;
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

 private:
  std::string path_;
  MissingPath missing_;
};

}  // namespace

KnownFile known_file(std::string_view begin) noexcept {
  for (const KnownBeginning& known : kKnownBeginnings) {
    if (begin.starts_with(known.begin)) return known.file;
  }
  constexpr std::size_t kTarPlace = 257;
  if (begin.size() > kTarPlace && begin.substr(kTarPlace).starts_with("ustar"))
    return {"a tar archive", "unpack it first"};
  constexpr std::size_t kBlockPlace = 4;  // after "BZh" and a digit
  if (begin.starts_with("BZh") && begin.size() > kBlockPlace &&
      begin.substr(kBlockPlace).starts_with("1AY&SY"))
    return {"compressed by bzip2", "unpack it first: bunzip2"};
  return {};
}

void write_sections(const std::string& path, const FileKind& kind, std::span<const Section> sections) {
  if (const std::string_view ending = compressed_ending(path); !ending.empty()) {
    throw UsageError(fmt::format("{}: a {} is mapped into memory, and cannot be compressed", path, kind.name),
                     fmt::format("leave out {}", ending));
  }
  OutputFile file(path);
  put_sections(kind, sections, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

void write_sections_now(const std::string& path, const FileKind& kind, std::span<const Section> sections) {
  const NewFolder folder(folder_of(path));  // that of the results, which may not be there yet
  OutputFile file(path);
  put_sections(kind, sections, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit_now();
}

std::string section_bytes(const FileKind& kind, std::span<const Section> sections) {
  std::string all;
  put_sections(kind, sections, [&](std::span<const std::byte> bytes) {
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return all;
}

SectionReader::SectionReader(std::string path, std::span<const std::byte> file, const FileKind& kind)
    : path_(std::move(path)), kind_(kind) {
  Header header;
  if (file.size() < sizeof(Header) || std::memcmp(file.data(), kind.magic.data(), kind.magic.size()) != 0) {
    const KnownFile known = known_file({reinterpret_cast<const char*>(file.data()), file.size()});
    if (!known.name.empty())
      throw FormatError(path_, fmt::format("this is {}, not a {}", known.name, kind.name), known.advice);
    refuse_text(path_, file, kind);
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
  if (header.reserved != Header{}.reserved) damaged("its header is wrong");
  const std::uint64_t room = (file.size() - sizeof(Header)) / sizeof(Row);
  if (header.section_count > room) damaged("the table of sections does not fit");
  const auto table = file.subspan(sizeof(Header), header.section_count * sizeof(Row));
  if (checksum(table) != header.table_checksum) damaged("the checksum of the table of sections is wrong");
  std::vector<Row> rows(header.section_count);
  if (!rows.empty()) std::memcpy(rows.data(), table.data(), table.size());
  const std::string_view problem = read_rows(file, rows, sections_);
  if (!problem.empty()) damaged(problem);
}

std::span<const std::byte> SectionReader::take_bytes(std::uint32_t kind, std::uint32_t number,
                                                     std::size_t element_bytes) {
  if (!has(kind) || sections_[next_].number != number) damaged("a section is missing");
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
