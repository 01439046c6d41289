// Files that are compressed by their names, lists of words of other tools, files that are not what was asked for.
#include <gmock/gmock.h>

#include <string>

#include "firth/class_lm.hpp"
#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "firth/tagger.hpp"
#include "support/messages.hpp"
#include "support/temp_folder.hpp"
#include "text/text_file.hpp"
#include "text/whole_file.hpp"
#include "text/word_list.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;
using testing::read_file;
using testing::TempFolder;

std::string long_text() {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919 % 10007) + (i % 11 == 0 ? "\n" : " ");
  return text;
}

TEST(TextFile, IsCompressedByItsName) {
  const TempFolder folder;
  const std::string text = long_text();
  for (const std::string name : {"a.gz", "a.zst", "a.xz", "a.txt"}) {
    const std::string path = folder.file(name);
    text::TextFile file(path);
    for (std::size_t at = 0; at < text.size(); at += 1000)
      file.write(std::string_view(text).substr(at, 1000));
    file.commit();
    EXPECT_EQ(read_file(path).size() == text.size(), name == "a.txt");
    EXPECT_EQ(text::read_whole(text::InputFile{.path = path}), text) << name;
  }
}

TEST(TextFile, MayBeEmpty) {
  const TempFolder folder;
  for (const std::string name : {"a.gz", "a.zst", "a.xz"}) {
    text::TextFile file(folder.file(name));
    file.commit();
    EXPECT_EQ(text::read_whole(text::InputFile{.path = folder.file(name)}), "") << name;
  }
}

TEST(TextFile, CountsAndModelsAreNotCompressed) {
  const TempFolder folder;
  const Counts counts = count_text(Inputs::from_text("a b a\n", "text"), {});
  EXPECT_THROW(save_counts(folder.file("x.counts.gz"), counts), UsageError);
  EXPECT_NO_THROW(save_counts(folder.file("x.gz.counts"), counts));
}

TEST(TextFile, ClassesComeBack) {
  const TempFolder folder;
  const Clustering classes = parse_clustering("a\t0\nb\t1\nc\t0\n", "classes");
  save_clustering(folder.file("x.tsv.gz"), classes, ClusterFormat::classes);
  EXPECT_EQ(load_clustering(folder.file("x.tsv.gz")), classes);
}

TEST(WordList, TakesTheFirstField) {
  const TempFolder folder;
  const auto words = [&](std::string_view text) {
    std::vector<std::string> found;
    for (const auto& word : text::read_word_list(folder.write("list", text), {})) found.push_back(word.word);
    return found;
  };
  const std::vector<std::string> expected = {"cat", "dog"};
  EXPECT_EQ(words("cat\ndog\n"), expected);
  EXPECT_EQ(words("cat\t12\n\ndog\t3\n"), expected);
  EXPECT_EQ(words("cat K AE T\ndog D AO G\n"), expected);  // a lexicon
  EXPECT_EQ(words("cat 1\ndog 2\n"), expected);            // words.txt of Kaldi
  EXPECT_EQ(words("2 cat 17\n3 dog 5\n"), expected);       // a vocabulary of GIZA++
  EXPECT_EQ(words("1984 12\n2001 3\n"), (std::vector<std::string>{"1984", "2001"}));
}

TEST(KnownFiles, AreNamedInMessages) {
  const TempFolder folder;
  const Inputs text = Inputs::from_text("a b a c\n");
  const HmmModel model = train_hmm(text, {.states = 2, .iterations = 1}).model;
  const std::string path = folder.file("model");
  save_hmm(path, model);
  EXPECT_THAT(testing::message_of([&] { load_tagger(path); }),
              HasSubstr("this is a hidden Markov model, not a tagger"));
  EXPECT_THAT(testing::message_of([&] { count_text(path, {}); }),
              HasSubstr("this is a hidden Markov model, not text"));
  EXPECT_THAT(testing::message_of([&] { load_lm(path); }),
              HasSubstr("this is a hidden Markov model, not text"));
  const std::string begin = "mmap lm http://kheafield.com/code format version 5\n";
  const std::string kenlm = folder.write("kenlm", begin + std::string(8, '\0'));
  EXPECT_THAT(testing::message_of([&] { load_lm(kenlm); }), HasSubstr("a binary file of KenLM"));
}

}  // namespace
}  // namespace firth
