#include "text/csv.hpp"

#include <algorithm>

namespace firth::text {
namespace {

constexpr const char* kQuoteHint =
    "a field that starts with a quote ends with one, and has quotes in it doubled";

// Takes a field that begins with a quote off the front of `text`, with both its quotes.
CsvField take_quoted(std::string_view& text, char separator, const PlaceOf& place) {
  const char* const begin = text.data();
  const std::size_t end = closing_quote(text, 0);
  if (end == std::string_view::npos) throw InputError(place(begin), "a quote without its end", kQuoteHint);
  const CsvField field{text.substr(1, end - 1), true};
  text.remove_prefix(end + 1);
  if (text.starts_with("\r\n") || text == "\r") text.remove_prefix(1);
  if (!text.empty() && text.front() != separator && text.front() != '\n') {
    throw InputError(place(text.data()), "more text after the end of a quote", kQuoteHint);
  }
  return field;
}

CsvField take_plain(std::string_view& text, char separator) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != separator && text[end] != '\n') ++end;
  CsvField field{text.substr(0, end), false};
  text.remove_prefix(end);
  const bool last = text.empty() || text.front() == '\n';
  if (last && field.raw.ends_with('\r')) field.raw.remove_suffix(1);
  return field;
}

}  // namespace

std::size_t closing_quote(std::string_view text, std::size_t begin) noexcept {
  for (std::size_t end = begin + 1;; end += 2) {
    end = text.find('"', end);
    if (end == std::string_view::npos || end + 1 >= text.size() || text[end + 1] != '"') return end;
  }
}

std::string_view CsvField::value(std::string& buffer) const {
  if (!quoted || raw.find('"') == std::string_view::npos) return raw;
  buffer.clear();
  for (std::size_t i = 0; i < raw.size(); ++i) {
    buffer += raw[i];
    if (raw[i] == '"') ++i;
  }
  return buffer;
}

void take_record(std::string_view& text, char separator, const PlaceOf& place,
                 std::vector<CsvField>& fields) {
  fields.clear();
  for (;;) {
    const bool quoted = text.starts_with('"');
    fields.push_back(quoted ? take_quoted(text, separator, place) : take_plain(text, separator));
    if (text.empty()) return;
    const bool more = text.front() == separator;
    text.remove_prefix(1);
    if (!more) return;
  }
}

}  // namespace firth::text
