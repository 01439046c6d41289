// Text in other encodings.
#include "text/decoder.hpp"

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "firth/count.hpp"
#include "firth/encoding.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::TempFolder;

/// Gives bytes in pieces of a size.
class Pieces final : public text::ByteSource {
 public:
  Pieces(std::string bytes, std::size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t got = std::min({size, piece_, bytes_.size() - used_});
    bytes_.copy(data, got, used_);
    used_ += got;
    return got;
  }

 private:
  std::string bytes_;
  std::size_t piece_;
  std::size_t used_ = 0;
};

std::string decode(const std::string& encoding, std::string bytes, std::size_t piece, std::size_t wanted) {
  const auto decoder = text::make_decoder(text::canonical_encoding(encoding),
                                          std::make_unique<Pieces>(std::move(bytes), piece));
  std::string all;
  std::vector<char> buffer(wanted);
  while (const std::size_t got = decoder->read(buffer.data(), buffer.size())) all.append(buffer.data(), got);
  return all;
}

// The slow twins: one character in UTF-8, and in UTF-16 with the low byte first.
std::string as_utf8(char32_t c) {
  std::string bytes;
  const auto tail = [&](int shift) { bytes += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) {
    bytes += static_cast<char>(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    bytes += static_cast<char>(0xe0 | c >> 12);
    tail(6);
  } else {
    bytes += static_cast<char>(0xf0 | c >> 18);
    tail(12);
    tail(6);
  }
  tail(0);
  return bytes;
}

std::string as_utf16(char32_t c) {
  const auto unit = [](char32_t u) {
    return std::string{static_cast<char>(u & 0xff), static_cast<char>(u >> 8)};
  };
  if (c < 0x10000) return unit(c);
  return unit(0xd800 + ((c - 0x10000) >> 10)) + unit(0xdc00 + ((c - 0x10000) & 0x3ff));
}

TEST(Decoder, IsTheSameForAnyPieces) {
  std::mt19937 draw(5);
  for (int round = 0; round < 40; ++round) {
    std::string utf8;
    std::string utf16;
    const std::size_t characters = draw() % (round < 30 ? 200 : 40000);
    for (std::size_t i = 0; i < characters; ++i) {
      const char32_t ranges[] = {0x80, 0x800, 0xd800, 0x10ffff};
      auto c = static_cast<char32_t>(1 + draw() % ranges[draw() % 4]);
      if (c >= 0xd800 && c < 0xe000) c = 0x1f600;
      utf8 += as_utf8(c);
      utf16 += as_utf16(c);
    }
    EXPECT_EQ(decode("utf-16le", utf16, 1 + draw() % 5000, 1 + draw() % 5000), utf8);
    EXPECT_EQ(decode("utf-16", "\xff\xfe" + utf16, 1 + draw() % 50000, 1 + draw() % 70000), utf8);
  }
}

TEST(Decoder, MarksWhatCannotBeDecoded) {
  EXPECT_EQ(decode("utf-16le",
                   std::string("a\0\0\xdc"
                               "b\0",
                               6),
                   100, 100),
            "a\xff"
            "b");                                                        // the second half of a character
  EXPECT_EQ(decode("utf-16le", std::string("a\0b", 3), 1, 1), "a\xff");  // half a unit at the end
  EXPECT_EQ(decode("utf-16le", std::string("a\0\x3d\xd8", 4), 1, 1), "a\xff");  // half a character at the end
  EXPECT_EQ(decode("shift_jis", "\x93\xfa\x96", 2, 9), "\xE6\x97\xA5\xff");
}

TEST(Decoder, ControlsOfLatin1AreNotText) {
  EXPECT_EQ(decode("latin-1", "\x84ja\x93 \xe9\x85", 100, 100),
            "\xffja\xff \xC3\xA9\xff");  // quotes and dots of Windows
  EXPECT_EQ(decode("iso-8859-15", "\x80", 100, 100), "\xff");
  EXPECT_EQ(decode("windows-1252", "\x84ja\x93", 100, 100), "\xE2\x80\x9Eja\xE2\x80\x9C");
  EXPECT_EQ(decode("windows-1251", "\x80", 100, 100), "\xD0\x82");
  EXPECT_EQ(decode("utf-16le", std::string("\x84\0", 2), 100, 100), "\xC2\x84");
  try {
    (void)count_text(decoded(Inputs::from_text("a \x84"
                                               "b\x93\n"),
                             "latin-1"),
                     {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("1:3: this is not text in ISO-8859-1; name another encoding such as windows-1252"));
  }
}

TEST(Decoder, KnowsManyNames) {
  EXPECT_EQ(text::canonical_encoding(""), "");
  EXPECT_EQ(text::canonical_encoding("utf8"), "");
  EXPECT_EQ(text::canonical_encoding("Latin-1"), text::canonical_encoding("ISO_8859-1"));
  EXPECT_EQ(text::canonical_encoding("cp1252"), text::canonical_encoding("windows-1252"));
  EXPECT_THAT(encoding_names(), Contains("ISO-8859-1"));
  EXPECT_THAT(encoding_names(), Contains("UTF-16"));
  try {
    (void)decoded("file", "klingon");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'klingon' is not an encoding"));
    EXPECT_THAT(error.what(), HasSubstr("Shift_JIS"));
  }
}

TEST(Decoder, CountsFilesFoldersAndMemory) {
  const TempFolder folder;
  folder.write("texts/a.txt", "caf\xE9 noir\n");
  const Counts wanted = count_text(Inputs::from_text("caf\xC3\xA9 noir\n"), {});
  const auto words = [](const Counts& counts) {
    std::vector<std::string> all;
    for (WordId word = 0; word < counts.vocabulary().size(); ++word)
      all.emplace_back(counts.vocabulary().word(word));
    return all;
  };
  const Inputs texts = decoded(folder.file("texts"), "latin-1");
  EXPECT_EQ(words(count_text(texts, {})), words(wanted));
  EXPECT_EQ(words(count_text(expand_folders(texts), {})), words(wanted));
  EXPECT_EQ(words(count_text(decoded(Inputs::from_text("caf\xE9 noir\n"), "latin-1"), {})), words(wanted));
}

TEST(Decoder, RepairsAreCounted) {
  testing::Warnings warnings;
  const Inputs broken = decoded(Inputs::from_text(std::string("a\0\0\xdc\n\0", 6)), "utf-16le");
  EXPECT_THROW((void)count_text(broken, {}), InputError);
  const Counts counts =
      count_text(broken, {.text = {.invalid_utf8 = InvalidUtf8::replace}}, {.progress = &warnings});
  EXPECT_EQ(counts.vocabulary().word(0), "a\xEF\xBF\xBD");
  EXPECT_THAT(warnings.messages,
              Contains("1 part of the text that could not be decoded was replaced by U+FFFD"));
}

TEST(Decoder, Utf16IsRecognised) {
  try {
    (void)count_text(Inputs::from_text(std::string("\xff\xfe"
                                                   "a\0\n\0",
                                                   6)),
                     {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("this is UTF-16, not UTF-8"));
  }
}

}  // namespace
}  // namespace firth
