#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "corpus/block_parser.hpp"
#include "corpus/line_walk.hpp"
#include "firth/error.hpp"

namespace firth::corpus {
namespace {

Count read_count(const Block& block, std::string_view field) {
  Count count = 0;
  const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), count);
  if (failure == std::errc() && end == field.data() + field.size()) return count;
  const Where where = block.where(static_cast<std::size_t>(field.data() - block.data()));
  if (failure == std::errc::result_out_of_range) {
    throw InputError(where, fmt::format("the count {} is too large", field), "counts go up to 2^64 - 1");
  }
  throw InputError(where, fmt::format("'{}' is not a count", field), "a count is a whole number, 0 or more");
}

}  // namespace

void parse_count_table(const Block& block, WordSink& sink) {
  for_each_line(block.text(), [&](std::string_view line) {
    std::string_view rest = line;
    const std::string_view left = next_field(rest);
    if (left.empty()) return;
    const std::string_view right = next_field(rest);
    const std::string_view number = next_field(rest);
    if (number.empty() || !next_field(rest).empty()) {
      const auto offset = static_cast<std::size_t>(line.data() - block.data());
      throw InputError(block.where(offset), "not three fields",
                       "a line of a count table is: left right count");
    }
    // A pair seen 0 times was not seen, and neither were its words.
    if (const Count count = read_count(block, number); count > 0) sink.add_pair(left, right, count);
  });
}

}  // namespace firth::corpus
