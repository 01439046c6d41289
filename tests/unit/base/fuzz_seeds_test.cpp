// A seed that is refused at its first bytes (a format has a new version since) tries nothing: one at least of every
// kind of model is read to its end.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "firth/class_lm.hpp"
#include "firth/clustering.hpp"
#include "firth/count.hpp"
#include "firth/embed.hpp"
#include "firth/hmm.hpp"
#include "firth/lpcfg.hpp"
#include "firth/tagger.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

/// Without its first byte, which tells the target what to do.
std::string seed(const std::filesystem::path& name) {
  std::ifstream file(std::filesystem::path(FIRTH_FUZZ_SEEDS) / name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return std::string(std::istreambuf_iterator<char>(file), {}).erase(0, 1);
}

class FuzzSeeds : public ::testing::Test {
 protected:
  std::string file(const std::filesystem::path& name) { return folder_.write("seed", seed(name)); }

 private:
  testing::TempFolder folder_;
};

TEST_F(FuzzSeeds, OfBytesAreRead) {
  EXPECT_TRUE(Clustering::from_bytes(seed("bytes/clustering")).tree().has_value());
  EXPECT_FALSE(Clustering::from_bytes(seed("bytes/flat")).tree().has_value());
  EXPECT_GT(WordVectors::from_bytes(seed("bytes/vectors")).vocabulary.size(), 0U);
}

TEST_F(FuzzSeeds, OfModelsAreRead) {
  for (const char* const name : {"crf", "perceptron", "small", "all_knowledge"}) {
    EXPECT_GT(load_tagger(file(std::filesystem::path("tagger_model") / name)).tag_count(), 0U) << name;
  }
  for (const char* const name : {"w", "c", "m", "preprocessing", "classes", "quantized"}) {
    EXPECT_GT(load_lm(file(std::filesystem::path("lm_model") / name)).word_count(), 0U) << name;
  }
  EXPECT_NO_THROW((void)load_hmm(file("hmm_model/preprocessing")));
  EXPECT_NO_THROW((void)load_counts(file("count_file/right")));
  EXPECT_NO_THROW((void)load_lpcfg(file("grammar/tiny")));
}

}  // namespace
}  // namespace firth
