#include <gmock/gmock.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "counts/file/count_file.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "fuzz/repair_checksums.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using counts::SectionKind;
using ::testing::HasSubstr;

// As docs/formats.md has them.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t file_bytes;
  std::uint64_t section_count;
  std::uint64_t table_checksum;
  std::array<std::uint64_t, 3> reserved;
};
struct Section {
  std::uint32_t kind;
  std::uint32_t distance;
  std::uint64_t offset;
  std::uint64_t bytes;
  std::uint64_t checksum;
};
static_assert(sizeof(Header) == 64 && sizeof(Section) == 32);

class CountFile : public ::testing::Test {
 protected:
  CountFile() {
    const std::vector<std::string> inputs = {
        folder_.write("text", "the cat sat on the mat\nthe cat ran\nthe end\n")};
    CountOptions options;
    options.distances = {1, 3};
    counts_ = count_text(inputs, options, {});
    save_counts(path_, counts_);
    bytes_ = testing::read_file(path_);
  }

  Section section(std::size_t i) const {
    Section result;
    std::memcpy(&result, bytes_.data() + sizeof(Header) + i * sizeof(Section), sizeof(Section));
    return result;
  }
  std::size_t find(SectionKind kind) const {
    std::size_t i = 0;
    while (section(i).kind != kind) ++i;
    return i;
  }

  /// The message for a file with one element of a section replaced (or the whole file changed).
  std::string error_after(const std::function<void(std::string&)>& change) const {
    std::string file = bytes_;
    change(file);
    fuzz::repair_checksums(file);
    return error_for(file);
  }
  template <typename T>
  std::string error_after(SectionKind kind, std::size_t element, T value) const {
    const std::uint64_t offset = section(find(kind)).offset + element * sizeof(T);
    return error_after([&](std::string& file) { std::memcpy(file.data() + offset, &value, sizeof(T)); });
  }
  std::string error_for(const std::string& file) const {
    const std::string path = folder_.write("changed", file);
    try {
      load_counts(path);
    } catch (const FormatError& failure) {
      EXPECT_FALSE(failure.hint().empty());
      return failure.what();
    }
    return "no error";
  }

  testing::TempFolder folder_;
  std::string path_ = folder_.file("counts");
  Counts counts_;
  std::string bytes_;
};

TEST_F(CountFile, ComesBackAsItWas) {
  EXPECT_TRUE(reference::same_arrays(counts_, load_counts(path_)));
  EXPECT_TRUE(is_count_file(path_));
  EXPECT_FALSE(is_count_file(folder_.file("text")));
  EXPECT_FALSE(is_count_file(folder_.path()));
  EXPECT_FALSE(is_count_file("-"));
  EXPECT_THROW(is_count_file(folder_.file("missing")), IoError);
  EXPECT_THROW(load_counts(folder_.file("missing")), IoError);
}

TEST_F(CountFile, EveryByteIsCovered) {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    std::string file = bytes_;
    file[i] = static_cast<char>(file[i] ^ (1 << i % 8));
    EXPECT_NE(error_for(file), "no error") << "byte " << i;
  }
}

TEST_F(CountFile, EmptyCountsToo) {
  const std::vector<std::string> inputs = {folder_.write("empty", "")};
  const Counts empty = count_text(inputs, {}, {});
  save_counts(path_, empty);
  EXPECT_TRUE(reference::same_arrays(empty, load_counts(path_)));
}

TEST_F(CountFile, SectionsAreAlignedAndGapsAreZero) {
  Header header;
  std::memcpy(&header, bytes_.data(), sizeof(Header));
  EXPECT_EQ(header.section_count, 10u);
  std::uint64_t end = sizeof(Header) + header.section_count * sizeof(Section);
  for (std::size_t i = 0; i < header.section_count; ++i) {
    EXPECT_EQ(section(i).offset % 64, 0u);
    for (; end < section(i).offset; ++end) EXPECT_EQ(bytes_[end], '\0');
    end = section(i).offset + section(i).bytes;
  }
  EXPECT_EQ(end, bytes_.size());
}

TEST_F(CountFile, EveryTruncationIsNoticed) {
  for (std::size_t size = 0; size < bytes_.size(); size += size < 700 ? 1 : 37) {
    EXPECT_NE(error_for(bytes_.substr(0, size)), "no error") << size;
  }
  EXPECT_NE(error_for(bytes_ + "x"), "no error");
}

TEST_F(CountFile, EveryChangedByteOfContentIsNoticed) {
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::uint64_t at = section(i).offset; at < section(i).offset + section(i).bytes; at += 5) {
      std::string file = bytes_;
      file[at] = static_cast<char>(file[at] ^ 4);
      EXPECT_THAT(error_for(file), HasSubstr("checksum")) << at;
    }
  }
}

TEST_F(CountFile, ForeignFilesAndVersions) {
  EXPECT_THAT(error_for("just some text that is long enough to be a header, it goes on and on and on"),
              HasSubstr("not a count file"));
  const auto changed = [&](std::size_t offset, std::uint32_t value) {
    std::string file = bytes_;
    std::memcpy(file.data() + offset, &value, sizeof(value));
    return error_for(file);
  };
  EXPECT_THAT(changed(offsetof(Header, version), 99), HasSubstr("version 99"));
  EXPECT_THAT(changed(offsetof(Header, byte_order), 0x04030201), HasSubstr("byte order"));
  EXPECT_THAT(changed(offsetof(Header, section_count), 0xffffffff), HasSubstr("table of sections"));
}

TEST_F(CountFile, HostileContentsBehindRightChecksums) {
  const std::uint64_t huge = ~std::uint64_t{0};
  EXPECT_THAT((error_after<std::uint64_t>(counts::kWordOffsets, 0, 1)), HasSubstr("words do not fit"));
  EXPECT_THAT((error_after<std::uint64_t>(counts::kWordOffsets, 2, huge)), HasSubstr("words do not fit"));
  EXPECT_THAT((error_after<std::uint64_t>(counts::kWordOffsets, 1, 0)), HasSubstr("not in order"));
  EXPECT_THAT((error_after<char>(counts::kWordBytes, 1, '\xff')), HasSubstr("not in order"));
  EXPECT_THAT((error_after<Count>(counts::kWordCounts, 1, 100)), HasSubstr("not in order"));
  EXPECT_THAT((error_after<Count>(counts::kWordCounts, 0, huge)), HasSubstr("add up"));
  EXPECT_THAT((error_after<std::uint64_t>(counts::kRowOffsets, 1, huge)), HasSubstr("pairs do not fit"));
  EXPECT_THAT((error_after<WordId>(counts::kRights, 0, 1000)), HasSubstr("pairs are not in order"));
  EXPECT_THAT((error_after<WordId>(counts::kRights, 1, 0)), HasSubstr("pairs are not in order"));
  EXPECT_THAT((error_after<Count>(counts::kPairCounts, 0, 0)), HasSubstr("pairs are not in order"));
  EXPECT_THAT((error_after<Count>(counts::kPairCounts, 0, huge)), HasSubstr("add up"));
}

TEST_F(CountFile, AWordTwice) {
  // "the" 4, "cat" 2, then words seen once: make "end" a second "cat".
  const std::uint64_t offset = section(find(counts::kWordBytes)).offset;
  EXPECT_EQ(bytes_.substr(offset, 9), "thecatend");
  EXPECT_THAT(error_after([&](std::string& file) { file.replace(offset + 6, 3, "cat"); }),
              HasSubstr("twice"));
}

TEST_F(CountFile, HostileSections) {
  const auto with_section = [&](std::size_t i, const std::function<void(Section&)>& change) {
    return error_after([&](std::string& file) {
      Section entry = section(i);
      change(entry);
      std::memcpy(file.data() + sizeof(Header) + i * sizeof(Section), &entry, sizeof(Section));
    });
  };
  const std::uint64_t huge = ~std::uint64_t{0};
  EXPECT_THAT(with_section(2, [&](Section& s) { s.offset = huge - 63; }), HasSubstr("outside"));
  EXPECT_THAT(with_section(2, [&](Section& s) { s.bytes = huge; }), HasSubstr("outside"));
  EXPECT_THAT(with_section(1, [](Section& s) { s.offset += 8; }), HasSubstr("outside"));
  EXPECT_THAT(with_section(1, [](Section& s) { s.bytes -= 1; }), HasSubstr("impossible size"));
  EXPECT_THAT(with_section(1, [](Section& s) { s.bytes -= 8; }), HasSubstr("between two sections"));
  EXPECT_THAT(with_section(3, [](Section& s) { s.kind = counts::kRights; }), HasSubstr("missing"));
  EXPECT_THAT(with_section(4, [](Section& s) { s.distance = 2; }), HasSubstr("missing"));
  EXPECT_THAT(with_section(0, [](Section& s) { s.bytes -= 1; }), HasSubstr("between two sections"));
  EXPECT_THAT(with_section(0, [](Section& s) { s.bytes += 64; }), HasSubstr("outside"));
}

}  // namespace
}  // namespace firth
