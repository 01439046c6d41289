#include <fmt/format.h>

#include <cstring>
#include <string>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "text/line_walk.hpp"
#include "text/parse_block.hpp"

namespace firth::text {
namespace {

constexpr const char* kNamesHint = "ids count from 0; the names must be those of the ids";

void add_id(std::uint32_t id, const IdOptions& options, std::string& buffer, WordSink& sink) {
  if (id == options.sequence_end) {
    sink.words.end_sequence();
  } else {
    sink.add_piece(options.names.word(id, buffer));
  }
}

std::uint32_t read_id(const Block& block, std::string_view field, const IdOptions& options) {
  std::uint32_t id = 0;
  const auto where = [&] { return block.where(static_cast<std::size_t>(field.data() - block.data())); };
  if (base::parse_number(field, id) != std::errc()) {
    throw InputError(where(), fmt::format("'{}' is not a token id", field),
                     "token ids are whole numbers from 0 to 4294967295");
  }
  if (id != options.sequence_end) {
    if (const std::string problem = options.names.problem_of(id); !problem.empty()) {
      throw InputError(where(), problem, kNamesHint);
    }
  }
  return id;
}

// Little-endian, as every tool that writes such files does.
std::uint32_t load_id(const char* data, std::size_t bytes) {
  std::uint32_t id = 0;
  for (std::size_t i = bytes; i-- > 0;) id = (id << 8) | static_cast<unsigned char>(data[i]);
  return id;
}

}  // namespace

void parse_ids(const Block& block, const IdOptions& options, bool lines, WordSink& sink) {
  std::string buffer;
  // The last line of a block may go on in the next: only a line feed ends it.
  for (std::string_view left = block.text(); !left.empty();) {
    if (is_space(left.front())) {
      if (lines && left.front() == '\n') sink.words.end_sequence();
      left.remove_prefix(1);
    } else {
      add_id(read_id(block, next_field(left), options), options, buffer, sink);
    }
  }
}

void parse_binary_ids(const Block& block, const IdOptions& options, std::size_t bytes, WordSink& sink) {
  std::string buffer;
  const std::uint64_t first = block.first_byte / bytes;
  if (block.size % bytes != 0) {
    throw InputError({block.path},
                     fmt::format("the file ends within number {}", first + block.size / bytes + 1),
                     fmt::format("numbers of {} bytes are expected", bytes));
  }
  for (std::size_t at = 0; at < block.size; at += bytes) {
    const std::uint32_t id = load_id(block.data() + at, bytes);
    if (id != options.sequence_end) {
      if (const std::string problem = options.names.problem_of(id); !problem.empty()) {
        throw InputError({block.path}, fmt::format("number {}: {}", first + at / bytes + 1, problem),
                         kNamesHint);
      }
    }
    add_id(id, options, buffer, sink);
  }
}

}  // namespace firth::text
