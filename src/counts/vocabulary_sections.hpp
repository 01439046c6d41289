// A vocabulary as three sections of a file: offsets, bytes, counts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/section_file.hpp"
#include "firth/counts.hpp"

namespace firth::counts {

/// Numbers of the sections.
struct VocabularySections {
  std::uint32_t offsets;  ///< 64 bits each, one more than words
  std::uint32_t bytes;    ///< all words, one after the other
  std::uint32_t counts;   ///< 64 bits each
};

void add_vocabulary(const Vocabulary& words, const VocabularySections& kinds,
                    std::vector<base::Section>& sections);

/// The next three sections, whose bytes `owner` keeps alive. Throws FormatError unless offsets fit the bytes.
Vocabulary take_vocabulary(base::SectionReader& sections, const VocabularySections& kinds,
                           std::shared_ptr<const void> owner);

/// Throws FormatError unless words are as Vocabulary promises: by falling count, then bytes, all different.
void check_word_order(const base::SectionReader& sections, const Vocabulary& words);

}  // namespace firth::counts
