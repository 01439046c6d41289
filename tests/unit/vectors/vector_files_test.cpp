// Vectors of other tools, and what is wrong with some of them.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "support/packers.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> words_of(const WordVectors& vectors) {
  std::vector<std::string> words;
  for (WordId id = 0; id < vectors.vocabulary.size(); ++id) words.emplace_back(vectors.vocabulary.word(id));
  return words;
}

template <typename Number>
std::string bytes_of(std::initializer_list<Number> numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), std::data(numbers), bytes.size());
  return bytes;
}

std::string npy(const std::string& type, bool fortran, const std::string& shape, const std::string& numbers) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }\n";
  std::string file = "\x93NUMPY";
  file += {1, 0, static_cast<char>(header.size()), 0};
  return file + header + numbers;
}

std::string message_of(const std::string& path) {
  try {
    load_vectors(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class VectorsOfOthers : public ::testing::Test {
 protected:
  void expect_abc(const std::string& path) const {
    const WordVectors vectors = load_vectors(path);
    EXPECT_EQ(vectors.dimensions, 2U);
    EXPECT_THAT(words_of(vectors), ElementsAre("a", "b", "c"));
    EXPECT_THAT(vectors.values, ElementsAre(1, 2, 3, 4, 5, 6));
  }
  testing::TempFolder folder_;
};

TEST_F(VectorsOfOthers, TextWithABlankAfterEveryNumberIsText) {
  // As `word2vec -binary 0` and fastText write it.
  expect_abc(folder_.write("v.txt", "3 2\na 1 2 \nb 3 4 \nc 5 6 \n"));
}

TEST_F(VectorsOfOthers, TextComesInManyForms) {
  for (const std::string text : {
           "3 2\na 1 2\nb 3 4\nc 5 6\n",          // word2vec
           "3 2\na 1 2\nb 3 4\nc 5 6",            // no line end at the end
           "a 1 2\nb 3 4\nc 5 6\n",               // GloVe: no sizes
           "3 2\r\na 1 2\r\nb 3 4\r\nc 5 6\r\n",  // Windows
           "\xef\xbb\xbf"
           "3 2\na 1 2\nb 3 4\nc 5 6\n",             // byte order mark
           "3\t2\na\t1\t2\nb\t3\t4\nc\t5\t6\n",      // tabs
           "3 2\na +1 2.0\nb 3e0 0.4e1\nc 5 6\n\n",  // numbers in other clothes, a blank line
       }) {
    expect_abc(folder_.write("v.vec", text));
    expect_abc(folder_.write("v.vec.gz", testing::gzip(text)));
  }
}

TEST_F(VectorsOfOthers, WordsWithBlanksAreKept) {
  const WordVectors vectors = load_vectors(folder_.write("glove.txt", "x 1 2\n. . . 3 4\n"));
  EXPECT_THAT(words_of(vectors), ElementsAre("x", ". . ."));
}

TEST_F(VectorsOfOthers, BinaryIsReadAndMustFitItsSizes) {
  const std::string a = "a " + bytes_of<float>({1, 2});
  const std::string b = "b " + bytes_of<float>({3, 4});
  const std::string c = "c " + bytes_of<float>({5, 6});
  expect_abc(folder_.write("v.bin", "3 2\n" + a + "\n" + b + "\n" + c + "\n"));
  expect_abc(folder_.write("v.bin", "3 2\n" + a + b + c));  // as gensim writes it
  expect_abc(folder_.write("v.bin.gz", testing::gzip("3 2\n" + a + b + c)));
  EXPECT_THAT(message_of(folder_.write("v.bin", "2 2\n" + a + b + c)),
              HasSubstr("bytes are left after 2 vectors"));
  EXPECT_THAT(message_of(folder_.write("v.bin", "4 2\n" + a + b + c)),
              HasSubstr("ends within vector 4 of 4"));
}

TEST_F(VectorsOfOthers, NpyOfEveryTypeAndOrder) {
  const std::string f4 = bytes_of<float>({1, 2, 3, 4, 5, 6});
  const std::string f8 = bytes_of<double>({1, 2, 3, 4, 5, 6});
  const std::string f2 = bytes_of<std::uint16_t>({0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600});
  const std::string columns = bytes_of<float>({1, 3, 5, 2, 4, 6});
  folder_.write("m.vocab", "a\nb\nc\n");
  expect_abc(folder_.write("m.npy", npy("<f4", false, "(3, 2)", f4)));
  expect_abc(folder_.write("m.npy", npy("<f8", false, "(3, 2)", f8)));
  expect_abc(folder_.write("m.npy", npy("<f2", false, "(3,2)", f2)));
  expect_abc(folder_.write("m.npy", npy("<f4", true, "(3, 2)", columns)));
  std::filesystem::remove(folder_.file("m.npy"));
  expect_abc(folder_.write("m.npy.gz", testing::gzip(npy("<f4", false, "(3, 2)", f4))));
}

TEST_F(VectorsOfOthers, HalfPrecisionIsExact) {
  folder_.write("m.vocab", "a\n");
  const std::string numbers = bytes_of<std::uint16_t>({0x0001, 0x8000, 0x7bff, 0xc248, 0x03ff});
  const WordVectors vectors = load_vectors(folder_.write("m.npy", npy("<f2", false, "(1, 5)", numbers)));
  EXPECT_THAT(vectors.values,
              ElementsAre(std::ldexp(1.0F, -24), 0.0F, 65504.0F, -3.140625F, std::ldexp(1023.0F, -24)));
}

TEST_F(VectorsOfOthers, AnUnsortedWordListMovesItsRows) {
  folder_.write("m.vocab", "c\t1\nb\t5\na\t9\n");
  expect_abc(folder_.write("m.npy", npy("<f4", false, "(3, 2)", bytes_of<float>({5, 6, 3, 4, 1, 2}))));
}

TEST_F(VectorsOfOthers, ARepeatedWordKeepsItsFirstVectorAndIsTold) {
  testing::Warnings warnings;
  RunOptions run;
  run.progress = &warnings;
  const WordVectors vectors = load_vectors(folder_.write("v.txt", "a 1 2\nb 3 4\na 9 9\nc 5 6\n"), run);
  EXPECT_THAT(vectors.values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(warnings.messages, ElementsAre(HasSubstr("1 repeated word is left out")));
}

TEST_F(VectorsOfOthers, TheFirstWordMayBeginWithAByteOrderMark) {
  const std::string path = folder_.file("m");
  WordVectors written;
  written.vocabulary = Vocabulary::from_words({{"\xef\xbb\xbfthe", 2}, {"the", 1}});
  written.dimensions = 1;
  written.values = {1, 2};
  save_vectors(path, written, VectorFormat::npy);
  EXPECT_EQ(load_vectors(path + ".npy").vocabulary.word(0), written.vocabulary.word(0));
}

TEST_F(VectorsOfOthers, WhatIsNoNumberIsRefusedWithItsPlace) {
  EXPECT_THAT(message_of(folder_.write("v.txt", "a 1 2\nb 3 nan\n")), HasSubstr("not finite"));
  EXPECT_THAT(message_of(folder_.write("v.txt", "2 2\na 1 2\nb 1e39 2\n")),
              HasSubstr("v.txt:3: a number beyond"));
  EXPECT_THAT(message_of(folder_.write("v.txt", "2 2\na 1 2\nb 1\n")),
              HasSubstr("v.txt:3: not a word and 2 numbers"));
  EXPECT_THAT(message_of(folder_.write("v.txt", "3 2\na 1 2\nb 3 4\n")),
              HasSubstr("2 vectors, but the first line says 3"));
  EXPECT_THAT(message_of(folder_.write("v.txt", "2 2\na 1 2\n\xff 3 4\n")),
              HasSubstr("v.txt:3: the word is not UTF-8"));
  const std::string one = bytes_of<float>({1});
  EXPECT_THAT(message_of(folder_.write("v.bin", "3 1\na " + one + "\n\xff " + one + "\nc " + one)),
              HasSubstr("v.bin: vector 2: the word is not UTF-8"));
  EXPECT_THAT(message_of(folder_.write("v.bin", "3 1\na " + one + "\n " + one + "\nc " + one)),
              HasSubstr("v.bin: vector 2: a vector without a word"));
  EXPECT_THAT(message_of(folder_.write("v.txt", "some running text\n")),
              HasSubstr("not a file of word vectors"));
  folder_.write("m.vocab", "a\n");
  EXPECT_THAT(message_of(folder_.write("m.npy", npy("<i4", false, "(1, 1)", "abcd"))),
              HasSubstr("float16, float32 or float64"));
  EXPECT_THAT(message_of(folder_.write("m.npy", npy("<f4", false, "(2, 1)", "abcdefgh"))),
              HasSubstr("1 words for 2 vectors"));
}

}  // namespace
}  // namespace firth
