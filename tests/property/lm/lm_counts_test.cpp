// Models from files of n-grams against models from text, and the files against counting by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "base/internals.hpp"
#include "base/rng.hpp"
#include "firth/lm_counts.hpp"
#include "lm/count_file.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using testing::TempFolder;

/// Lines of words, some of them special ones or blank.
std::string random_text(base::Rng& rng) {
  std::string text;
  const std::uint64_t lines = 1 + rng.below(30);
  for (std::uint64_t line = 0; line < lines; ++line) {
    const std::uint64_t length = rng.below(8);
    for (std::uint64_t i = 0; i < length; ++i) {
      const auto word = static_cast<int>(rng.uniform() * rng.uniform() * 40);
      text += word == 7 ? "<unk> " : word == 9 ? "</s> " : fmt::format("w{} ", word);
    }
    text += '\n';
  }
  return text + "w1 w2 w1\n";
}

/// A text in parts, counted one by one.
struct Parts {
  TempFolder folder;
  std::vector<std::string> texts;
  std::vector<std::string> counted;

  Parts(base::Rng& rng, const LmCountOptions& options, const RunOptions& run) {
    const std::uint64_t parts = 1 + rng.below(4);
    for (std::uint64_t part = 0; part < parts; ++part) {
      texts.push_back(folder.write(fmt::format("text{}", part), random_text(rng)));
      counted.push_back(folder.file(fmt::format("ngrams{}", part)));
      (void)count_ngrams(counted.back(), texts.back(), options, run);
    }
  }
};

Clustering random_classes(base::Rng& rng) {
  std::string lines = "<s>\t1\nw1\t3\n";
  for (int word = 2; word < 45; ++word) {
    if (rng.below(5) > 0) lines += fmt::format("w{}\t{}\n", word, rng.below(6));
  }
  return parse_clustering(lines, "classes");
}

LmCountOptions random_options(base::Rng& rng) {
  LmCountOptions options;
  options.boundaries = rng.below(4) > 0;
  options.order = 1 + static_cast<int>(rng.below(options.boundaries ? 6 : 2));
  return options;
}

LmTrainOptions random_training(base::Rng& rng, const LmCountOptions& counted) {
  LmTrainOptions options;
  options.boundaries = counted.boundaries;
  options.order = counted.boundaries
                      ? 1 + static_cast<int>(rng.below(static_cast<std::uint64_t>(counted.order)))
                      : counted.order;
  options.smoothing = static_cast<LmSmoothing>(rng.below(3));
  options.emission = static_cast<LmEmission>(rng.below(2));
  return options;
}

RunOptions random_run(base::Rng& rng) {
  RunOptions run;
  run.threads = static_cast<unsigned>(1 + rng.below(3));
  return run;
}

TEST(LmCounts, GiveTheModelsThatTheTextsGive) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    base::Rng rng(seed);
    const LmCountOptions options = random_options(rng);
    const Parts parts(rng, options, random_run(rng));
    const LmCounts counts = load_lm_counts(parts.counted);
    const LmTrainOptions training = random_training(rng, options);
    const Clustering classes = random_classes(rng);
    VocabularyOptions vocabulary;
    vocabulary.min_count = 1 + rng.below(3);
    vocabulary.max_vocab = rng.below(2) * 10;
    EXPECT_EQ(train_word_lm(counts, vocabulary, training).to_bytes(),
              train_word_lm(parts.texts, vocabulary, training).to_bytes());
    EXPECT_EQ(train_class_lm(counts, classes, training).to_bytes(),
              train_class_lm(parts.texts, classes, training).to_bytes());
    EXPECT_EQ(train_word_lm(counts, classes.vocabulary(), training).to_bytes(),
              train_word_lm(parts.texts, classes.vocabulary(), training).to_bytes());
  }
}

TEST(LmCounts, AddUpToTheCountsOfAllTexts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    base::Rng rng(seed);
    const LmCountOptions options = random_options(rng);
    const Parts parts(rng, options, {});
    const std::string merged = parts.folder.file("merged");
    const std::string whole = parts.folder.file("whole");
    const LmCountsInfo sum = merge_lm_counts(merged, load_lm_counts(parts.counted), random_run(rng));
    const LmCountsInfo info = count_ngrams(whole, parts.texts, options, random_run(rng));
    EXPECT_EQ(testing::read_file(merged), testing::read_file(whole));
    EXPECT_EQ(sum.words, info.words);
    EXPECT_EQ(sum.ngrams, info.ngrams);
    EXPECT_EQ(sum.tokens, info.tokens);
    EXPECT_EQ(sum.sentences, info.sentences);
  }
}

using Ngrams = std::map<std::vector<std::string>, Count>;

/// Position by position, without numbers or sorting.
Ngrams naive_ngrams(const std::string& text, const LmCountOptions& options) {
  Ngrams result;
  std::istringstream lines(text);
  const auto order = static_cast<std::size_t>(options.order);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> sentence(options.boundaries ? order - 1 : 0, "<s>");
    const std::size_t start = sentence.size();
    for (std::string word; words >> word;)
      sentence.push_back(word == "<s>" || word == "</s>" ? "<unk>" : word);
    if (sentence.size() == start) continue;
    if (options.boundaries) sentence.emplace_back("</s>");
    for (std::size_t end = order; end <= sentence.size(); ++end) {
      const auto last = sentence.begin() + static_cast<std::ptrdiff_t>(end);
      ++result[{last - options.order, last}];
    }
  }
  return result;
}

TEST(LmCounts, AreThoseOfANaiveCounter) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    base::Rng rng(seed);
    const LmCountOptions options = random_options(rng);
    const TempFolder folder;
    const std::string text = random_text(rng);
    const std::string path = folder.file("ngrams");
    (void)count_ngrams(path, folder.write("text", text), options);
    const std::vector<std::string> paths = {path};
    const LmCounts counts = load_lm_counts(paths);
    const lm::CountFile& file = base::internals(counts).files.front();
    Ngrams found;
    lm::for_each_ngram(file,
                       [&](std::span<const lm::Symbol> ngram, Count count) {
                         std::vector<std::string> words;
                         for (const lm::Symbol symbol : ngram) words.emplace_back(file.words[symbol]);
                         EXPECT_TRUE(found.emplace(words, count).second);
                       },
                       {});
    EXPECT_EQ(found, naive_ngrams(text, options));
  }
}

TEST(LmCounts, NeedNoMemoryForWhatIsOnDisk) {
  base::Rng rng(7);
  std::string text;
  for (int line = 0; line < 3000; ++line) {
    for (int word = 0; word < 12; ++word) text += fmt::format("w{} ", rng.below(3000));
    text += '\n';
  }
  const TempFolder folder;
  const std::string input = folder.write("text", text);
  const std::string plain = folder.file("plain");
  const std::string spilled = folder.file("spilled");
  RunOptions limited;
  limited.memory_bytes = std::uint64_t{1} << 20;  // a quarter of it holds 16,384 n-grams
  limited.threads = 2;
  (void)count_ngrams(plain, input, {});
  (void)count_ngrams(spilled, input, {}, limited);
  EXPECT_EQ(testing::read_file(plain), testing::read_file(spilled));
  const std::vector<std::string> paths = {spilled};
  const Clustering classes = random_classes(rng);
  EXPECT_EQ(train_class_lm(load_lm_counts(paths), classes, {}, limited).to_bytes(),
            train_class_lm(input, classes, {}).to_bytes());
}

}  // namespace
}  // namespace firth
