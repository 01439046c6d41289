#include "firth/prototypes.hpp"

#include <gmock/gmock.h>

#include "firth/error.hpp"
#include "support/messages.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kText = "the cat sees a dog\na dog sees the cat\nthe cat runs\nthe dog runs\nthe end\n";

/// Classes {the a}, {cat dog}, {sees runs}; "end" has none.
Clustering classes() {
  return parse_clustering("the\t0\na\t0\ncat\t1\ndog\t1\nsees\t2\nruns\t2\nunseen\t3\n", "classes",
                          ClusterFormat::classes);
}

std::string tagged(const Clustering& model, std::span<const Prototype> prototypes, const std::string& text) {
  std::string all;
  PrototypeTagger(model, prototypes)
      .tag(Inputs::from_text(text), {},
           [&](std::span<const std::string_view> words, std::span<const std::string_view> tags) {
             for (std::size_t i = 0; i < words.size(); ++i) {
               all += std::string(words[i]) + "/" + std::string(tags[i]) + " ";
             }
             all += "| ";
           });
  return all;
}

TEST(Prototypes, AreTheMostFrequentWordsOfClassesThatAreInTheText) {
  const auto found = choose_prototypes(classes(), Inputs::from_text(kText), {.contexts = 2, .width = 1});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].word, "the");
  EXPECT_EQ(found[0].tokens, 7U);
  EXPECT_EQ(found[1].word, "cat");  // as often as dog: the first of the clustering
  EXPECT_EQ(found[1].tokens, 6U);
  EXPECT_EQ(found[2].tokens, 4U);
  EXPECT_THAT(found[1].contexts, ElementsAre("the [cat]", "the [cat] runs"));
  EXPECT_THAT(found[0].contexts, ElementsAre("[the] cat", "[the] end"));
}

TEST(Prototypes, TagTheirClassesAndWordsThatAreSpeltAlike) {
  const std::vector<Prototype> list = {
      {.word = "the", .tag = "DET"}, {.word = "dog", .tag = "NOUN"}, {.word = "sees"}};
  EXPECT_EQ(tagged(classes(), list, "the cat sees\n\na dog\n"), "the/DET cat/NOUN sees/ | a/DET dog/NOUN | ");
  EXPECT_THAT(tagged(classes(), list, "thf"), HasSubstr("thf/DET"));
}

TEST(Prototypes, ListsComeBackFromTheirFiles) {
  const testing::TempFolder folder;
  auto found = choose_prototypes(classes(), Inputs::from_text(kText));
  found[1].tag = "NOUN";
  save_prototypes(folder.file("list"), found);
  const auto back = load_prototypes(folder.file("list"));
  ASSERT_EQ(back.size(), found.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].word, found[i].word);
    EXPECT_EQ(back[i].tag, found[i].tag);
  }
  EXPECT_EQ(load_prototypes(folder.write("short", "dog\tNOUN\r\ncat\t?\n")).at(0).tag, "NOUN");
}

TEST(Prototypes, RefuseWhatMakesNoSense) {
  const testing::TempFolder folder;
  const auto tag = [&](std::vector<Prototype> list) {
    return testing::message_of([&] { (void)tagged(classes(), list, "a"); });
  };
  EXPECT_THAT(tag({{.word = "the"}}), HasSubstr("no prototype has a tag"));
  EXPECT_THAT(tag({{.word = "zebra", .tag = "NOUN"}}), HasSubstr("'zebra' is in no class"));
  EXPECT_THAT(tag({{.word = "cat", .tag = "NOUN"}, {.word = "dog", .tag = "VERB"}}),
              HasSubstr("'cat' is tagged NOUN, 'dog' of the same class VERB"));
  const auto tag_list = [&](std::string_view list) {
    return tag(load_prototypes(folder.write("list", list)));
  };
  EXPECT_THAT(tag_list("word\ttag\ncat\tNOUN\nzebra\tNOUN\n"), HasSubstr("list:3: the prototype 'zebra'"));
  EXPECT_THAT(tag_list("cat\tNOUN\ndog\tVERB\n"), HasSubstr("list:2: 'cat' is tagged NOUN"));
  EXPECT_THAT(
      testing::message_of([&] { (void)load_prototypes(folder.write("bad", "word\ttag\ncat\tNOUN\ndog\n")); }),
      HasSubstr("bad:3"));
  EXPECT_THAT(
      testing::message_of([&] { (void)choose_prototypes(classes(), Inputs::from_text("nothing known")); }),
      HasSubstr("no word of the classes"));
  EXPECT_THAT(testing::message_of([&] { (void)choose_prototypes(classes(), "a", {.contexts = 101}); }),
              HasSubstr("101 places"));
}

}  // namespace
}  // namespace firth
