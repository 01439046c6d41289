#include "grammar/lexicon.hpp"

#include <algorithm>
#include <map>

namespace firth::grammar {
namespace {

constexpr std::size_t kLongestSuffix = 4;
constexpr std::string_view kAnyWord = "*";

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What kinds of characters a word has.
struct Shape {
  std::size_t lower = 0;
  std::size_t upper = 0;
  std::size_t digits = 0;
  std::size_t hyphens = 0;
  std::size_t foreign = 0;  // bytes beyond ASCII: Greek letters, accents
  std::size_t other = 0;
};

Shape shape_of(std::string_view word) {
  Shape shape;
  for (const char c : word) {
    if (is_lower(c)) {
      ++shape.lower;
    } else if (is_upper(c)) {
      ++shape.upper;
    } else if (is_digit(c)) {
      ++shape.digits;
    } else if (c == '-') {
      ++shape.hyphens;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      ++shape.foreign;
    } else {
      ++shape.other;
    }
  }
  return shape;
}

std::string shape_name(std::string_view word, bool is_first) {
  const Shape shape = shape_of(word);
  std::string name;
  if (shape.upper == 0) {
    name = shape.lower > 0 ? "a" : "";
  } else if (shape.upper == 1 && is_upper(word.front())) {
    name = is_first ? "A1" : "A";
  } else {
    name = shape.lower == 0 ? "AA" : "aA";
  }
  if (shape.digits > 0) name += shape.digits == word.size() ? (word.size() == 4 ? "9999" : "99") : "9";
  if (shape.hyphens > 0) name += "-";
  if (shape.foreign > 0) name += "~";
  if (shape.other > 0) name += "+";
  return name;
}

}  // namespace

std::vector<std::string> word_signatures(std::string_view word, bool is_first) {
  const std::string shape = shape_name(word, is_first) + ":";
  std::string suffix;
  std::vector<std::string> names;
  for (std::size_t i = word.size(); i-- > 1 && suffix.size() < kLongestSuffix;) {
    if (!is_lower(word[i]) && !is_upper(word[i])) break;
    suffix.insert(suffix.begin(), is_upper(word[i]) ? static_cast<char>(word[i] - 'A' + 'a') : word[i]);
    names.push_back(shape + suffix);
  }
  std::reverse(names.begin(), names.end());
  names.push_back(shape);
  names.emplace_back(kAnyWord);
  return names;
}

Lexicon::Lexicon(const std::vector<std::string>& names, std::size_t known) {
  for (std::size_t i = 0; i < names.size(); ++i) (i < known ? known_ : classes_).intern(names[i]);
}

Lexicon Lexicon::build(const treebank::Interner& words, const std::vector<WordCount>& counts,
                       const LexiconOptions& options) {
  Lexicon lexicon;
  std::map<std::string, std::uint64_t> sizes;  // a map: classes in order of their names
  for (std::uint32_t word = 0; word < words.size(); ++word) {
    const WordCount count = counts[word];
    if (count.first + count.other >= options.rare) {
      lexicon.known_.intern(words[word]);
      continue;
    }
    for (const std::string& name : word_signatures(words[word], true)) sizes[name] += count.first;
    for (const std::string& name : word_signatures(words[word], false)) sizes[name] += count.other;
  }
  for (const auto& [name, size] : sizes) {
    if (size >= options.class_size && name != kAnyWord) lexicon.classes_.intern(name);
  }
  lexicon.classes_.intern(kAnyWord);
  return lexicon;
}

TerminalId Lexicon::terminal_of(std::string_view word, bool is_first) const {
  const auto known = known_.find(word);
  return known ? *known : class_of(word, is_first);
}

TerminalId Lexicon::class_of(std::string_view word, bool is_first) const {
  const auto known = static_cast<TerminalId>(known_.size());
  for (const std::string& name : word_signatures(word, is_first)) {
    if (const auto found = classes_.find(name)) return known + *found;
  }
  return known + static_cast<TerminalId>(classes_.size()) - 1;
}

}  // namespace firth::grammar
