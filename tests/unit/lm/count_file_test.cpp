#include "lm/count_file.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

#include "firth/error.hpp"
#include "lm/ngram_code.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

std::vector<std::byte> as_bytes(std::initializer_list<int> numbers) {
  std::vector<std::byte> bytes;
  for (const int number : numbers) bytes.push_back(static_cast<std::byte>(number));
  return bytes;
}

/// How many n-grams the bytes give, or -1 if they make no sense.
int decoded(const std::vector<std::byte>& bytes, int order, std::uint64_t symbols) {
  lm::NgramDecoder decoder(bytes, order, symbols);
  int seen = 0;
  while (decoder.next()) ++seen;
  return decoder.is_complete() ? seen : -1;
}

TEST(NgramCode, KeepsLargeNumbers) {
  const std::vector<std::array<lm::Symbol, 3>> ngrams = {
      {0, 0, 0}, {0, 0, 4'000'000'000}, {0, 7, 1}, {3'999'999'999, 0, 127}, {3'999'999'999, 0, 128}};
  lm::NgramEncoder encoder(3);
  constexpr Count kMax = std::numeric_limits<Count>::max();
  for (std::size_t i = 0; i < ngrams.size(); ++i) encoder.add(ngrams[i], kMax - i);
  lm::NgramDecoder decoder(encoder.bytes(), 3, 4'000'000'001);
  for (std::size_t i = 0; i < ngrams.size(); ++i) {
    ASSERT_TRUE(decoder.next());
    EXPECT_TRUE(std::equal(ngrams[i].begin(), ngrams[i].end(), decoder.ngram().begin()));
    EXPECT_EQ(decoder.count(), kMax - i);
  }
  EXPECT_FALSE(decoder.next());
  EXPECT_TRUE(decoder.is_complete());
}

TEST(NgramCode, RefusesWhatMakesNoSense) {
  EXPECT_EQ(decoded(as_bytes({0, 1, 5}), 2, 2), 1);           // 0 1, five times
  EXPECT_EQ(decoded(as_bytes({0, 1, 5, 0, 0, 1}), 2, 2), 2);  // then 1 0
  EXPECT_EQ(decoded(as_bytes({0, 1}), 2, 2), -1);             // no count
  EXPECT_EQ(decoded(as_bytes({0, 1, 0}), 2, 2), -1);          // a count of 0
  EXPECT_EQ(decoded(as_bytes({1, 1, 5}), 2, 2), -1);          // the first n-gram differs from nothing
  EXPECT_EQ(decoded(as_bytes({0, 2, 5}), 2, 2), -1);          // no such symbol
  EXPECT_EQ(decoded(as_bytes({4, 0, 5}), 2, 2), -1);          // the same in the first place
  EXPECT_EQ(decoded(as_bytes({0, 1, 5, 1, 1}), 2, 2), -1);    // rises above the last symbol
  EXPECT_EQ(decoded(as_bytes({0, 1, 0x85}), 2, 2), -1);       // the number goes on, the bytes do not
  EXPECT_EQ(decoded(std::vector(11, std::byte{0xff}), 1, 2), -1);
  const auto too_large = as_bytes({0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02});
  EXPECT_EQ(decoded(too_large, 1, 2), -1);  // 2^64
}

/// What is thrown when these files are opened and a model is trained.
std::string problem_of(const std::vector<std::string>& paths, const LmTrainOptions& options = {}) {
  try {
    (void)train_word_lm(load_lm_counts(paths), VocabularyOptions{}, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class CountedTexts : public ::testing::Test {
 protected:
  std::string count(const std::string& name, const std::string& text, const LmCountOptions& options = {}) {
    const std::string path = folder_.file(name);
    (void)count_ngrams(path, folder_.write(name + ".txt", text), options);
    return path;
  }
  TempFolder folder_;
};

TEST_F(CountedTexts, MustHaveBeenReadAlike) {
  const std::string plain = count("plain", "a b c\n");
  LmCountOptions lower;
  lower.text.lowercase = true;
  EXPECT_THAT(problem_of({plain, count("lower", "a B\n", lower)}), HasSubstr("read in another way"));
  LmCountOptions longer;
  longer.order = 4;
  EXPECT_THAT(problem_of({plain, count("longer", "a b\n", longer)}), HasSubstr("order 4"));
  EXPECT_EQ(problem_of({plain, count("same", "b d\n")}), "");
}

TEST_F(CountedTexts, AreOfAnOrder) {
  const std::string pairs = count("pairs", "a b c\n", {.order = 2, .boundaries = false});
  EXPECT_THAT(problem_of({count("plain", "a b c\n")}, {.order = 4}), HasSubstr("order 4"));
  EXPECT_THAT(problem_of({pairs}, {.order = 1}), HasSubstr("without boundaries"));
  EXPECT_EQ(problem_of({pairs}, {.order = 2}), "");
  EXPECT_THROW(count("bad", "a\n", {.order = 3, .boundaries = false}), UsageError);
  EXPECT_THROW(count("bad", "a\n", {.order = 7}), UsageError);
}

TEST_F(CountedTexts, MayBeEmptyInPart) {
  const std::string empty = count("empty", "\n\n");
  EXPECT_THAT(problem_of({empty}), HasSubstr("no words"));
  EXPECT_EQ(problem_of({empty, count("plain", "a b\n")}), "");
}

TEST_F(CountedTexts, AreNoTextAndNoModel) {
  const std::string path = count("plain", "a b c\n");
  EXPECT_THROW((void)load_lm(path), Error);
  EXPECT_THROW((void)train_word_lm(path, VocabularyOptions{}, {}), InputError);
  const std::vector<std::string> text = {folder_.write("text", "a b c\n")};
  EXPECT_THROW((void)load_lm_counts(text), FormatError);
  EXPECT_THROW((void)load_lm_counts({}), UsageError);
}

TEST_F(CountedTexts, AreReadCompleteOrNotAtAll) {
  const std::string path = count("plain", "a b c\na c\n");
  const std::string bytes = testing::read_file(path);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    const std::vector<std::string> paths = {folder_.write("damaged", damaged)};
    EXPECT_THROW((void)load_lm_counts(paths), FormatError) << i;
    const std::vector<std::string> shorter = {folder_.write("shorter", bytes.substr(0, i))};
    EXPECT_THROW((void)load_lm_counts(shorter), FormatError) << i;
  }
}

}  // namespace
}  // namespace firth
