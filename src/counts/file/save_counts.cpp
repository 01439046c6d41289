#include <xxhash.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/parallel.hpp"
#include "counts/file/count_file.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth {
namespace {

using counts::Section;
using counts::SectionKind;

struct Content {
  SectionKind kind;
  std::uint32_t distance;
  std::span<const std::byte> bytes;
};

std::string meta_text(const Counts& counts) {
  const CountsInfo& info = counts.info();
  // Sorted keys, no spaces: one text for one content.
  const nlohmann::json meta = {{"tokens", info.tokens},
                               {"sequences", info.sequences},
                               {"restricted", info.restricted},
                               {"text_options", info.text_options},
                               {"distances", counts.distances()}};
  return meta.dump();
}

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + counts::kSectionAlign - 1) / counts::kSectionAlign * counts::kSectionAlign;
}

std::vector<Content> contents_of(const Counts& counts, const std::string& meta) {
  const Vocabulary& words = counts.vocabulary();
  std::vector<Content> contents = {
      {SectionKind::meta, 0, std::as_bytes(std::span(meta))},
      {SectionKind::word_offsets, 0, std::as_bytes(words.offsets())},
      {SectionKind::word_bytes, 0, std::as_bytes(std::span(words.bytes()))},
      {SectionKind::word_counts, 0, std::as_bytes(words.counts())},
  };
  for (const int distance : counts.distances()) {
    const PairCounts& pairs = counts.pairs_at(distance);
    const auto d = static_cast<std::uint32_t>(distance);
    contents.push_back({SectionKind::row_offsets, d, std::as_bytes(pairs.offsets())});
    contents.push_back({SectionKind::rights, d, std::as_bytes(pairs.rights())});
    contents.push_back({SectionKind::pair_counts, d, std::as_bytes(pairs.counts())});
  }
  return contents;
}

std::vector<Section> lay_out(const std::vector<Content>& contents) {
  std::vector<Section> sections(contents.size());
  std::uint64_t offset = sizeof(counts::Header) + sections.size() * sizeof(Section);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    offset = aligned(offset);
    sections[i] = {contents[i].kind, contents[i].distance, offset, contents[i].bytes.size(), 0};
    offset += contents[i].bytes.size();
  }
  base::parallel_for(contents.size(), 1, 0, [&](std::size_t i, std::size_t) {
    sections[i].checksum = XXH3_64bits(contents[i].bytes.data(), contents[i].bytes.size());
  });
  return sections;
}

/// Gives the bytes of the file to `put`, piece by piece.
template <class Put>
void put_counts(const Counts& counts, const Put& put) {
  const std::string meta = meta_text(counts);
  const std::vector<Content> contents = contents_of(counts, meta);
  const std::vector<Section> sections = lay_out(contents);
  const auto table = std::as_bytes(std::span(sections));
  counts::Header header;
  header.section_count = sections.size();
  header.file_bytes = sections.back().offset + sections.back().bytes;
  header.table_checksum = XXH3_64bits(table.data(), table.size());
  put(std::as_bytes(std::span(&header, 1)));
  put(table);
  std::uint64_t position = sizeof(header) + table.size();
  constexpr std::array<std::byte, counts::kSectionAlign> kZeros = {};
  for (std::size_t i = 0; i < contents.size(); ++i) {
    put(std::span(kZeros).first(sections[i].offset - position));
    put(contents[i].bytes);
    position = sections[i].offset + contents[i].bytes.size();
  }
}

}  // namespace

void save_counts(const std::string& path, const Counts& counts) {
  base::OutputFile file(path);
  put_counts(counts, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::string Counts::to_bytes() const {
  std::string all;
  put_counts(*this, [&](std::span<const std::byte> bytes) {
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return all;
}

}  // namespace firth
