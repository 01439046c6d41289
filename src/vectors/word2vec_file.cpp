#include "vectors/word2vec_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/line_walk.hpp"
#include "text/text_file.hpp"
#include "text/utf8.hpp"
#include "vectors/file_bytes.hpp"

namespace firth::vectors {
namespace {

/// Words with white space inside (CoNLL-U has them) would break formats that separate by spaces.
std::string without_spaces(std::string_view word) {
  std::string result(word);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c == ' ' || c == '\t'; }, '_');
  return result;
}

/// Takes the next line off the front of `rest`, without its line end and the blanks before it, which
/// word2vec and fastText write.
std::string_view take_line(std::string_view& rest) {
  std::string_view line = text::take_line(rest);
  while (!line.empty() && text::is_space(line.back())) line.remove_suffix(1);
  return line;
}

/// Takes the last field off the end of `line`, with the blanks before it.
std::string_view take_last_field(std::string_view& line) {
  std::size_t begin = line.size();
  while (begin > 0 && line[begin - 1] != ' ' && line[begin - 1] != '\t') --begin;
  const std::string_view field = line.substr(begin);
  line = line.substr(0, begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return field;
}

template <typename Number>
std::errc parse(std::string_view text, Number& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return base::parse_number(text, value);
}

std::size_t field_count(std::string_view line) {
  std::size_t fields = 0;
  for (; !line.empty(); ++fields) take_last_field(line);
  return fields;
}

/// The first line of word2vec's formats.
struct Sizes {
  std::size_t words = 0;
  std::size_t dimensions = 0;
};

std::optional<Sizes> parse_sizes(std::string_view line) {
  Sizes sizes;
  const std::string_view second = take_last_field(line);
  const std::string_view first = take_last_field(line);
  if (!line.empty() || parse(first, sizes.words) != std::errc() ||
      parse(second, sizes.dimensions) != std::errc()) {
    return std::nullopt;
  }
  return sizes;
}

/// Whether the line is a word and this many numbers.
bool is_text_row(std::string_view line, std::size_t dimensions) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    float value = 0;
    const std::errc error = parse(take_last_field(line), value);
    if (error != std::errc() && error != std::errc::result_out_of_range) return false;
  }
  return !line.empty();
}

[[noreturn]] void fail_at(const NamedRows& rows, std::uint64_t place, std::string_view problem,
                          std::string_view hint = "") {
  throw InputError({rows.path, place}, problem, hint);
}

/// `place`: the line, or 0 in the binary form, which has none.
void add_word(NamedRows& rows, std::string_view word, std::uint64_t place) {
  const auto which = [&] {
    return place > 0 ? std::string() : fmt::format("vector {}: ", rows.words.size() + 1);
  };
  if (word.empty()) fail_at(rows, place, which() + "a vector without a word");
  if (text::check_text(word).fault != text::TextFault::none) {
    fail_at(rows, place, which() + "the word is not UTF-8", "write the vectors again with words in UTF-8");
  }
  rows.words.emplace_back(word, 0);
}

/// Appends a line of text to the rows.
void add_text_row(NamedRows& rows, std::string_view line, std::uint64_t place) {
  const std::size_t start = rows.values.size();
  rows.values.resize(start + rows.dimensions);
  for (std::size_t i = rows.dimensions; i-- > 0;) {
    const std::string_view field = take_last_field(line);
    const std::errc error =
        field.empty() ? std::errc::invalid_argument : parse(field, rows.values[start + i]);
    if (error == std::errc::result_out_of_range) fail_at(rows, place, "a number beyond the range of float32");
    if (error != std::errc()) fail_at(rows, place, fmt::format("not a word and {} numbers", rows.dimensions));
  }
  add_word(rows, line, place);
}

void read_text(std::string_view rest, std::uint64_t line, const RunOptions& run, NamedRows& rows) {
  constexpr std::size_t kLinesBetweenChecks = 4096;
  for (; !rest.empty(); ++line) {
    if (line % kLinesBetweenChecks == 0) run.check_stop();
    const std::string_view text = take_line(rest);
    if (!text.empty()) add_text_row(rows, text, line);
  }
}

void read_binary(std::string_view rest, std::size_t words, const RunOptions& run, NamedRows& rows) {
  constexpr std::size_t kWordsBetweenChecks = 4096;
  const std::size_t bytes = rows.dimensions * sizeof(float);
  for (std::size_t i = 1; i <= words; ++i) {
    if (i % kWordsBetweenChecks == 0) run.check_stop();
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos || rest.size() - space - 1 < bytes) {
      fail_at(rows, 0, fmt::format("the file ends within vector {} of {}", i, words), "it may be cut off");
    }
    add_word(rows, rest.substr(0, space), 0);
    rows.values.resize(rows.values.size() + rows.dimensions);
    std::memcpy(rows.values.data() + rows.values.size() - rows.dimensions, rest.data() + space + 1, bytes);
    rest.remove_prefix(space + 1 + bytes);
    if (rest.starts_with('\n')) rest.remove_prefix(1);
  }
  if (!rest.empty()) {
    fail_at(rows, 0, fmt::format("{} bytes are left after {} vectors", rest.size(), words),
            "the first line does not fit the file; is it word2vec's binary form?");
  }
}

[[noreturn]] void refuse(const NamedRows& rows) {
  fail_at(rows, 1, "not a file of word vectors",
          "known are .npy with a word list, word2vec (text and binary), GloVe and fastText's .vec");
}

/// A file that begins with sizes. They are checked against its length before anything is allocated.
void read_with_sizes(const Sizes& sizes, std::string_view rest, const RunOptions& run, NamedRows& rows) {
  if (sizes.dimensions == 0) refuse(rows);
  if (sizes.words > rest.size() || sizes.dimensions > rest.size()) {
    fail_at(rows, 1, "the file is shorter than its first line says", "it may be cut off");
  }
  rows.dimensions = sizes.dimensions;
  std::string_view probe = rest;
  if (sizes.words > 0 && !is_text_row(take_line(probe), sizes.dimensions)) {
    read_binary(rest, sizes.words, run, rows);
    return;
  }
  read_text(rest, 2, run, rows);
  if (rows.words.size() != sizes.words) {
    fail_at(rows, 1, fmt::format("{} vectors, but the first line says {}", rows.words.size(), sizes.words),
            "the file may be cut off");
  }
}

void read_without_sizes(std::string_view bytes, const RunOptions& run, NamedRows& rows) {
  std::string_view probe = bytes;
  const std::string_view first = take_line(probe);
  const std::size_t fields = field_count(first);
  if (fields < 3 || !is_text_row(first, fields - 1)) refuse(rows);
  rows.dimensions = fields - 1;
  read_text(bytes, 1, run, rows);
}

}  // namespace

void save_word2vec(const std::string& path, const WordVectors& vectors, bool binary) {
  text::TextFile file(path);
  file.write(fmt::format("{} {}\n", vectors.vocabulary.size(), vectors.dimensions));
  for (WordId word = 0; word < vectors.vocabulary.size(); ++word) {
    file.write(without_spaces(vectors.vocabulary.word(word)));
    if (binary) {
      file.write(" ");
      file.write(std::as_bytes(vectors.row(word)));
    } else {
      for (const float value : vectors.row(word)) file.write(fmt::format(" {}", value));
    }
    file.write("\n");
  }
  file.commit();
}

NamedRows load_word2vec(const std::string& path, const RunOptions& run) {
  const FileBytes file(path, run);
  std::string_view bytes = file.view();
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  NamedRows rows{path, 0, {}, {}};
  std::string_view rest = bytes;
  if (const auto sizes = parse_sizes(take_line(rest))) {
    read_with_sizes(*sizes, rest, run, rows);
  } else {
    read_without_sizes(bytes, run, rows);
  }
  for (std::size_t i = 0; i < rows.words.size(); ++i) rows.words[i].second = rows.words.size() - i;
  return rows;
}

}  // namespace firth::vectors
