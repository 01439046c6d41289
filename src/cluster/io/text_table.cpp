#include "cluster/io/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "text/line_walk.hpp"

namespace firth::clusters {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

TextTable::TextTable(std::string_view content, std::string name, Columns columns) : name_(std::move(name)) {
  if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
  for (std::uint64_t number = 1; !content.empty(); ++number) {
    const std::string_view line = text::take_line(content);
    if (line.find('\0') != std::string_view::npos) {
      throw InputError({name_, number, line.find('\0') + 1}, "a NUL byte in a text file",
                       "this is not a file of classes");
    }
    if (is_blank(line)) continue;
    lines_.push_back(number);
    add_line(line, columns);
    starts_.push_back(fields_.size());
  }
  if (lines_.empty())
    throw InputError({name_}, "the file is empty", "a file of classes needs at least one word");
}

void TextTable::add_line(std::string_view line, Columns columns) {
  const bool tabs = columns == Columns::tabs && line.find('\t') != std::string_view::npos;
  if (tabs) {
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      fields_.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return;
  }
  for (std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    fields_.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(" \t", end);
  }
}

void TextTable::fail(std::size_t row, std::string_view problem, std::string_view hint) const {
  throw InputError({name_, lines_[row]}, problem, hint);
}

void TextTable::require_columns(std::size_t min, std::size_t max, std::string_view expected) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t columns = row(i).size();
    if (columns < min || columns > max) {
      fail(i, fmt::format("{} column{}", columns, columns == 1 ? "" : "s"),
           fmt::format("expected {}", expected));
    }
  }
}

std::optional<Count> parse_count(std::string_view text) {
  return base::parse_number<Count>(text);
}

std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> value = base::parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_bits(std::string_view text) {
  return text.find_first_not_of("01") == std::string_view::npos;
}

}  // namespace firth::clusters
