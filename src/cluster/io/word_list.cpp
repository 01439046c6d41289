#include "cluster/io/word_list.hpp"

#include <fmt/format.h>

#include "cluster/io/text_table.hpp"
#include "firth/error.hpp"
#include "text/word_order.hpp"

namespace firth::clusters {
namespace {

void check_entries(const std::string& name, const std::vector<WordEntry>& entries) {
  if (entries.empty()) throw InputError({name}, "there is no word in the file");
  std::unordered_map<std::string_view, std::uint64_t> line_of;
  line_of.reserve(entries.size());
  Count total = 0;
  for (const WordEntry& entry : entries) {
    if (entry.word.empty()) throw InputError({name, entry.line}, "the word is empty");
    const auto [known, fresh] = line_of.emplace(entry.word, entry.line);
    if (!fresh) {
      const std::string first = entry.line > 0 ? fmt::format(", first in line {}", known->second) : "";
      throw InputError({name, entry.line},
                       fmt::format("the word '{}' comes twice{}", shown(entry.word), first),
                       "a word can be in one class only");
    }
    if (__builtin_add_overflow(total, entry.count, &total)) {
      throw InputError({name, entry.line}, "the counts add up to more than 64 bits hold");
    }
  }
}

}  // namespace

WordList make_word_list(const std::string& name, const std::vector<WordEntry>& entries) {
  check_entries(name, entries);
  std::vector<text::CountedWord> counted;
  counted.reserve(entries.size());
  for (const WordEntry& entry : entries) counted.push_back({entry.word, entry.count});
  WordList result;
  result.labels.reserve(entries.size());
  result.id_of_entry.resize(entries.size());
  std::vector<std::pair<std::string, Count>> words;
  words.reserve(entries.size());
  for (const std::uint32_t place : text::frequency_order(counted)) {
    result.id_of_entry[place] = static_cast<WordId>(words.size());
    result.labels.push_back(entries[place].label);
    words.emplace_back(entries[place].word, entries[place].count);
  }
  result.vocabulary = Vocabulary::from_words(std::move(words));
  return result;
}

}  // namespace firth::clusters
