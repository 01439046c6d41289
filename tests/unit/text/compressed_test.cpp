#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/naive_counter.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using testing::gzip;
using testing::xz;
using testing::zstd;

struct Packer {
  const char* name;
  std::function<std::string(const std::string&)> pack;
};

class Compressed : public ::testing::TestWithParam<Packer> {
 protected:
  Counts count(const std::string& bytes) const {
    // The name says nothing: content decides.
    const std::vector<std::string> inputs = {folder_.write("plain.txt", bytes)};
    return count_text(inputs, {}, {.threads = 2});
  }
  std::string text() const {
    std::string text;
    for (int i = 0; i < 60000; ++i) text += "word" + std::to_string(i % 977) + (i % 7 == 0 ? "\n" : " ");
    return text;
  }
  testing::TempFolder folder_;
};

TEST_P(Compressed, ReadsAsThePlainText) {
  EXPECT_TRUE(reference::same_arrays(count(text()), count(GetParam().pack(text()))));
  EXPECT_TRUE(count(GetParam().pack("")).vocabulary().empty());
}

TEST_P(Compressed, ReadsPartsOneAfterTheOther) {
  // Cut inside a word: parts are bytes, not texts.
  const std::string whole = text();
  const std::string parts =
      GetParam().pack(whole.substr(0, 100001)) + GetParam().pack("") + GetParam().pack(whole.substr(100001));
  EXPECT_TRUE(reference::same_arrays(count(whole), count(parts)));
}

TEST_P(Compressed, SaysWhenTheFileIsCutOffOrDamaged) {
  const std::string packed = GetParam().pack(text());
  for (const std::size_t size :
       {packed.size() - 1, packed.size() - 9, packed.size() / 2, std::size_t{12}, std::size_t{7}}) {
    try {
      count(packed.substr(0, size));
      ADD_FAILURE() << "no error for " << size << " of " << packed.size() << " bytes";
    } catch (const InputError& failure) {
      EXPECT_THAT(failure.what(), ::testing::HasSubstr("plain.txt: the ")) << size;
      EXPECT_THAT(failure.what(), ::testing::HasSubstr("ends too early")) << size;
    }
  }
  std::string wrong = packed;
  for (std::size_t i = wrong.size() / 2; i < wrong.size() / 2 + 50; ++i)
    wrong[i] = static_cast<char>(~wrong[i]);
  EXPECT_THROW(count(wrong), InputError);
}

class CompressedZstd : public Compressed {};

TEST_P(CompressedZstd, MayBeginWithAFrameToSkip) {
  const std::string skipped = std::string("\x5a\x2a\x4d\x18\x03\0\0\0", 8) + "any";
  EXPECT_TRUE(reference::same_arrays(count(text()), count(skipped + GetParam().pack(text()))));
}

INSTANTIATE_TEST_SUITE_P(Formats, CompressedZstd, ::testing::Values(Packer{"zstd", zstd}),
                         [](const auto& packer) { return std::string(packer.param.name); });

INSTANTIATE_TEST_SUITE_P(Formats, Compressed,
                         ::testing::Values(Packer{"gzip", gzip}, Packer{"zstd", zstd}, Packer{"xz", xz}),
                         [](const auto& packer) { return std::string(packer.param.name); });

TEST(GzipPadding, ZerosAfterTheEndAreIgnoredAnythingElseIsNot) {
  const testing::TempFolder folder;
  const std::vector<std::string> padded = {folder.write("a", gzip("a b") + std::string(700, '\0'))};
  EXPECT_EQ(count_text(padded, {}, {}).info().tokens, 2u);
  const std::vector<std::string> garbage = {folder.write("b", gzip("a b") + "garbage")};
  EXPECT_THROW(count_text(garbage, {}, {}), InputError);
}

}  // namespace
}  // namespace firth
