// The words of a grammar in its file, and how they are spelled: text, left out if they stay as they are.
#pragma once

#include <cstdint>
#include <string>

#include "base/section_file.hpp"
#include "base/string_table.hpp"
#include "text/text_options.hpp"
#include "treebank/interner.hpp"

namespace firth::grammar {

inline base::StringTable names_of(const treebank::Interner& words) {
  base::StringTable names;
  for (std::uint32_t i = 0; i < words.size(); ++i) names.add(words[i]);
  return names;
}

inline std::string spelling_text(const Preprocessing& spelling) {
  return spelling == Preprocessing{} ? std::string() : text::describe(spelling);
}

inline Preprocessing take_spelling(base::SectionReader& sections, std::uint32_t kind) {
  if (!sections.has(kind)) return {};
  const auto bytes = sections.take<char>(kind);
  const auto stored = text::parse_preprocessing({bytes.data(), bytes.size()});
  if (!stored) sections.damaged("its way with words is not known");
  return *stored;
}

}  // namespace firth::grammar
