#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/files.hpp"
#include "base/memory_file.hpp"
#include "counts/count/stitch.hpp"
#include "counts/file/count_file.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "text/byte_source.hpp"

namespace firth {
namespace {

using counts::RawCounts;

struct Meta {
  CountsInfo info;
  std::vector<int> distances;
};

Meta read_meta(const base::SectionReader& reader, std::span<const char> text) {
  Meta meta;
  try {
    const auto json = nlohmann::json::parse(text.begin(), text.end());
    json.at("tokens").get_to(meta.info.tokens);
    json.at("sequences").get_to(meta.info.sequences);
    json.at("restricted").get_to(meta.info.restricted);
    json.at("text_options").get_to(meta.info.text_options);
    json.at("distances").get_to(meta.distances);
  } catch (const nlohmann::json::exception&) {
    reader.damaged("its description cannot be read");
  }
  int last = 0;
  for (const int distance : meta.distances) {
    if (distance <= last || distance > static_cast<int>(counts::kMaxDistance)) {
      reader.damaged("its distances make no sense");
    }
    last = distance;
  }
  return meta;
}

}  // namespace

namespace counts {

void throw_damaged(const std::string& path, const std::string& details) {
  throw FormatError(path, "the count file is damaged: " + details, kCountFile.remedy);
}

}  // namespace counts

namespace {

Counts read_count_file(const std::string& path, std::span<const std::byte> bytes,
                       const std::shared_ptr<const void>& owner) {
  base::SectionReader reader(path, bytes, counts::kCountFile);
  const Meta meta = read_meta(reader, reader.take<char>(counts::kMeta));
  RawCounts raw;
  raw.word_offsets = reader.take<std::uint64_t>(counts::kWordOffsets);
  const auto word_bytes = reader.take<char>(counts::kWordBytes);
  raw.word_bytes = {word_bytes.data(), word_bytes.size()};
  raw.word_counts = reader.take<Count>(counts::kWordCounts);
  for (const int distance : meta.distances) {
    const auto number = static_cast<std::uint32_t>(distance);
    RawCounts::Pairs pairs;
    pairs.offsets = reader.take<std::uint64_t>(counts::kRowOffsets, number);
    pairs.rights = reader.take<WordId>(counts::kRights, number);
    pairs.counts = reader.take<Count>(counts::kPairCounts, number);
    raw.pairs.push_back(pairs);
  }
  reader.finish();
  counts::check_contents(path, raw);
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
  const auto& magic = counts::kCountFile.magic;
  return text::first_bytes(path, magic.size()) == std::string_view(magic.data(), magic.size());
}

}  // namespace firth
