// A reader of files in every form that it must take: compressed or not, LF or CRLF, with a byte-order mark, from memory.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/clustering.hpp"
#include "firth/counts.hpp"
#include "firth/inputs.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"

namespace firth::testing {

// A kind of file, what is in it, and what its reader makes of it.
struct Reader {
  const char* name;
  std::string content;
  std::function<std::string(const Inputs& inputs)> read;
  bool is_text = true;
  bool from_memory = true;
};

/// A reader of files alone.
inline Reader of_path(const char* name, std::string content,
                      std::function<std::string(const std::string& path)> read, bool is_text = true) {
  const auto read_first = [read = std::move(read)](const Inputs& inputs) {
    return read(inputs.paths().front());
  };
  return {name, std::move(content), read_first, is_text, false};
}

/// All of them, for INSTANTIATE_TEST_SUITE_P.
inline auto each_of(std::initializer_list<std::vector<Reader>> lists) {
  std::vector<Reader> readers;
  for (const std::vector<Reader>& some : lists) readers.insert(readers.end(), some.begin(), some.end());
  return ::testing::ValuesIn(readers);
}

inline ByteCallback byte_by_byte(const std::string& text) {
  return [&text, used = std::size_t{0}](char* data, std::size_t) mutable {
    if (used == text.size()) return std::size_t{0};
    *data = text[used++];
    return std::size_t{1};
  };
}

inline void expect_every_form(const Reader& reader) {
  const TempFolder folder;
  const auto read = [&](const std::string& bytes) { return reader.read(folder.write("file", bytes)); };
  const std::string expected = read(reader.content);
  EXPECT_FALSE(expected.empty());
  if (reader.from_memory) {
    EXPECT_EQ(reader.read(Inputs::from_text(reader.content)), expected) << "text in memory";
    EXPECT_EQ(reader.read(Inputs::from_bytes(byte_by_byte(reader.content))), expected) << "callback";
  }
  const auto expect_all_packed = [&](const std::string& bytes) {
    EXPECT_EQ(read(gzip(bytes)), expected) << "gzip";
    EXPECT_EQ(read(zstd(bytes)), expected) << "zstd";
    EXPECT_EQ(read(xz(bytes)), expected) << "xz";
  };
  expect_all_packed(reader.content);
  if (!reader.is_text) return;
  std::string crlf;
  for (const char c : reader.content) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(read(crlf), expected) << "CRLF";
  EXPECT_EQ(read(mark + reader.content), expected) << "byte-order mark";
  EXPECT_EQ(read(mark + crlf), expected) << "byte-order mark and CRLF";
  EXPECT_EQ(read(reader.content.substr(0, reader.content.size() - 1)), expected) << "no last line feed";
  expect_all_packed(mark + crlf);
}

inline std::string shown(const Counts& counts) {
  std::string text;
  for (WordId word = 0; word < counts.vocabulary().size(); ++word) {
    text += fmt::format("{}:{} ", counts.vocabulary().word(word), counts.vocabulary().count(word));
  }
  return text + fmt::format("{} pairs, {} sequences", counts.bigrams().total(), counts.info().sequences);
}

inline std::string shown(const LmScore& score) {
  return fmt::format("{} words {} unknown {:.12g}", score.words, score.unknown, score.log10_known);
}

/// A text for what is not the text under test.
inline const Inputs& sample() {
  static const Inputs text = Inputs::from_text("a b a\nc b\n");
  return text;
}

inline const Clustering& two_classes() {
  static const Clustering classes = parse_clustering("0\ta\t3\n0\tc\t1\n1\tb\t2\n", "classes");
  return classes;
}

}  // namespace firth::testing
