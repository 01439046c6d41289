#include "counts/vocabulary_sections.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "base/string_table.hpp"

namespace firth::counts {
namespace {

bool in_order(const Vocabulary& words, WordId word) {
  if (words.count(word - 1) != words.count(word)) return words.count(word - 1) > words.count(word);
  return words.word(word - 1) < words.word(word);
}

/// Words of different counts may still be the same word.
bool has_repetition(const Vocabulary& words) {
  std::vector<std::string_view> all;
  all.reserve(words.size());
  for (WordId word = 0; word < words.size(); ++word) all.push_back(words.word(word));
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) != all.end();
}

}  // namespace

void add_vocabulary(const Vocabulary& words, const VocabularySections& kinds,
                    std::vector<base::Section>& sections) {
  sections.push_back(base::make_section(kinds.offsets, words.offsets()));
  sections.push_back(base::make_section(kinds.bytes, words.bytes()));
  sections.push_back(base::make_section(kinds.counts, words.counts()));
}

Vocabulary take_vocabulary(base::SectionReader& sections, const VocabularySections& kinds,
                           std::shared_ptr<const void> owner) {
  const auto offsets = sections.take<std::uint64_t>(kinds.offsets);
  const auto bytes = sections.take<char>(kinds.bytes);
  const auto counts = sections.take<Count>(kinds.counts);
  if (offsets.empty() && bytes.empty() && counts.empty()) return {};
  const bool fits = offsets.size() == counts.size() + 1 && base::are_offsets(offsets, bytes.size()) &&
                    counts.size() < std::numeric_limits<WordId>::max();
  if (!fits) sections.damaged("its words do not fit");
  return {offsets, {bytes.data(), bytes.size()}, counts, std::move(owner)};
}

void check_word_order(const base::SectionReader& sections, const Vocabulary& words) {
  for (WordId word = 1; word < words.size(); ++word) {
    if (!in_order(words, word)) sections.damaged("its words are not in order");
  }
  if (has_repetition(words)) sections.damaged("its words are not in order");
}

}  // namespace firth::counts
