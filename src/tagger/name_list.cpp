#include "tagger/name_list.hpp"

#include <fmt/format.h>

#include "firth/error.hpp"
#include "firth/tagger.hpp"
#include "tagger/word_features.hpp"
#include "text/line_reader.hpp"
#include "text/line_walk.hpp"

namespace firth {
namespace tagger {
namespace {

constexpr Hash kNameFeature = 301;

Hash longer(Hash beginning, Hash word) {
  return combine(beginning, word);
}

/// The number of words of the longest name that begins at `first`; 0 if there is none.
std::size_t longest_name(const NameTable& table, std::span<const Hash> lower, std::size_t first) {
  std::size_t longest = 0;
  Hash hash = kNameFeature;
  for (std::size_t end = first; end < lower.size(); ++end) {
    hash = longer(hash, lower[end]);
    if (table.names.find(hash) != FeatureIndex::kNone) longest = end + 1 - first;
    if (table.beginnings.find(hash) == FeatureIndex::kNone) break;
  }
  return longest;
}

}  // namespace

void NameTable::add(std::string_view name, text::UnicodeWords& unicode) {
  Hash hash = kNameFeature;
  Hash before = 0;
  for (std::string_view word = text::next_field(name); !word.empty(); word = text::next_field(name)) {
    if (before != 0) beginnings.find_or_add(before);
    hash = longer(hash, lower_hash(unicode.lower(word)));
    before = hash;
  }
  if (before != 0) names.find_or_add(hash);
}

void mark_names(const NameTable& table, std::span<const Hash> lower, std::vector<NameMark>& marks) {
  marks.assign(lower.size(), NameMark::none);
  for (std::size_t i = 0; i < lower.size();) {
    const std::size_t words = longest_name(table, lower, i);
    for (std::size_t k = 0; k < words; ++k) marks[i + k] = NameMark::middle;
    if (words > 1) {
      marks[i] = NameMark::first;
      marks[i + words - 1] = NameMark::last;
    } else if (words == 1) {
      marks[i] = NameMark::whole;
    }
    i += std::max<std::size_t>(words, 1);
  }
}

void add_name_features(std::span<const std::vector<NameMark>> marks, std::size_t i,
                       std::vector<Hash>& hashes) {
  for (std::size_t list = 0; list < marks.size(); ++list) {
    for (int offset = -1; offset <= 1; ++offset) {
      const std::size_t at = i + static_cast<std::size_t>(offset + 1);  // one too far to the right
      if (at == 0 || at > marks[list].size() || marks[list][at - 1] == NameMark::none) continue;
      const Hash mark = combine(list + 1, static_cast<Hash>(marks[list][at - 1]));
      hashes.push_back(combine(kNameFeature, at_offset(mark, offset)));
    }
  }
}

}  // namespace tagger

NameList load_names(const Inputs& inputs, const RunOptions& run) {
  NameList list;
  text::LineReader lines(inputs, run);
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    if (!text::next_field(rest).empty()) list.names.emplace_back(line);
  }
  if (list.names.empty())
    throw InputError({inputs.first_name()}, "there are no names in it", "write one name per line");
  return list;
}

}  // namespace firth
