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

// The place of the column, from 0, which the first record of the file names.
std::size_t csv_column(const Block& block, const CsvOptions& options) {
  if (options.number > 0) return options.number - 1;
  std::string_view head = *block.head;
  std::vector<CsvField> names;
  const SourceLocation where{block.path, 1, 0};
  take_record(
      head, options.separator, [&](const char*) { return SourceLocation(where); }, names);
  std::string buffer;
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const CsvField& field) { return field.value(buffer) == options.name; });
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
    take_record(left, options.separator, place, fields);
    const bool blank = fields.size() == 1 && fields.front().raw.empty();
    if (std::exchange(is_header, false) || blank) continue;
    if (column >= fields.size()) {
      throw InputError(place(begin),
                       fmt::format("{} columns, but column {} is to be read", fields.size(), column + 1),
                       "all records need the same columns");
    }
    add_lines(fields[column].value(buffer), lines, sink);
  }
}

}  // namespace firth::text
