#include <gmock/gmock.h>
#include <zlib.h>

#include <array>
#include <filesystem>
#include <iterator>

#include "firth/clustering.hpp"
#include "firth/error.hpp"
#include "reference/random_data.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FolderTest : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return root_.file(name); }
  std::string content(const std::string& name) const { return testing::read_file(at(name)); }
  void put(const std::string& name, const std::string& text) const { root_.write(name, text); }
  std::string refusal(const std::string& name) const {
    try {
      load_clustering(at(name));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  testing::TempFolder root_;
};

Clustering small() {
  return {Vocabulary::from_words({{"a", 9}, {"b", 7}, {"c", 5}}), std::vector<ClassId>{0, 1, 1},
          MergeTree{TreeLeaves::words, 3, {{1, 2, 0.75}, {0, 3, 0}}}};
}

TEST_F(FolderTest, HoldsTheDocumentedFiles) {
  save_clustering(at("new/folder"), small(), ClusterFormat::firth);
  EXPECT_EQ(content("new/folder/paths"), "0\ta\t9\n1\tb\t7\n1\tc\t5\n");
  EXPECT_EQ(content("new/folder/classes.tsv"), "a\t1\nb\t0\nc\t0\n");
  EXPECT_EQ(content("new/folder/merges.tsv"),
            "# firth merges 1\n# leaves words 3\n# step\tleft\tright\tami_bits\n0\t1\t2\t0.75\n1\t0\t3\t0\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(at("new/folder")), {}), 3);
}

TEST_F(FolderTest, EverythingComesBack) {
  base::Rng rng(23);
  for (int trial = 0; trial < 45; ++trial) {
    const Clustering original = reference::random_clustering(rng, 1 + rng.below(30), trial % 3);
    save_clustering(at("run"), original, ClusterFormat::firth);
    ASSERT_EQ(load_clustering(at("run")), original);
    ASSERT_EQ(load_clustering(at("run"), ClusterFormat::firth), original);
  }
}

TEST_F(FolderTest, ClassBigramsComeBack) {
  Clustering learnt = small();  // class 0 is {b, c}, class 1 is {a}
  learnt.set_class_bigrams(PairCounts::from_pairs(2, {{0, 1, 3}, {1, 0, 4}, {1, 1, 1}}));
  save_clustering(at("run"), learnt, ClusterFormat::firth);
  EXPECT_EQ(content("run/bigrams.tsv"),
            "# firth class bigrams 1\n# left\tright\tcount\n0\t1\t3\n1\t0\t4\n1\t1\t1\n");
  const auto bigrams = [&] {
    const Clustering read = load_clustering(at("run"));
    EXPECT_EQ(read, learnt);
    std::vector<std::array<Count, 3>> found;
    for (ClassId c = 0; c < read.class_bigrams().rows(); ++c) {
      for (std::size_t i = 0; i < read.class_bigrams().right_words(c).size(); ++i) {
        found.push_back({c, read.class_bigrams().right_words(c)[i], read.class_bigrams().right_counts(c)[i]});
      }
    }
    return found;
  };
  const std::vector<std::array<Count, 3>> expected = {{0, 1, 3}, {1, 0, 4}, {1, 1, 1}};
  EXPECT_EQ(bigrams(), expected);
  // Class numbers are those of classes.tsv, whatever they are.
  put("run/classes.tsv", "a\t7\nb\t4000000000\nc\t4000000000\n");
  put("run/bigrams.tsv", "4000000000\t7\t3\n7\t4000000000\t4\n7\t7\t1\n");
  EXPECT_EQ(bigrams(), expected);
  put("run/bigrams.tsv", "7\t1\t3\n");
  EXPECT_THAT(refusal("run"), HasSubstr("bigrams.tsv:1: '1' is not the number of a class"));
  put("run/bigrams.tsv", "7\t7\n");
  EXPECT_THAT(refusal("run"), HasSubstr("bigrams.tsv:1: 2 columns"));
  put("run/bigrams.tsv", "# left\n7\t7\t0\n");
  EXPECT_THAT(refusal("run"), HasSubstr("bigrams.tsv:2: '0' is not a count"));
  // A clustering that has none leaves no old ones behind.
  save_clustering(at("run"), small(), ClusterFormat::firth);
  EXPECT_FALSE(fs::exists(at("run/bigrams.tsv")));
  EXPECT_EQ(load_clustering(at("run")).class_bigrams().rows(), 0U);
}

TEST_F(FolderTest, IncompleteTreesComeBack) {
  const Clustering forest(small().vocabulary(), std::vector<ClassId>{0, 1, 1},
                          MergeTree{TreeLeaves::words, 3, {{1, 2, 0.75}}});
  save_clustering(at("run"), forest, ClusterFormat::firth);
  EXPECT_EQ(load_clustering(at("run")), forest);
}

TEST_F(FolderTest, OtherFilesAreLeftAlone) {
  put("run/run.json", "{}");
  save_clustering(at("run"), small(), ClusterFormat::firth);
  EXPECT_EQ(content("run/run.json"), "{}");
  // Flat classes in the same folder: the old tree must not be read along with them.
  const Clustering flat(small().vocabulary(), std::vector<ClassId>{0, 0, 1});
  save_clustering(at("run"), flat, ClusterFormat::firth);
  EXPECT_EQ(load_clustering(at("run")), flat);
}

TEST_F(FolderTest, ReadsWclustersFolder) {
  put("text-c2-p1.out/paths", "0\ta\t9\n1\tb\t7\n");
  EXPECT_EQ(load_clustering(at("text-c2-p1.out")).class_count(), 2u);
}

TEST_F(FolderTest, SaysWhenFilesDoNotBelongTogether) {
  EXPECT_THAT(refusal("."), HasSubstr("neither paths nor classes.tsv"));
  save_clustering(at("run"), small(), ClusterFormat::firth);
  put("run/classes.tsv", "a\t1\nb\t0\nx\t0\n");
  EXPECT_THAT(refusal("run"), HasSubstr("classes.tsv:3: the word 'x' is not in the other files"));
  put("run/classes.tsv", "a\t1\nb\t0\na\t0\n");
  EXPECT_THAT(refusal("run"), HasSubstr("classes.tsv:3: the word 'a' comes twice"));
  put("run/classes.tsv", "a\t1\nb\t0\n");
  EXPECT_THAT(refusal("run"), HasSubstr("2 words, 3 are in the other files"));
  put("run/classes.tsv", "a\t1\nb\tx\nc\t0\n");
  EXPECT_THAT(refusal("run"), HasSubstr("classes.tsv:2: 'x' is not a class number"));
  put("run/classes.tsv", "a\t0\nb\t0\nc\t1\n");
  EXPECT_THAT(refusal("run"),
              HasSubstr("merges.tsv: the first 1 merges of the tree do not make these classes"));
}

TEST_F(FolderTest, SaysWhatIsWrongWithMerges) {
  save_clustering(at("run"), small(), ClusterFormat::firth);
  put("run/merges.tsv", "0\t1\t2\t0.75\n");
  EXPECT_THAT(refusal("run"), HasSubstr("merges.tsv: the file does not say what its leaves are"));
  put("run/merges.tsv", "# leaves words x\n");
  EXPECT_THAT(refusal("run"), HasSubstr("merges.tsv:1: the kind and number of leaves"));
  put("run/merges.tsv", "# leaves words 3\n1\t1\t2\t0.75\n");
  EXPECT_THAT(refusal("run"), HasSubstr("merges.tsv:2: this is not merge 0"));
  put("run/merges.tsv", "# leaves words 3\n0\t1\t2\n");
  EXPECT_THAT(refusal("run"), HasSubstr("merges.tsv:2: 3 columns"));
  put("run/merges.tsv", "# leaves words 3\n0\t1\t1\t0\n");
  EXPECT_THAT(refusal("run"),
              HasSubstr("merges.tsv: merge 0 of the tree uses node 1, which is merged already"));
}

TEST_F(FolderTest, FailuresLeaveNothing) {
  const Clustering tabbed(Vocabulary::from_words({{"a\tb", 2}}), std::vector<ClassId>{0});
  EXPECT_THROW(save_clustering(at("bad.tsv"), tabbed, ClusterFormat::classes), InputError);
  EXPECT_THROW(save_clustering(at("bad"), tabbed, ClusterFormat::firth), InputError);
  EXPECT_FALSE(fs::exists(at("bad.tsv")));
  EXPECT_FALSE(fs::exists(at("bad")));
  put("file", "x");
  EXPECT_THROW(save_clustering(at("file/folder"), small(), ClusterFormat::firth), IoError);
  EXPECT_THROW(save_clustering(at("no/such/file"), small(), ClusterFormat::paths), IoError);
  EXPECT_THROW(load_clustering(at("missing")), IoError);
  EXPECT_THROW(load_clustering(at("file"), ClusterFormat::firth), InputError);
}

TEST_F(FolderTest, ReadsCompressedFiles) {
  const std::string text = format_clustering(small(), ClusterFormat::json);
  gzFile out = gzopen(at("tree.json.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(out);
  EXPECT_EQ(load_clustering(at("tree.json.gz")), small());
}

TEST_F(FolderTest, SingleFilesComeBack) {
  save_clustering(at("tree.json"), small(), ClusterFormat::json);
  EXPECT_EQ(load_clustering(at("tree.json")), small());
  save_clustering(at("tree.json"), small().cut(1), ClusterFormat::json);
  EXPECT_EQ(load_clustering(at("tree.json")), small().cut(1));
}

}  // namespace
}  // namespace firth
