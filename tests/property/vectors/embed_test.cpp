#include "firth/embed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "firth/error.hpp"
#include "reference/naive_spectral.hpp"

namespace firth {
namespace {

Counts some_counts() {
  std::vector<ClassId> truth;
  return reference::sample_counts(reference::random_model(40, 4, 0.5, 5), 2000, {1, 2}, 6, &truth);
}

/// Omega of one offset +1 by the definitions in the header.
Eigen::MatrixXd scaled(const Counts& counts, const EmbedOptions& options) {
  const auto n = static_cast<Eigen::Index>(counts.vocabulary().size());
  const auto t = [&](double x) {
    return options.transform == CountTransform::sqrt  ? std::sqrt(x)
           : options.transform == CountTransform::log ? std::log(1 + x)
                                                      : x;
  };
  Eigen::MatrixXd raw = Eigen::MatrixXd::Zero(n, n);
  for (WordId x = 0; x < n; ++x) {
    for (std::size_t i = 0; i < counts.bigrams().right_words(x).size(); ++i) {
      raw(x, counts.bigrams().right_words(x)[i]) = static_cast<double>(counts.bigrams().right_counts(x)[i]);
    }
  }
  const Eigen::MatrixXd b = raw.unaryExpr([&](double x) { return x > 0 ? t(x) : 0.0; });
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index x = 0; x < n; ++x) {
    const double u =
        t(static_cast<double>(counts.vocabulary().count(static_cast<WordId>(x)))) + *options.kappa;
    for (Eigen::Index y = 0; y < n; ++y) {
      if (b(x, y) == 0) continue;
      const double v = t(raw.col(y).sum()) + *options.kappa;
      switch (options.scale) {
        case CountScale::cca:
          result(x, y) = b(x, y) / std::sqrt(u * v);
          break;
        case CountScale::reg:
          result(x, y) = b(x, y) / u;
          break;
        case CountScale::ppmi:
          result(x, y) = std::max(0.0, std::log(b(x, y) * b.sum() / (b.row(x).sum() * b.col(y).sum())));
          break;
        case CountScale::raw:
          result(x, y) = b(x, y);
          break;
      }
    }
  }
  return result;
}

TEST(Embed, EveryScaleAndTransformIsWhatItSays) {
  const Counts counts = some_counts();
  for (const CountScale scale : {CountScale::cca, CountScale::ppmi, CountScale::reg, CountScale::raw}) {
    for (const CountTransform transform : {CountTransform::raw, CountTransform::sqrt, CountTransform::log}) {
      EmbedOptions options;
      options.dimensions = 6;
      options.context = {1};
      options.scale = scale;
      options.transform = transform;
      options.kappa = 2;
      options.exponent = 1;
      options.unit_length = false;
      const WordVectors vectors = embed_words(counts, options, {});
      const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled(counts, options), Eigen::ComputeThinU);
      for (Eigen::Index k = 0; k < 6; ++k) {
        EXPECT_NEAR(vectors.svd.singular_values[static_cast<std::size_t>(k)], svd.singularValues()(k),
                    1e-9 * svd.singularValues()(0));
      }
      // U Sigma up to rotation: the same dot products between all rows.
      const Eigen::MatrixXd expected = svd.matrixU().leftCols(6) * svd.singularValues().head(6).asDiagonal();
      for (WordId x = 0; x < 40; ++x) {
        for (WordId y = 0; y < 40; ++y) {
          double dot = 0;
          for (std::size_t j = 0; j < 6; ++j) dot += double{vectors.row(x)[j]} * double{vectors.row(y)[j]};
          ASSERT_NEAR(dot, expected.row(x).dot(expected.row(y)),
                      1e-5 * svd.singularValues()(0) * svd.singularValues()(0));
        }
      }
    }
  }
}

TEST(Embed, ThePseudocountGrowsWithTheText) {
  EXPECT_DOUBLE_EQ(default_kappa(0), 0);
  EXPECT_DOUBLE_EQ(default_kappa(1'000'000), 10);
  EXPECT_DOUBLE_EQ(default_kappa(100'000'000), 100);
}

TEST(Embed, ParsesContexts) {
  EXPECT_EQ(parse_context("R1"), (std::vector<int>{1}));
  EXPECT_EQ(parse_context("LR1"), (std::vector<int>{-1, 1}));
  EXPECT_EQ(parse_context("LR2"), (std::vector<int>{-2, -1, 1, 2}));
  EXPECT_EQ(parse_context("-3,+1,2"), (std::vector<int>{-3, 1, 2}));
  EXPECT_EQ(context_distances(parse_context("-3,+1,3")), (std::vector<int>{1, 3}));
  for (const char* bad : {"", "LR3", "1,,2", "1,", "x", "1.5", "+-1", "99999999999"}) {
    EXPECT_THROW(parse_context(bad), UsageError) << bad;
  }
}

TEST(Embed, NearestWordsAreByCosine) {
  WordVectors vectors{
      Vocabulary::from_words({{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}}), 2, {1, 0, 2, 2, 0, 1, 0, 0}, {}};
  const std::vector<Neighbour> near = nearest_words(vectors, vectors.row(0), 10);
  ASSERT_EQ(near.size(), 3u);  // d has no vector
  EXPECT_EQ(near[0].word, 0u);
  EXPECT_EQ(near[1].word, 1u);
  EXPECT_NEAR(near[1].cosine, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(near[2].word, 2u);
  EXPECT_EQ(nearest_words(vectors, vectors.row(0), 1).size(), 1u);
  EXPECT_THROW(nearest_words(vectors, std::vector<float>{1}, 1), UsageError);
}

class VectorFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "firth_vectors_" +
              std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << content;
  }
  std::string folder_;
};

TEST_F(VectorFiles, ComeBackAsTheyWere) {
  const WordVectors vectors = embed_words(some_counts(), {.dimensions = 5, .kappa = 1}, {});
  for (const VectorFormat format :
       {VectorFormat::npy, VectorFormat::word2vec, VectorFormat::word2vec_binary}) {
    save_vectors(folder_ + "/vectors", vectors, format);
    const WordVectors back = load_vectors(format == VectorFormat::npy ? folder_ : folder_ + "/vectors");
    ASSERT_EQ(back.dimensions, 5u);
    EXPECT_TRUE(std::ranges::equal(back.numbers(), vectors.numbers()));
    ASSERT_EQ(back.vocabulary.size(), vectors.vocabulary.size());
    for (WordId word = 0; word < back.vocabulary.size(); ++word) {
      EXPECT_EQ(back.vocabulary.word(word), vectors.vocabulary.word(word));
    }
    std::filesystem::remove(folder_ + "/vectors.npy");
  }
}

TEST_F(VectorFiles, DamagedFilesAreRefused) {
  const WordVectors vectors = embed_words(some_counts(), {.dimensions = 5, .kappa = 1}, {});
  save_vectors(folder_ + "/vectors", vectors, VectorFormat::npy);
  std::string bytes;
  {
    std::ifstream file(folder_ + "/vectors.npy", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  for (std::size_t size = 0; size < bytes.size(); size += 13) {
    write("vectors.npy", bytes.substr(0, size));
    EXPECT_THROW(load_vectors(folder_), InputError) << size;
  }
  write("vectors.npy", bytes);
  write("vectors.vocab", "a\t1\n");
  EXPECT_THROW(load_vectors(folder_), InputError);
  for (const char* bad : {"", "x", "1", "1 0\na\n", "2 2\na 1 2\n", "1 2\na 1 b\n", "99999999999 2\na 1 2\n",
                          "1 99999999\na 1"}) {
    write("bad.txt", bad);
    EXPECT_THROW(load_vectors(folder_ + "/bad.txt"), InputError) << bad;
  }
  EXPECT_THROW(load_vectors(folder_ + "/missing"), IoError);
}

}  // namespace
}  // namespace firth
