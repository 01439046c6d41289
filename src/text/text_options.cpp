#include "text/text_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/conllu.hpp"

namespace firth {
namespace text {
namespace {

constexpr int kMaxColumn = 1 << 20;

constexpr std::array<std::pair<const char*, std::size_t>, 4> kConlluNames = {
    {{"form", kConlluForm}, {"lemma", kConlluLemma}, {"upos", kConlluUpos}, {"xpos", kConlluXpos}}};

const char* option_word(InputFormat format) {
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

const char* option_word(Normalization normalize) {
  if (normalize == Normalization::none) return "none";
  return normalize == Normalization::nfc ? "nfc" : "nfkc";
}

/// Sets what "name=value" says; false if it says nothing that is known.
bool set_preprocessing(std::string_view pair, Preprocessing& result) {
  const auto is = [pair](std::string_view text) { return pair == text; };
  if (is("boundaries=stream")) result.boundaries = TextBoundaries::stream;
  if (is("normalize=nfc")) result.normalize = Normalization::nfc;
  if (is("normalize=nfkc")) result.normalize = Normalization::nfkc;
  if (is("lowercase=yes")) result.lowercase = true;
  if (is("tokenize=yes")) result.tokenize = true;
  const std::string_view name = pair.substr(0, pair.find('='));
  return name == "boundaries" || name == "normalize" || name == "lowercase" || name == "tokenize";
}

bool has_ids(InputFormat format) {
  return format == InputFormat::ids || format == InputFormat::ids16 || format == InputFormat::ids32;
}

/// 0 if it is not the number of a column.
int column_number(const std::string& text) {
  const auto number = base::parse_number<int>(text);
  return number && *number >= -kMaxColumn && *number <= kMaxColumn ? *number : 0;
}

std::string describe_column(const TextOptions& options) {
  if (options.format == InputFormat::columns) return fmt::format(" column={}", word_column(options.column));
  if (options.format != InputFormat::conllu) {
    return fmt::format(" column={}", field_name(options));
  }
  const std::size_t column = conllu_column(options.column);
  for (const auto& [name, index] : kConlluNames) {
    if (index == column) return fmt::format(" column={}", name);
  }
  return fmt::format(" column={}", column + 1);
}

}  // namespace

bool is_running_text(InputFormat format) {
  return format == InputFormat::automatic || format == InputFormat::text || format == InputFormat::jsonl ||
         format == InputFormat::csv || format == InputFormat::tsv;
}

std::size_t conllu_column(const std::string& column) {
  if (column.empty()) return kConlluForm;
  for (const auto& [name, index] : kConlluNames) {
    if (column == name) return index;
  }
  const int number = column_number(column);
  if (number >= 1 && static_cast<std::size_t>(number) <= kConlluColumns)
    return static_cast<std::size_t>(number) - 1;
  throw UsageError(fmt::format("CoNLL-U has no column '{}'", column),
                   "its columns are form, lemma, upos, xpos, or a number from 1 to 10",
                   "TextOptions::column");
}

int word_column(const std::string& column) {
  if (column.empty()) return 1;
  if (const int number = column_number(column); number != 0) return number;
  throw UsageError(fmt::format("'{}' is not the number of a column", column),
                   "columns count from 1; -1 is the last", "TextOptions::column");
}

const std::string& field_name(const TextOptions& options) {
  return options.column.empty() ? options.field : options.column;
}

std::string describe(const TextOptions& options) {
  const InputFormat format = options.format;
  std::string text = fmt::format("format={}", option_word(format));
  const bool named = format == InputFormat::conllu || format == InputFormat::columns ||
                     format == InputFormat::csv || format == InputFormat::tsv;
  if (named) text += describe_column(options);
  if (format == InputFormat::jsonl) text += fmt::format(" field={}", field_name(options));
  if (has_ids(format)) {
    if (options.sequence_end) text += fmt::format(" sequence_end={}", *options.sequence_end);
    text += options.id_names.empty() ? " names=no" : " names=yes";
  }
  if (format != InputFormat::counts) {
    text += options.boundaries == TextBoundaries::lines ? " boundaries=lines" : " boundaries=stream";
  }
  if (options.normalize != Normalization::none)
    text += fmt::format(" normalize={}", option_word(options.normalize));
  text += options.lowercase ? " lowercase=yes" : " lowercase=no";
  if (options.squeeze) text += " squeeze=yes";
  if (is_running_text(format)) text += options.tokenize ? " tokenize=yes" : " tokenize=no";
  return text;
}

bool says_ids(std::string_view described) {
  const auto is_of = [&](InputFormat format) {
    return described.starts_with(fmt::format("format={} ", option_word(format)));
  };
  return is_of(InputFormat::ids) || is_of(InputFormat::ids16) || is_of(InputFormat::ids32);
}

std::string describe(const Preprocessing& done) {
  return fmt::format("boundaries={} normalize={} lowercase={} tokenize={}",
                     done.boundaries == TextBoundaries::lines ? "lines" : "stream",
                     option_word(done.normalize), done.lowercase ? "yes" : "no",
                     done.tokenize ? "yes" : "no");
}

std::optional<Preprocessing> parse_preprocessing(std::string_view text) {
  Preprocessing result;
  bool known = false;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find_first_of(" \r\n"), text.size());
    known = set_preprocessing(text.substr(0, size), result) || known;
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return known ? std::optional(result) : std::nullopt;
}

}  // namespace text

Preprocessing preprocessing_of(const TextOptions& options) {
  return {options.boundaries, options.normalize, options.lowercase, options.tokenize};
}

void validate(const TextOptions& options) {
  if (options.tokenize && !text::is_running_text(options.format)) {
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
