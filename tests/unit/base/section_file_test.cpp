#include "base/section_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/aligned.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr FileKind kKind{{'t', 'e', 's', 't', 'f', 'i', 'l', 'e'}, 3, "test file", "write it again"};

/// Numbers, text and nothing: sections with and without a gap behind them.
std::string example() {
  const std::vector<std::uint32_t> numbers = {1, 2, 3};
  const std::string text(64, 'x');
  const std::string empty;
  const Section sections[] = {make_section(1, numbers), make_section(2, text), make_section(2, empty),
                              make_section(1, numbers)};
  return section_bytes(kKind, sections);
}

void read(const std::string& file) {
  AlignedVector<std::byte> bytes(file.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), file.data(), file.size());
  SectionReader reader("file", bytes, kKind);
  EXPECT_EQ(reader.take<std::uint32_t>(1).size(), 3U);
  EXPECT_EQ(reader.take<char>(2).size(), 64U);
  EXPECT_EQ(reader.take<char>(2).size(), 0U);
  EXPECT_EQ(reader.take<std::uint32_t>(1)[2], 3U);
  reader.finish();
}

TEST(SectionFile, EveryChangedByteIsFound) {
  const std::string good = example();
  read(good);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    EXPECT_THROW(read(bad), FormatError) << at;
  }
}

TEST(SectionFile, EveryMissingOrAddedByteIsFound) {
  const std::string good = example();
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW(read(good.substr(0, size)), FormatError) << size;
  EXPECT_THROW(read(good + '\0'), FormatError);
}

}  // namespace
}  // namespace firth::base
