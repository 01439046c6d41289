// What can be read: paths in every shape, and text, tokens and ids from memory.
#include "firth/inputs.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/rng.hpp"
#include "firth/brown.hpp"
#include "firth/class_lm.hpp"
#include "firth/constraints.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/gold_tags.hpp"
#include "firth/hmm.hpp"
#include "firth/phrases.hpp"
#include "firth/prototypes.hpp"
#include "firth/rescore.hpp"
#include "firth/run_record.hpp"
#include "firth/tagger.hpp"
#include "firth/treebank.hpp"
#include "support/messages.hpp"
#include "support/temp_folder.hpp"
#include "text/inputs.hpp"

namespace firth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Sequences = std::vector<std::vector<std::string>>;

Count tokens_in(const Inputs& inputs, const CountOptions& options = {}) {
  return count_text(inputs, options, {}).info().tokens;
}

TEST(Inputs, EveryShapeOfPaths) {
  const testing::TempFolder folder;
  const std::string a = folder.write("a", "one two\n");
  const std::string b = folder.write("b", "three\n");
  const std::vector<std::string> both = {a, b};
  EXPECT_EQ(tokens_in(a), 2U);
  EXPECT_EQ(tokens_in(a.c_str()), 2U);
  EXPECT_EQ(tokens_in(std::string_view(a)), 2U);
  EXPECT_EQ(tokens_in(std::filesystem::path(a)), 2U);
  EXPECT_EQ(tokens_in({std::filesystem::path(a), b}), 3U);
  EXPECT_EQ(tokens_in({a}), 2U);
  EXPECT_EQ(tokens_in({a, b}), 3U);
  EXPECT_EQ(tokens_in(both), 3U);
  EXPECT_EQ(tokens_in(std::span(both)), 3U);
  EXPECT_EQ(tokens_in(folder.path()), 3U);
  EXPECT_THAT(expand_folders(folder.path()).paths(), ElementsAre(a, b));
  EXPECT_THROW(tokens_in({}), UsageError);
  EXPECT_EQ(Inputs("-").first_name(), "standard input");
}

// Words that a reader might trip over: long, of several bytes, starting like compressed files or with a mark.
const Sequences kOdd = {{"a", "b", "a"},
                        {},
                        {"na\xc3\xafve", "\xe6\x97\xa5\xe6\x9c\xac", "\x01", "#", "\"quoted\"", "<unk>"},
                        {"seventeen-letters", "a", "\xc2\xa0", "\xef\xbb\xbf"},
                        {"a-very-long-word-beyond-any-small-key", "b"}};

Sequences random_sequences(base::Rng& rng, std::size_t sequences) {
  Sequences result = kOdd;
  for (std::size_t i = 0; i < sequences; ++i) {
    std::vector<std::string>& words = result.emplace_back();
    for (std::uint64_t n = rng.below(12); n > 0; --n) words.push_back("w" + std::to_string(rng.below(300)));
    if (rng.below(9) == 0) words.push_back(kOdd[2][rng.below(kOdd[2].size())]);
  }
  return result;
}

std::string as_text(const Sequences& sequences) {
  std::string text;
  for (const auto& words : sequences) {
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : " ") + words[i];
    text += '\n';
  }
  return text;
}

TokenCallback one_by_one(const Sequences& sequences) {
  return [&sequences, next = std::size_t{0}](std::vector<std::string>& sequence) mutable {
    if (next == sequences.size()) return false;
    sequence = sequences[next++];
    return true;
  };
}

ByteCallback in_pieces(const std::string& text, std::size_t size) {
  return [&text, size, used = std::size_t{0}](char* data, std::size_t most) mutable {
    const std::size_t got = std::min({size, most, text.size() - used});
    std::copy_n(text.data() + used, got, data);
    used += got;
    return got;
  };
}

struct Ids {
  std::vector<std::vector<std::uint32_t>> sequences;
  std::vector<std::string> names;
};

Ids as_ids(const Sequences& sequences) {
  Ids ids;
  std::map<std::string, std::uint32_t> known;
  for (const auto& words : sequences) {
    auto& sequence = ids.sequences.emplace_back();
    for (const std::string& word : words) {
      const auto [place, fresh] = known.try_emplace(word, static_cast<std::uint32_t>(ids.names.size()));
      if (fresh) ids.names.push_back(word);
      sequence.push_back(place->second);
    }
  }
  return ids;
}

std::string count_file(const testing::TempFolder& folder, const Inputs& inputs, const CountOptions& options,
                       unsigned threads) {
  save_counts(folder.file("counts"), count_text(inputs, options, {.threads = threads}));
  return testing::read_file(folder.file("counts"));
}

TEST(InputsFromMemory, GiveTheCountFileOfTheSameTextInAFile) {
  const testing::TempFolder folder;
  base::Rng rng(7);
  // More than a block, so that threads share it.
  for (const std::size_t size : {std::size_t{0}, std::size_t{300}, std::size_t{60000}}) {
    const Sequences sequences = random_sequences(rng, size);
    const std::string text = as_text(sequences);
    const std::string path = folder.write("text", text);
    const Ids ids = as_ids(sequences);
    for (const TextBoundaries boundaries : {TextBoundaries::lines, TextBoundaries::stream}) {
      CountOptions options;
      options.distances = {1, 2};
      options.text.boundaries = boundaries;
      options.vocabulary.rare = boundaries == TextBoundaries::lines ? RarePolicy::unk : RarePolicy::drop;
      options.vocabulary.min_count = 2;
      const std::string expected = count_file(folder, path, options, 1);
      for (const unsigned threads : {1U, 2U, 3U}) {
        const auto same = [&](const Inputs& inputs) {
          return count_file(folder, inputs, options, threads) == expected;
        };
        EXPECT_TRUE(same(path));
        EXPECT_TRUE(same(Inputs::from_text(text)));
        EXPECT_TRUE(same(Inputs::from_bytes(in_pieces(text, 1 + rng.below(5000)))));
        EXPECT_TRUE(same(Inputs::from_tokens(sequences)));
        EXPECT_TRUE(same(Inputs::from_tokens(one_by_one(sequences))));
        EXPECT_TRUE(same(Inputs::from_ids(ids.sequences, ids.names)));
      }
    }
  }
}

TEST(InputsFromMemory, IdsWithoutNamesAreDecimalNumbers) {
  const Counts counts = count_text(Inputs::from_ids({{7, 4294967295U, 7}, {0}}), {}, {});
  EXPECT_EQ(counts.vocabulary().word(0), "7");
  EXPECT_EQ(counts.vocabulary().count(0), 2U);
  EXPECT_EQ(counts.vocabulary().word(2), "4294967295");
  std::uint32_t next = 0;
  const auto count_up = [&](std::vector<std::uint32_t>& ids) {
    ids.assign(1, next);
    return next++ < 5;
  };
  EXPECT_EQ(tokens_in(Inputs::from_ids(count_up)), 5U);
}

TEST(InputsFromMemory, BadTokensAreNamedByTheNumberOfTheirSequence) {
  const auto error = [](Sequences sequences) {
    return testing::message_of<InputError>(
        [&] { tokens_in(Inputs::from_tokens(std::move(sequences), "posts")); });
  };
  EXPECT_THAT(error({{"a"}, {"b", "New York"}}), HasSubstr("posts:2: token 2 has white space in it"));
  EXPECT_THAT(error({{"a"}, {}, {"b\n"}}), HasSubstr("posts:3: token 1 has white space"));
  EXPECT_THAT(error({{"a", ""}}), HasSubstr("posts:1: token 2 is empty"));
  EXPECT_THAT(error({{"a"}, {"b", "\xff"}}), HasSubstr("posts:2:3: broken UTF-8"));
  EXPECT_THAT(error({{std::string("a\0b", 3)}}), HasSubstr("posts:1:2: NUL byte"));
  EXPECT_THAT(testing::message_of<InputError>([] {
                tokens_in(Inputs::from_ids({{0, 1}, {2}}, {"a", "b"}));
              }),
              HasSubstr("ids:2: id 2 has no name: there are 2 names"));
}

TEST(InputsFromMemory, TokensAreTakenAsTheyAre) {
  // In a file these would be a byte-order mark and the begin of a gzip file.
  const Counts counts = count_text(Inputs::from_tokens({{"\xef\xbb\xbfx"}}), {}, {});
  EXPECT_EQ(counts.vocabulary().word(0), "\xef\xbb\xbfx");
  EXPECT_THAT(testing::message_of<InputError>([] { tokens_in(Inputs::from_tokens({{"\x1f\x8b\x08"}})); }),
              HasSubstr("broken UTF-8"));
  CountOptions conllu;
  conllu.text.format = InputFormat::conllu;
  EXPECT_THROW(tokens_in(Inputs::from_tokens({{"a"}}), conllu), UsageError);
}

TEST(InputsFromMemory, CallbacksAreReadOnce) {
  const std::string text = "a b c\n";
  const Inputs once = Inputs::from_bytes(in_pieces(text, 2), "stream");
  EXPECT_EQ(tokens_in(once), 3U);
  EXPECT_THAT(testing::message_of<UsageError>([&] { tokens_in(once); }),
              HasSubstr("stream: these inputs were read"));
  const Inputs again = Inputs::from_text(text);
  EXPECT_EQ(tokens_in(again), tokens_in(again));
  const Inputs failing = Inputs::from_bytes(
      [](char*, std::size_t) -> std::size_t { throw std::runtime_error("the caller's own"); });
  EXPECT_THROW(tokens_in(failing), std::runtime_error);
}

TEST(InputsFromMemory, TheFormatOfACallbackIsFoundByItsFirstLine) {
  const std::string text = "# c\n1\ta\t_\tX\tY\t_\t0\t_\t_\t_\n2\tb\t_\tX\tY\t_\t0\t_\t_\t_\n";
  CountOptions options;
  options.text.format = InputFormat::automatic;
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const Inputs once = Inputs::from_bytes(in_pieces(text, size), "stream");
    EXPECT_EQ(count_text(once, options, {}).vocabulary().word(1), "b") << size;
    EXPECT_THROW(tokens_in(once), UsageError);
  }
}

TEST(InputsFromMemory, EveryReaderOfTextTakesThem) {
  const Inputs text = Inputs::from_text("a b a\nb a\n");
  const LanguageModel model = train_word_lm(text, VocabularyOptions{}, {}, {});
  EXPECT_EQ(score_text(model, Inputs::from_tokens({{"a", "b"}, {"c"}}), {}, {}).words, 3U);
  EXPECT_EQ(train_hmm(text, {.states = 2, .iterations = 2}, {}).tokens, 5U);
  const std::string tagged = "a\tX\nb\tY\n\nc\tX\n";
  EXPECT_EQ(read_tagged(Inputs::from_text(tagged), {}, {}).size(), 2U);
  EXPECT_THROW(read_tagged(Inputs::from_tokens({{"a"}}), {}, {}), UsageError);
  EXPECT_EQ(read_tagged_text(Inputs::from_text(tagged), {}).tokens(), 3U);
  TreeReader trees(Inputs::from_text("(S (A a))\n"), TreeLayout::free, {});
  Tree tree;
  EXPECT_TRUE(trees.next(tree));
}

// A pipe that nobody writes to.
class IdlePipe : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    holder_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    stopper_ = std::jthread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      stop_.request_stop();
    });
    run_.stop = stop_.get_token();
  }
  void TearDown() override { ::close(holder_); }

  testing::TempFolder folder_;
  std::string path_ = folder_.file("pipe");
  int holder_ = -1;
  std::stop_source stop_;
  std::jthread stopper_;
  RunOptions run_;
};

TEST_F(IdlePipe, TrainingAClassModelStops) {
  const Clustering classes = parse_clustering("0\ta\t1\n", "classes");
  EXPECT_THROW(train_class_lm(path_, classes, {}, run_), Cancelled);
}

TEST_F(IdlePipe, TrainingAWordModelStops) {
  EXPECT_THROW(train_word_lm(path_, VocabularyOptions{}, {}, run_), Cancelled);
}

TEST_F(IdlePipe, ScoringStops) {
  const LanguageModel model = train_word_lm(Inputs::from_text("a b\n"), VocabularyOptions{}, {}, {});
  EXPECT_THROW(score_text(model, path_, {}, {}, run_), Cancelled);
}

TEST_F(IdlePipe, MappingTextToClassesStops) {
  const LanguageModel model =
      train_class_lm(Inputs::from_text("a\n"), parse_clustering("0\ta\t1\n", "c"), {}, {});
  EXPECT_THROW(map_text(folder_.file("out"), path_, model, {}, run_), Cancelled);
}

TEST_F(IdlePipe, TuningWeightsStops) {
  const LanguageModel model = train_word_lm(Inputs::from_text("a b\n"), VocabularyOptions{}, {}, {});
  const std::vector<LanguageModel> models = {model, model};
  EXPECT_THROW(tune_weights(models, path_, {}, run_), Cancelled);
}

TEST_F(IdlePipe, ReadingListsAndClassesStops) {
  EXPECT_THROW((void)load_constraints(path_, run_), Cancelled);
  EXPECT_THROW((void)load_clustering(path_, ClusterFormat::automatic, run_), Cancelled);
  EXPECT_THROW((void)load_prototypes(path_, run_), Cancelled);
  EXPECT_THROW((void)load_phrases(path_, "_", run_), Cancelled);
  EXPECT_THROW((void)load_names(path_, run_), Cancelled);
  EXPECT_THROW((void)load_references(path_, run_), Cancelled);
  EXPECT_THROW((void)load_new_words(path_, run_), Cancelled);
  EXPECT_THROW((void)load_word_order(path_, {}, run_), Cancelled);
}

TEST(InputsFromMemory, AListIsOneThing) {
  const testing::TempFolder folder;
  const std::string list = folder.write("list", "a\tb\n");
  EXPECT_EQ(load_phrases(Inputs::from_text("a\tb\n")).list.size(), 1U);
  EXPECT_THROW((void)load_phrases({list, list}), UsageError);
  EXPECT_THROW((void)load_phrases(folder.path()), InputError);
  EXPECT_THAT(testing::message_of<InputError>([] { (void)load_phrases(Inputs::from_text("a\n", "mine")); }),
              HasSubstr("mine:1: not two words"));
}

TEST(InputRecords, AreTheFilesThatAreRead) {
  const testing::TempFolder folder;
  const std::string a = folder.write("corpus/a", "one\n");
  folder.write("corpus/.hidden", "not read\n");
  folder.write("corpus/.git/config", "not read\n");
  const std::string b = folder.write("corpus/sub/b", "two\n");
  const auto records = describe_inputs(folder.file("corpus"));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].path, a);
  EXPECT_EQ(records[1].path, b);
  EXPECT_EQ(records[1].bytes, 4U);
  EXPECT_EQ(records[1].xxh3.size(), 16U);
  EXPECT_EQ(describe_inputs(Inputs::from_text("x", "memory")).front().path, "memory");
}

TEST(InputRecords, WhatCannotBeReadIsAnIoError) {
  // A name beyond what the system takes makes the plain functions of std::filesystem throw their own kind.
  EXPECT_THROW(describe_inputs(std::string(5000, 'x')), IoError);
  const testing::TempFolder folder;
  std::filesystem::create_symlink("loop", folder.file("loop"));
  EXPECT_THROW(describe_inputs(folder.file("loop")), IoError);
}

}  // namespace
}  // namespace firth
