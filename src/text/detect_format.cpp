#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/internals.hpp"
#include "firth/error.hpp"
#include "firth/inputs.hpp"
#include "text/byte_source.hpp"
#include "text/characters.hpp"
#include "text/conllu.hpp"
#include "text/first_lines.hpp"
#include "text/line_walk.hpp"
#include "text/memory_input.hpp"
#include "text/text_options.hpp"
#include "text/token_format.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 14;

constexpr std::array<std::string_view, 3> kCompressed = {".gz", ".zst", ".xz"};
constexpr std::array<std::pair<std::string_view, InputFormat>, 9> kEndings = {
    {{".conllu", InputFormat::conllu},
     {".conll", InputFormat::columns},
     {".iob", InputFormat::columns},
     {".iob2", InputFormat::columns},
     {".bio", InputFormat::columns},
     {".jsonl", InputFormat::jsonl},
     {".ndjson", InputFormat::jsonl},
     {".csv", InputFormat::csv},
     {".tsv", InputFormat::tsv}}};

std::string_view whole_lines(std::string_view text) {
  return text.substr(0, text.rfind('\n') + 1);
}

/// Whether a line of text has ended that is neither blank nor a comment, and no later one can tell otherwise.
bool tells_format(std::string_view text) {
  std::string_view left = whole_lines(text);
  while (!left.empty()) {
    const std::string_view line = take_line(left);
    if (!is_blank(line) && line.front() != '#')
      return has_entity_columns(whole_lines(text), false).has_value();
  }
  return false;
}

// A pipe or what a callback gives, as far as it was read ahead.
InputFile start_of(const InputFile& file) {
  const Inputs bytes =
      Inputs::from_text(read_ahead(file, kSampleBytes, tells_format), display_name(file.path));
  InputFile start = base::internals(bytes)->files(file.stop).front();
  start.encoding = file.encoding;
  return start;
}

// The first bytes, or fewer: what was read ahead of a pipe may end within compressed data.
std::string sample_of(const InputFile& file) {
  std::string sample(kSampleBytes, '\0');
  std::size_t filled = 0;
  try {
    InputStream stream(file);
    while (filled < sample.size()) {
      const std::size_t got = stream.read(sample.data() + filled, sample.size() - filled);
      if (got == 0) break;
      filled += got;
    }
  } catch (const InputError&) {
    if (file.memory == nullptr) throw;
  }
  sample.resize(filled);
  if (sample.starts_with(kByteOrderMark)) sample.erase(0, kByteOrderMark.size());
  return sample;
}

// Ten columns, of which the first counts words: no other kind of text looks like that.
bool looks_like_conllu(std::string_view sample) {
  while (!sample.empty()) {
    const std::string_view line = take_line(sample);
    if (is_blank(line) || line.front() == '#') continue;
    return is_conllu_row(line) && is_digits(line.substr(0, line.find_first_of("\t-.")));
  }
  return false;
}

InputFormat by_content(std::string_view sample) {
  if (looks_like_json(sample)) return InputFormat::jsonl;
  if (looks_like_conllu(sample)) return InputFormat::conllu;
  const std::string_view lines = sample.size() < kSampleBytes ? sample : whole_lines(sample);
  return has_entity_columns(lines, true).value_or(false) ? InputFormat::columns : InputFormat::text;
}

InputFormat format_of(const InputFile& file, const TextOptions& options) {
  if (file.is_tokens()) return InputFormat::text;
  const InputFormat named = format_by_name(file.path);
  if (named != InputFormat::text && named != InputFormat::columns) return named;
  const std::string sample = sample_of(file.rereadable ? file : start_of(file));
  const InputFormat found = by_content(sample);
  const bool columns = found == InputFormat::columns || named == InputFormat::columns;
  if (columns && found != InputFormat::conllu && options.column.empty() && counts_words(sample)) {
    throw InputError({display_name(file.path)}, "the first column has numbers, not words",
                     "say which column has the words (TextOptions::column)");
  }
  return found == InputFormat::text ? named : found;
}

/// A column or key that is named is not in plain text: its format was not recognised.
void require_no_field(const TextOptions& options, const InputFile& file) {
  const bool has_column = !options.column.empty();
  if (file.memory != nullptr || (!has_column && options.field == TextOptions{}.field)) return;
  const char* const option = has_column ? "TextOptions::column" : "TextOptions::field";
  throw UsageError(fmt::format("{} names a part of each line, but {} looks like plain text", option,
                               display_name(file.path)),
                   "say which format it has (TextOptions::format)", option);
}

}  // namespace

InputFormat format_by_name(std::string_view path) {
  for (const std::string_view ending : kCompressed) {
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  }
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return InputFormat::text;
}

bool looks_like_json(std::string_view text) {
  const auto skip = [&](std::string_view characters) {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  };
  skip(" \t\r\n[");
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  skip(" \t\r\n");
  if (!text.starts_with('"')) return false;
  text.remove_prefix(std::min(text.find('"', 1), text.size() - 1) + 1);
  skip(" \t");
  return text.starts_with(':');
}

TextOptions resolve_format(std::span<const InputFile> files, const TextOptions& options) {
  TextOptions resolved = options;
  for (const InputFile& file : files) {
    if (options.format == InputFormat::automatic) {
      const InputFormat format = format_of(file, options);
      if (&file != files.data() && format != resolved.format) {
        throw UsageError(fmt::format("{} and {} seem to have different formats",
                                     display_name(files.front().path), display_name(file.path)),
                         "say which format they have (TextOptions::format)", "TextOptions::format");
      }
      resolved.format = format;
    } else if (file.is_tokens() && options.format != InputFormat::text) {
      throw UsageError("tokens from memory have no other format than text",
                       "leave TextOptions::format at text", "TextOptions::format");
    }
  }
  if (options.format == InputFormat::automatic) {
    if (resolved.format == InputFormat::text && !files.empty()) require_no_field(options, files.front());
    if (!is_running_text(resolved.format)) resolved.tokenize = false;  // its words are words already
    validate(resolved);
  }
  return resolved;
}

}  // namespace firth::text
