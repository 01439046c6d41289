#include "text/text_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/conllu.hpp"

namespace firth {
namespace text {
namespace {

constexpr int kMaxColumn = 1 << 20;

constexpr std::array<std::pair<const char*, std::size_t>, 4> kConlluNames = {
    {{"form", kConlluForm}, {"lemma", kConlluLemma}, {"upos", kConlluUpos}, {"xpos", kConlluXpos}}};

const char* name_of(InputFormat format) {
  switch (format) {
    case InputFormat::automatic:
      return "auto";
    case InputFormat::text:
      return "text";
    case InputFormat::conllu:
      return "conllu";
    case InputFormat::columns:
      return "columns";
    case InputFormat::jsonl:
      return "jsonl";
    case InputFormat::csv:
      return "csv";
    case InputFormat::tsv:
      return "tsv";
    case InputFormat::ids:
      return "ids";
    case InputFormat::ids16:
      return "u16";
    case InputFormat::ids32:
      return "u32";
    case InputFormat::counts:
      break;
  }
  return "counts";
}

bool has_ids(InputFormat format) {
  return format == InputFormat::ids || format == InputFormat::ids16 || format == InputFormat::ids32;
}

// Formats whose words are found in running text.
bool has_text(InputFormat format) {
  return format == InputFormat::automatic || format == InputFormat::text || format == InputFormat::jsonl ||
         format == InputFormat::csv || format == InputFormat::tsv;
}

int parse_number(const std::string& text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  return whole && std::abs(number) <= kMaxColumn ? number : 0;
}

std::string describe_column(const TextOptions& options) {
  if (options.format == InputFormat::columns) return fmt::format(" column={}", word_column(options.column));
  if (options.format != InputFormat::conllu) {
    return fmt::format(" column={}", options.column.empty() ? "text" : options.column);
  }
  const std::size_t column = conllu_column(options.column);
  for (const auto& [name, index] : kConlluNames) {
    if (index == column) return fmt::format(" column={}", name);
  }
  return fmt::format(" column={}", column + 1);
}

}  // namespace

std::size_t conllu_column(const std::string& column) {
  if (column.empty()) return kConlluForm;
  for (const auto& [name, index] : kConlluNames) {
    if (column == name) return index;
  }
  const int number = parse_number(column);
  if (number >= 1 && static_cast<std::size_t>(number) <= kConlluColumns)
    return static_cast<std::size_t>(number) - 1;
  throw UsageError(fmt::format("CoNLL-U has no column '{}'", column),
                   "its columns are form, lemma, upos, xpos, or a number from 1 to 10",
                   "TextOptions::column");
}

int word_column(const std::string& column) {
  if (column.empty()) return 1;
  if (const int number = parse_number(column); number != 0) return number;
  throw UsageError(fmt::format("'{}' is not the number of a column", column),
                   "columns count from 1; -1 is the last", "TextOptions::column");
}

std::string describe(const TextOptions& options) {
  const InputFormat format = options.format;
  std::string text = fmt::format("format={}", name_of(format));
  const bool named = format == InputFormat::conllu || format == InputFormat::columns ||
                     format == InputFormat::csv || format == InputFormat::tsv;
  if (named) text += describe_column(options);
  if (format == InputFormat::jsonl) text += fmt::format(" field={}", options.field);
  if (has_ids(format)) {
    if (options.sequence_end) text += fmt::format(" sequence_end={}", *options.sequence_end);
    text += options.id_names.empty() ? " names=no" : " names=yes";
  }
  if (format != InputFormat::counts) {
    text += options.boundaries == Boundaries::lines ? " boundaries=lines" : " boundaries=stream";
  }
  text += options.lowercase ? " lowercase=yes" : " lowercase=no";
  if (has_text(format)) text += options.tokenize ? " tokenize=yes" : " tokenize=no";
  return text;
}

}  // namespace text

void validate(const TextOptions& options) {
  if (options.tokenize && !text::has_text(options.format)) {
    throw UsageError("only text can be tokenized", "leave out TextOptions::tokenize, or TextOptions::format",
                     "TextOptions::tokenize");
  }
  if (options.format == InputFormat::conllu) (void)text::conllu_column(options.column);
  if (options.format == InputFormat::columns) (void)text::word_column(options.column);
  if (options.format == InputFormat::jsonl && options.field.empty()) {
    throw UsageError("no field is named", "name the key whose value is the text", "TextOptions::field");
  }
  if (!text::has_ids(options.format) && (options.sequence_end || !options.id_names.empty())) {
    throw UsageError("only token ids have a sequence end and names",
                     "say in TextOptions::format that these are ids",
                     options.sequence_end ? "TextOptions::sequence_end" : "TextOptions::id_names");
  }
}

void validate(const VocabularyOptions& options) {
  if (options.min_count < 1) {
    throw UsageError("words seen 0 times cannot be kept", "1 keeps every word",
                     "VocabularyOptions::min_count");
  }
}

}  // namespace firth
