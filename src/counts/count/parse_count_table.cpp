#include "counts/count/parse_count_table.hpp"

#include <fmt/format.h>

#include <system_error>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "text/block_words.hpp"
#include "text/line_walk.hpp"

namespace firth::counts {
namespace {

Count read_count(const text::Block& block, std::string_view field) {
  Count count = 0;
  const std::errc failure = base::parse_number(field, count);
  if (failure == std::errc()) return count;
  const SourceLocation where = block.where(static_cast<std::size_t>(field.data() - block.data()));
  if (failure == std::errc::result_out_of_range) {
    throw InputError(where, fmt::format("the count {} is too large", field), "counts go up to 2^64 - 1");
  }
  throw InputError(where, fmt::format("'{}' is not a count", field), "a count is a whole number, 0 or more");
}

}  // namespace

void parse_count_table(const text::Block& block, text::WordSink& sink) {
  text::for_each_line(block.text(), [&](std::string_view line) {
    std::string_view rest = line;
    const std::string_view left = text::next_field(rest);
    if (left.empty()) return;
    const std::string_view right = text::next_field(rest);
    const std::string_view number = text::next_field(rest);
    if (number.empty() || !text::next_field(rest).empty()) {
      const auto offset = static_cast<std::size_t>(line.data() - block.data());
      throw InputError(block.where(offset), "not three fields",
                       "a line of a count table is: left right count");
    }
    // A pair seen 0 times was not seen, and neither were its words.
    if (const Count count = read_count(block, number); count > 0) sink.add_pair(left, right, count);
  });
}

}  // namespace firth::counts
