#include <nlohmann/json.hpp>

#include "counts/file/count_file.hpp"
#include "firth/count.hpp"

namespace firth {
namespace {

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

std::vector<base::Section> sections_of(const Counts& counts, const std::string& meta) {
  const Vocabulary& words = counts.vocabulary();
  std::vector<base::Section> sections = {base::make_section(counts::kMeta, meta),
                                         base::make_section(counts::kWordOffsets, words.offsets()),
                                         base::make_section(counts::kWordBytes, words.bytes()),
                                         base::make_section(counts::kWordCounts, words.counts())};
  for (const int distance : counts.distances()) {
    const PairCounts& pairs = counts.pairs_at(distance);
    const auto number = static_cast<std::uint32_t>(distance);
    sections.push_back(base::make_section(counts::kRowOffsets, pairs.offsets(), number));
    sections.push_back(base::make_section(counts::kRights, pairs.rights(), number));
    sections.push_back(base::make_section(counts::kPairCounts, pairs.counts(), number));
  }
  return sections;
}

}  // namespace

void save_counts(const std::string& path, const Counts& counts) {
  const std::string meta = meta_text(counts);
  base::write_sections(path, counts::kCountFile, sections_of(counts, meta));
}

std::string Counts::to_bytes() const {
  const std::string meta = meta_text(*this);
  return base::section_bytes(counts::kCountFile, sections_of(*this, meta));
}

}  // namespace firth
