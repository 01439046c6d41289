#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "firth/error.hpp"
#include "text/csv.hpp"
#include "text/parse_block.hpp"

namespace firth::text {
namespace {

std::string list_names(const std::vector<CsvField>& fields) {
  constexpr std::size_t kMaxNames = 20;
  std::string names;
  std::string buffer;
  for (std::size_t i = 0; i < std::min(fields.size(), kMaxNames); ++i) {
    names += (i == 0 ? "" : ", ");
    names += fields[i].value(buffer);
  }
  return fields.size() > kMaxNames ? names + ", ..." : names;
}

std::vector<CsvField> first_record(std::string_view text, char separator, const SourceLocation& where) {
  std::vector<CsvField> fields;
  take_record(
      text, separator, [&](const char*) { return SourceLocation(where); }, fields);
  return fields;
}

std::vector<CsvField>::const_iterator find_name(const std::vector<CsvField>& names, std::string_view name) {
  std::string buffer;
  return std::find_if(names.begin(), names.end(),
                      [&](const CsvField& field) { return field.value(buffer) == name; });
}

// What the first records are with a separator.
struct FirstRecords {
  std::size_t fields = 0;
  bool has_column = false;
};

// A column with a name is in the first record. One with a number is in all of them, and all have as many.
FirstRecords look_at(std::string_view text, char separator, const CsvOptions& options) try {
  constexpr std::size_t kRecords = 20;
  const std::vector<CsvField> first = first_record(text, separator, {});
  if (options.number == 0) return {first.size(), find_name(first, options.name) != first.end()};
  if (first.size() < options.number || first.size() == 1) return {first.size(), false};
  std::vector<CsvField> fields;
  const bool is_whole = text.ends_with('\n');
  for (std::size_t i = 0; i < kRecords && !text.empty(); ++i) {
    take_record(
        text, separator, [](const char*) { return SourceLocation(); }, fields);
    const bool cut_off = text.empty() && !is_whole && i > 0;
    if (fields.size() != first.size() && !cut_off) return {first.size(), false};
  }
  return {first.size(), true};
} catch (const InputError&) {
  return {};  // a quote that ends in an odd place
}

// The place of the column, from 0, which the first record of the file names.
std::size_t csv_column(const Block& block, const CsvOptions& options) {
  if (options.number > 0) return options.number - 1;
  const SourceLocation where{block.path, 1, 0};
  const std::vector<CsvField> names = first_record(*block.head, block.separator, where);
  const auto found = find_name(names, options.name);
  if (found == names.end()) {
    throw InputError(
        where, fmt::format("there is no column '{}'", options.name),
        fmt::format(
            "the first line names the columns: {}; say which one has the text (TextOptions::column), by name or by number from 1",
            list_names(names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

char csv_separator(std::string_view begin, const CsvOptions& options) {
  char best = options.separator;
  std::size_t most = 1;
  for (const char separator : {options.separator, ';', '\t'}) {
    const FirstRecords found = look_at(begin, separator, options);
    if (found.has_column) return separator;
    if (found.fields <= most) continue;
    most = found.fields;
    best = separator;
  }
  return options.number > 0 ? options.separator : best;  // the message will name the columns
}

void parse_csv(const Block& block, const CsvOptions& options, bool lines, WordSink& sink) {
  const PlaceOf place = [&](const char* byte) {
    return block.where(static_cast<std::size_t>(byte - block.data()));
  };
  const std::size_t column = csv_column(block, options);
  bool is_header = block.starts_file && options.number == 0;
  std::string_view left = block.text();
  std::vector<CsvField> fields;
  std::string buffer;
  while (!left.empty()) {
    const char* const begin = left.data();
    take_record(left, block.separator, place, fields);
    const bool blank = fields.size() == 1 && fields.front().raw.empty();
    if (std::exchange(is_header, false) || blank) continue;
    if (column >= fields.size()) {
      throw InputError(place(begin),
                       fmt::format("{} {}, but column {} is to be read", fields.size(),
                                   fields.size() == 1 ? "column" : "columns", column + 1),
                       "all records need the same columns");
    }
    add_lines(fields[column].value(buffer), lines, sink);
  }
}

}  // namespace firth::text
