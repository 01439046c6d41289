#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "firth/error.hpp"
#include "text/byte_source.hpp"
#include "text/characters.hpp"
#include "text/conllu.hpp"
#include "text/line_walk.hpp"
#include "text/memory_input.hpp"
#include "text/text_options.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 14;

constexpr std::array<std::string_view, 3> kCompressed = {".gz", ".zst", ".xz"};
constexpr std::array<std::pair<std::string_view, InputFormat>, 5> kEndings = {
    {{".conllu", InputFormat::conllu},
     {".jsonl", InputFormat::jsonl},
     {".ndjson", InputFormat::jsonl},
     {".csv", InputFormat::csv},
     {".tsv", InputFormat::tsv}}};

InputFormat by_name(std::string_view path) {
  for (const std::string_view ending : kCompressed) {
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  }
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return InputFormat::text;
}

// The first bytes, without the last line if it is not complete.
std::string sample_of(const InputFile& file) {
  InputStream stream(file);
  std::string sample(kSampleBytes, '\0');
  std::size_t filled = 0;
  while (filled < sample.size()) {
    const std::size_t got = stream.read(sample.data() + filled, sample.size() - filled);
    if (got == 0) break;
    filled += got;
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

InputFormat format_of(const InputFile& file) {
  if (file.is_tokens()) return InputFormat::text;
  const InputFormat named = by_name(file.path);
  if (named != InputFormat::text || !file.rereadable) return named;
  return looks_like_conllu(sample_of(file)) ? InputFormat::conllu : InputFormat::text;
}

}  // namespace

TextOptions resolve_format(std::span<const InputFile> files, const TextOptions& options) {
  TextOptions resolved = options;
  for (const InputFile& file : files) {
    if (options.format == InputFormat::automatic) {
      const InputFormat format = format_of(file);
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
    if (!is_running_text(resolved.format)) resolved.tokenize = false;  // its words are words already
    validate(resolved);
  }
  return resolved;
}

}  // namespace firth::text
