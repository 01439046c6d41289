// Whatever is learnt goes into a string of bytes and comes back, and damage is noticed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "firth/build_tree.hpp"
#include "firth/class_lm.hpp"
#include "firth/cluster.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "firth/hmm.hpp"
#include "firth/lpcfg.hpp"
#include "firth/tagger.hpp"
#include "fuzz/repair_checksums.hpp"
#include "reference/random_data.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

using testing::TempFolder;

constexpr const char* kText = "the cat saw the dog\na dog saw a cat\nthe dog ran\n";

/// Every byte matters: each change must be refused, whatever the length left.
template <class Model>
void expect_damage_is_noticed(const std::string& bytes) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THROW((void)Model::from_bytes(bytes.substr(0, size)), FormatError) << size;
  }
  EXPECT_THROW((void)Model::from_bytes(bytes + "x"), FormatError);
  EXPECT_THROW((void)Model::from_bytes("a text of somebody else, longer than any header of ours is in fact"),
               FormatError);
  std::size_t refused = 0;
  std::size_t tried = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 300) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x21);
    ++tried;
    try {
      // Gaps between sections and reserved fields mean nothing: what is read must then be the same.
      EXPECT_EQ(Model::from_bytes(damaged).to_bytes(), bytes) << "byte " << i;
    } catch (const FormatError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 4);
}

TEST(ToBytes, Clustering) {
  base::Rng rng(3);
  const Counts counts = reference::random_counts(rng, 30, 500);
  for (const ClusterMethod& method :
       {ClusterMethod(BrownOptions{.classes = 6}), ClusterMethod(AutoOptions{.classes = 6}),
        ClusterMethod(AutoOptions{.classes = 6, .tree = false})}) {
    const Clustering clustering = cluster(counts, method).clustering;
    const std::string bytes = clustering.to_bytes();
    const Clustering again = Clustering::from_bytes(bytes);
    EXPECT_EQ(again, clustering);
    EXPECT_TRUE(std::ranges::equal(again.classes(), clustering.classes()));
    EXPECT_EQ(again.tree().has_value(), clustering.tree().has_value());
    EXPECT_EQ(again.vocabulary().count(0), clustering.vocabulary().count(0));
    EXPECT_GT(again.class_bigrams().total(), 0u);
    EXPECT_EQ(again.class_bigrams().total(), clustering.class_bigrams().total());
    EXPECT_EQ(again.to_bytes(), bytes);
    expect_damage_is_noticed<Clustering>(bytes);
  }
  EXPECT_EQ(Clustering::from_bytes(Clustering().to_bytes()), Clustering());
}

/// With the number of leaves of its tree replaced, and right checksums.
std::string with_leaves(std::string bytes, std::uint32_t leaves) {
  constexpr std::size_t kTreeRow = 4;        // of the table of sections
  constexpr std::size_t kPlaceOfLeaves = 8;  // in the section
  const std::size_t row = fuzz::kHeaderBytes + kTreeRow * fuzz::kRowBytes;
  const auto section = fuzz::load<std::uint64_t>(bytes, row + 8);
  std::memcpy(bytes.data() + section + kPlaceOfLeaves, &leaves, sizeof(leaves));
  fuzz::repair_checksums(bytes);
  return bytes;
}

/// It took 17 GB to find out that there are no such words.
TEST(ToBytes, AClusteringWithLeavesWithoutWordsIsRefused) {
  const Clustering flat = parse_clustering("cat\t0\ndog\t0\nthe\t1\n", "classes");
  const Clustering clustering(flat.vocabulary(), flat.classes(),
                              MergeTree{TreeLeaves::classes, 2, {{0, 1, 0.0}}});
  const std::string bytes = clustering.to_bytes();
  EXPECT_EQ(with_leaves(bytes, 2), bytes);
  for (const std::uint32_t leaves : {4U, 1U << 20, 1U << 30}) {
    try {
      (void)Clustering::from_bytes(with_leaves(bytes, leaves));
      ADD_FAILURE() << leaves << " leaves were accepted";
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("more leaves than there are words"));
    }
  }
}

TEST(ToBytes, Counts) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("text", kText)};
  const Counts counts = count_text(files, {.distances = {1, 2}});
  save_counts(folder.file("counts"), counts);
  const std::string bytes = counts.to_bytes();
  EXPECT_EQ(bytes, testing::read_file(folder.file("counts")));
  const Counts again = Counts::from_bytes(bytes);
  EXPECT_EQ(again.distances(), counts.distances());
  EXPECT_EQ(again.info().tokens, counts.info().tokens);
  EXPECT_EQ(again.to_bytes(), bytes);
  expect_damage_is_noticed<Counts>(bytes);
}

TEST(ToBytes, LanguageModels) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("text", kText)};
  const LanguageModel words = train_word_lm(files, VocabularyOptions{}, {.order = 3});
  const Clustering classes = parse_clustering("cat\t0\ndog\t0\nthe\t1\na\t1\nsaw\t2\nran\t2\n", "classes");
  const LanguageModel model = train_class_lm(files, classes, {.order = 2});
  const std::vector<LanguageModel> parts = {words, model};
  const std::vector<double> weights = {0.25, 0.75};
  for (const LanguageModel& one : {words, model, mix_models(parts, weights)}) {
    save_lm(folder.file("lm"), one);
    const std::string bytes = one.to_bytes();
    EXPECT_EQ(bytes, testing::read_file(folder.file("lm")));
    const LanguageModel again = LanguageModel::from_bytes(bytes);
    EXPECT_EQ(again.distribution(again.begin_sentence()), one.distribution(one.begin_sentence()));
    EXPECT_EQ(again.to_bytes(), bytes);
    expect_damage_is_noticed<LanguageModel>(bytes);
  }
}

TEST(ToBytes, HmmModel) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write("text", kText)};
  const HmmModel model = train_hmm(files, {.states = 3, .iterations = 4}).model;
  save_hmm(folder.file("hmm"), model);
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes, testing::read_file(folder.file("hmm")));
  const HmmModel again = HmmModel::from_bytes(bytes);
  EXPECT_EQ(again.transitions, model.transitions);
  EXPECT_EQ(again.emissions, model.emissions);
  expect_damage_is_noticed<HmmModel>(bytes);
}

TEST(ToBytes, Tagger) {
  const TempFolder folder;
  const std::vector<std::string> files = {
      folder.write("tags", "the O\nBrowns B-PER\nran O\n\nMs B-PER\nBrown I-PER\n")};
  const ClassSource source{parse_clustering("Browns\t0\nBrown\t0\nthe\t1\nran\t1\n", "classes"), {}};
  const Tagger tagger = train_tagger(read_tagged(files, {}), {.passes = 2}, {{source}, {}});
  save_tagger(folder.file("tagger"), tagger);
  const std::string bytes = tagger.to_bytes();
  EXPECT_EQ(bytes, testing::read_file(folder.file("tagger")));
  EXPECT_EQ(Tagger::from_bytes(bytes).to_bytes(), bytes);
  EXPECT_TRUE(Tagger::from_bytes(bytes).knows("Browns"));
  expect_damage_is_noticed<Tagger>(bytes);
}

TEST(ToBytes, Lpcfg) {
  const TempFolder folder;
  const std::vector<std::string> files = {folder.write(
      "trees", "((S (NP (D the) (N cat)) (VP (V ran))))\n((S (NP (D a) (N dog)) (VP (V ran))))\n")};
  const Lpcfg model = train_lpcfg(files, {});
  save_lpcfg(folder.file("grammar"), model);
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(bytes, testing::read_file(folder.file("grammar")));
  EXPECT_EQ(Lpcfg::from_bytes(bytes).to_bytes(), bytes);
  expect_damage_is_noticed<Lpcfg>(bytes);
}

TEST(ToBytes, WordVectors) {
  base::Rng rng(3);
  const Counts counts = reference::random_counts(rng, 30, 500);
  const WordVectors vectors = embed_words(counts, {.dimensions = 4, .context = {-1, 1}});
  const std::string bytes = vectors.to_bytes();
  const WordVectors again = WordVectors::from_bytes(bytes);
  EXPECT_EQ(again.values, vectors.values);
  EXPECT_EQ(again.dimensions, vectors.dimensions);
  EXPECT_EQ(again.vocabulary.word(7), vectors.vocabulary.word(7));
  EXPECT_EQ(again.svd.singular_values, vectors.svd.singular_values);
  EXPECT_EQ(again.svd.kappa, vectors.svd.kappa);
  EXPECT_EQ(again.to_bytes(), bytes);
  expect_damage_is_noticed<WordVectors>(bytes);
}

}  // namespace
}  // namespace firth
