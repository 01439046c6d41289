// One meaning for all rooms: of a CoNLL-U file, and of the options of vocabularies.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "firth/class_lm.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/gold_tags.hpp"
#include "firth/hmm.hpp"
#include "firth/tagger.hpp"
#include "support/temp_folder.hpp"
#include "text/sentence_reader.hpp"
#include "treebank/tagged_reader.hpp"

namespace firth {
namespace {

using Words = std::map<std::string, Count>;

// What a room makes of a file: its words, or why it refuses them.
struct Outcome {
  Words words;
  std::string error;

  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend void PrintTo(const Outcome& outcome, std::ostream* out) {
    *out << outcome.error;
    for (const auto& [word, count] : outcome.words) *out << word << ':' << count << ' ';
  }
};

template <typename Read>
Outcome outcome_of(const Read& read) {
  Outcome outcome;
  try {
    read(outcome.words);
  } catch (const InputError& failure) {
    outcome = {{}, failure.what()};
  }
  return outcome;
}

Words words_of(const Vocabulary& vocabulary) {
  Words words;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    words[std::string(vocabulary.word(word))] = vocabulary.count(word);
  }
  return words;
}

Outcome counted(const std::string& path) {
  return outcome_of([&](Words& words) {
    words = words_of(count_text(path, {.text = {.format = InputFormat::conllu}}).vocabulary());
  });
}

Outcome tagged(const std::string& path) {
  return outcome_of([&](Words& words) {
    for (const auto& sentence : read_tagged(path, {.format = TokenFormat::conllu})) {
      for (const std::string& word : sentence.words) ++words[word];
    }
  });
}

Outcome gold(const std::string& path) {
  return outcome_of([&](Words& words) { words = words_of(read_tagged_text(path, {}).vocabulary); });
}

Outcome sequences(const std::string& path) {
  return outcome_of([&](Words& words) {
    treebank::TaggedReader reader(path, {.format = TokenFormat::conllu}, {});
    for (Tree tree; reader.next(tree);) {
      for (const auto& node : tree.nodes) words[node.word] += node.word.empty() ? 0 : 1;
    }
    words.erase("");
  });
}

Outcome sentences(const std::string& path) {
  return outcome_of([&](Words& words) {
    text::SentenceReader reader(text::expand_inputs(path, {}), {.format = InputFormat::conllu}, {});
    for (std::span<const WordId> sentence; reader.next(sentence);) {
      for (const WordId word : sentence) ++words[std::string(reader.word(word))];
    }
  });
}

std::string row(const std::string& id, const std::string& form, const std::string& upos = "X",
                const std::string& xpos = "Y") {
  return fmt::format("{}\t{}\t_\t{}\t{}\t_\t0\t_\t_\t_\n", id, form, upos, xpos);
}

TEST(Conllu, IsReadTheSameEverywhere) {
  const testing::TempFolder folder;
  const std::string a = row("1", "a");
  const std::vector<std::string> files = {
      a,
      a + "\n",
      a + row("2", "b") + "\n" + a,
      "# c\n" + a,
      "#\n" + a + "# in between\n" + row("2", "b"),
      a + "   \n" + a,
      a + "\t\n" + a,
      "\n\n" + a + "\n\n\n" + a,
      row("1-2", "ab") + a + row("2", "b"),
      a + row("1.1", "ghost"),
      row("0.1", "ghost") + a,
      row("1", "10 000"),
      row("1", "\xc2\xa0"),
      row("1", "_"),
      row("1", "a", "_", "NN"),
      row("1", "a", "_", "_"),
      row("01", "a"),
      row("1", "-DOCSTART-"),
      row("1", "#"),
      row("x", "a"),
      row("--", "a"),
      row("1-", "a"),
      row("-1", "a"),
      row("1-2-3", "a"),
      row("1.", "a"),
      row("1..2", "a"),
      row("", "a"),
      row(" 1", "a"),
      row("1", ""),
      a + "1\ta\n",
      a + "1\ta\t_\tX\tY\t_\t0\t_\t_\n",
      a + "1\ta\t_\tX\tY\t_\t0\t_\t_\t_\t_\n",
      a + "1 a _ X Y _ 0 _ _ _\n",
      a + row("2", "\xff"),
      a + row("2", std::string("b\0c", 3)),
  };
  for (const std::string& content : files) {
    const std::string path = folder.write("file", content);
    const Outcome expected = counted(path);
    EXPECT_NE(expected.words.empty(), expected.error.empty()) << content;
    EXPECT_EQ(tagged(path), expected) << content;
    EXPECT_EQ(gold(path), expected) << content;
    EXPECT_EQ(sequences(path), expected) << content;
    EXPECT_EQ(sentences(path), expected) << content;
  }
}

TEST(Conllu, TheTagIsThatOfTheLanguageWhereTheUniversalOneIsMissing) {
  const Inputs text = Inputs::from_text(row("1", "a", "_", "NN") + row("2", "b", "VERB", "VB"));
  EXPECT_THAT(read_tagged(text, {}).front().tags, ::testing::ElementsAre("NN", "VERB"));
  const GoldText gold_text = read_tagged_text(text, {});
  EXPECT_EQ(gold_text.tags.size(), 2U);
  treebank::TaggedReader reader(text, {}, {});
  Tree tree;
  ASSERT_TRUE(reader.next(tree));
  EXPECT_EQ(tree.nodes[1].label, "NN");
  EXPECT_EQ(tree.nodes[2].label, "VERB");
}

constexpr const char* kUnknownWord = "<unk>";

Words lm_words(const Inputs& text, const VocabularyOptions& options) {
  const LanguageModel model = train_word_lm(text, options, {.order = 1});
  Words words;
  for (WordId word = LanguageModel::kEnd + 1; word < model.word_count(); ++word) {
    words[std::string(model.word(word))] = 1;
  }
  return words;
}

Words without_unknown(const Vocabulary& vocabulary) {
  Words words;
  for (const auto& [word, count] : words_of(vocabulary)) {
    if (word != kUnknownWord) words[word] = 1;
  }
  return words;
}

TEST(VocabularyOptionsTest, MeanTheSameEverywhere) {
  const testing::TempFolder folder;
  const Inputs text = Inputs::from_text("a a a a b b b c c d d e <unk> <unk>\n");
  const std::string list = folder.write("list", " d \tignored\nb\n\ne\nb\nnever seen\nunicorn\r\n");
  const std::vector<std::pair<VocabularyOptions, std::vector<std::string>>> cases = {
      {{}, {"a", "b", "c", "d", "e"}},
      {{.min_count = 2}, {"a", "b", "c", "d"}},
      {{.max_vocab = 2}, {"a", "b"}},
      {{.vocab_file = list}, {"b", "d", "e"}},
      {{.min_count = 2, .vocab_file = list}, {"b", "d"}},
      {{.max_vocab = 1, .vocab_file = list}, {"b"}},
      {{.min_count = 3, .max_vocab = 5, .vocab_file = list}, {"b"}},
  };
  for (const auto& [options, kept] : cases) {
    Words expected;
    for (const std::string& word : kept) expected[word] = 1;
    EXPECT_EQ(without_unknown(count_text(text, {.vocabulary = options}).vocabulary()), expected);
    EXPECT_EQ(without_unknown(
                  train_hmm(text, {.states = 1, .iterations = 1, .vocabulary = options}).model.vocabulary),
              expected);
    EXPECT_EQ(lm_words(text, options), expected);
  }
}

}  // namespace
}  // namespace firth
