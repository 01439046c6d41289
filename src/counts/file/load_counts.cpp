#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/files.hpp"
#include "base/memory_file.hpp"
#include "base/parallel.hpp"
#include "counts/count/stitch.hpp"
#include "counts/file/count_file.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "text/byte_source.hpp"

namespace firth {
namespace {

using counts::Header;
using counts::kSectionAlign;
using counts::RawCounts;
using counts::Section;
using counts::SectionKind;
using counts::throw_damaged;

constexpr std::uint64_t kMaxSections = 4 + 3 * counts::kMaxDistance;

struct Meta {
  CountsInfo info;
  std::vector<int> distances;
};

// The bytes of a file and the walk over its sections.
class SectionReader {
 public:
  SectionReader(const std::string& path, std::span<const std::byte> file) : path_(path), file_(file) {
    read_header();
    read_table();
    check_sections();
  }

  /// The next section, which must be of this kind; `T` is the type of its elements.
  template <typename T>
  std::span<const T> take(SectionKind kind, std::uint32_t distance = 0) {
    if (next_ == table_.size() || table_[next_].kind != kind || table_[next_].distance != distance) {
      throw_damaged(path_, "a section is missing");
    }
    const Section& section = table_[next_++];
    if (section.bytes % sizeof(T) != 0) throw_damaged(path_, "a section has an impossible size");
    return {reinterpret_cast<const T*>(file_.data() + section.offset), section.bytes / sizeof(T)};
  }

  void finish() const {
    if (next_ != table_.size()) throw_damaged(path_, "there are sections too many");
  }

  /// What is in no checksum must be zero.
  void check_gaps() const {
    std::uint64_t end = sizeof(Header) + table_.size() * sizeof(Section);
    for (const Section& section : table_) {
      const auto gap = file_.subspan(end, section.offset - end);
      if (std::any_of(gap.begin(), gap.end(), [](std::byte byte) { return byte != std::byte{0}; }))
        throw_damaged(path_, "there is something between two sections");
      end = section.offset + section.bytes;
    }
    if (end != file_.size()) throw_damaged(path_, "there is something after the last section");
  }

 private:
  void read_header() {
    if (file_.size() < sizeof(Header)) {
      throw FormatError(path_, "not a count file, or a truncated one", "make it with save_counts()");
    }
    std::memcpy(&header_, file_.data(), sizeof(Header));
    if (header_.magic != counts::kCountMagic) {
      throw FormatError(path_, "not a count file", "make one with save_counts()");
    }
    if (header_.byte_order != counts::kByteOrder) {
      throw FormatError(path_, "the count file comes from a machine with another byte order",
                        "count the text again on this machine");
    }
    if (header_.version != counts::kCountVersion) {
      throw FormatError(path_,
                        "count file of version " + std::to_string(header_.version) +
                            ", this is for version " + std::to_string(counts::kCountVersion),
                        "count the text again with this version");
    }
    if (header_.reserved != Header{}.reserved) throw_damaged(path_, "its header is wrong");
    if (header_.file_bytes != file_.size()) throw_damaged(path_, "its size is not what its header says");
  }

  void read_table() {
    const std::uint64_t room = (file_.size() - sizeof(Header)) / sizeof(Section);
    if (header_.section_count == 0 || header_.section_count > kMaxSections || header_.section_count > room) {
      throw_damaged(path_, "the table of sections does not fit");
    }
    table_.resize(header_.section_count);
    const std::size_t bytes = table_.size() * sizeof(Section);
    std::memcpy(table_.data(), file_.data() + sizeof(Header), bytes);
    if (XXH3_64bits(table_.data(), bytes) != header_.table_checksum) {
      throw_damaged(path_, "the checksum of the table of sections is wrong");
    }
  }

  void check_sections() const {
    std::uint64_t end = sizeof(Header) + table_.size() * sizeof(Section);
    for (const Section& section : table_) {
      const std::uint64_t place = (end + kSectionAlign - 1) / kSectionAlign * kSectionAlign;
      const bool fits = section.offset == place && section.offset <= file_.size() &&
                        section.bytes <= file_.size() - section.offset;
      if (!fits) throw_damaged(path_, "a section lies outside of its place");
      end = section.offset + section.bytes;
    }
    std::atomic<bool> right = true;
    base::parallel_for(table_.size(), 1, 0, [&](std::size_t i, std::size_t) {
      if (XXH3_64bits(file_.data() + table_[i].offset, table_[i].bytes) != table_[i].checksum) right = false;
    });
    if (!right) throw_damaged(path_, "a checksum is wrong");
  }

  const std::string& path_;
  std::span<const std::byte> file_;
  Header header_;
  std::vector<Section> table_;
  std::size_t next_ = 0;
};

Meta read_meta(const std::string& path, std::span<const char> text) {
  Meta meta;
  try {
    const auto json = nlohmann::json::parse(text.begin(), text.end());
    json.at("tokens").get_to(meta.info.tokens);
    json.at("sequences").get_to(meta.info.sequences);
    json.at("restricted").get_to(meta.info.restricted);
    json.at("text_options").get_to(meta.info.text_options);
    json.at("distances").get_to(meta.distances);
  } catch (const nlohmann::json::exception&) {
    throw_damaged(path, "its description cannot be read");
  }
  int last = 0;
  for (const int distance : meta.distances) {
    if (distance <= last || distance > static_cast<int>(counts::kMaxDistance)) {
      throw_damaged(path, "its distances make no sense");
    }
    last = distance;
  }
  return meta;
}

}  // namespace

namespace counts {

void throw_damaged(const std::string& path, const std::string& details) {
  throw FormatError(path, "the count file is damaged: " + details, "copy it again, or count the text again");
}

}  // namespace counts

namespace {

Counts read_count_file(const std::string& path, std::span<const std::byte> bytes,
                       const std::shared_ptr<const void>& owner) {
  SectionReader reader(path, bytes);
  const Meta meta = read_meta(path, reader.take<char>(SectionKind::meta));
  RawCounts raw;
  raw.word_offsets = reader.take<std::uint64_t>(SectionKind::word_offsets);
  const auto word_bytes = reader.take<char>(SectionKind::word_bytes);
  raw.word_bytes = {word_bytes.data(), word_bytes.size()};
  raw.word_counts = reader.take<Count>(SectionKind::word_counts);
  for (const int distance : meta.distances) {
    const auto d = static_cast<std::uint32_t>(distance);
    RawCounts::Pairs pairs;
    pairs.offsets = reader.take<std::uint64_t>(SectionKind::row_offsets, d);
    pairs.rights = reader.take<WordId>(SectionKind::rights, d);
    pairs.counts = reader.take<Count>(SectionKind::pair_counts, d);
    raw.pairs.push_back(pairs);
  }
  reader.finish();
  counts::check_contents(path, raw);
  reader.check_gaps();
  std::vector<PairCounts> pairs;
  for (const RawCounts::Pairs& p : raw.pairs) pairs.emplace_back(p.offsets, p.rights, p.counts, owner);
  return {Vocabulary(raw.word_offsets, raw.word_bytes, raw.word_counts, owner), meta.distances,
          std::move(pairs), meta.info};
}

}  // namespace

Counts load_counts(const std::string& path) {
  const auto file = std::make_shared<const base::MappedFile>(path);
  return read_count_file(path, file->bytes(), file);
}

Counts Counts::from_bytes(std::string_view bytes) {
  const auto file = std::make_shared<const base::MemoryFile>(bytes);
  return read_count_file(base::kMemoryName, file->bytes(), file);
}

bool is_count_file(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  // Neither folders nor pipes: the first bytes of a pipe could not be given back.
  if (!failure && !std::filesystem::is_regular_file(status)) return false;
  if (path == text::kStandardInput) return false;
  const std::string begin = text::first_bytes(path, counts::kCountMagic.size());
  return std::equal(begin.begin(), begin.end(), counts::kCountMagic.begin(), counts::kCountMagic.end());
}

}  // namespace firth
