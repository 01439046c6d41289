// Singular vectors that are kept in a file and used again.
#include <gmock/gmock.h>

#include <filesystem>
#include <string_view>

#include "firth/count.hpp"
#include "firth/embed.hpp"
#include "firth/error.hpp"
#include "firth/spectral.hpp"
#include "firth/world.hpp"
#include "reference/planted_text.hpp"
#include "support/temp_folder.hpp"
#include "support/warnings.hpp"

namespace firth {
namespace {

using ::testing::HasSubstr;

/// Up to 4096 words are worked on in double, more of them in float.
Counts some_text(std::uint64_t seed, std::size_t words = 300) {
  return reference::planted_text(seed, 10, words / 10, 30 * words).counts;
}

SpectralOptions options_for(const std::string& file, bool resume) {
  SpectralOptions options{.classes = 12, .context = {-1, 1}, .dimensions = 15};
  options.checkpoint = {.file = file, .resume = resume};
  return options;
}

/// Whether there was a decomposition.
class Stages final : public ProgressSink {
 public:
  void begin(std::string_view name, std::string_view, std::uint64_t) override {
    names += std::string(name) + "; ";
  }
  void advance(std::uint64_t, std::string_view) override {}
  void end() override {}
  void warn(std::string_view) override {}
  std::string names;
};

void expect_same(const SpectralResult& one, const SpectralResult& other) {
  EXPECT_EQ(one.clustering, other.clustering);
  EXPECT_EQ(one.vectors.to_bytes(), other.vectors.to_bytes());
  EXPECT_EQ(one.ami_bits, other.ami_bits);
  EXPECT_EQ(one.series, other.series);
}

TEST(SvdCheckpoint, AContinuedRunGivesTheSameClasses) {
  for (const std::size_t words : {300U, 5000U}) {
    const Counts counts = some_text(1, words);
    const testing::TempFolder folder;
    const SpectralResult whole = cluster_spectral(counts, options_for("", false), {.threads = 1});
    expect_same(cluster_spectral(counts, options_for(folder.file("run"), true), {.threads = 2}), whole);
    Stages stages;
    expect_same(
        cluster_spectral(counts, options_for(folder.file("run"), true), {.threads = 1, .progress = &stages}),
        whole);
    EXPECT_THAT(stages.names, ::testing::Not(HasSubstr("singular"))) << words;
  }
}

TEST(SvdCheckpoint, WhatFollowsMayBeOther) {
  const Counts counts = some_text(2);
  const testing::TempFolder folder;
  static_cast<void>(cluster_spectral(counts, options_for(folder.file("run"), false), {}));
  SpectralOptions plain = options_for("", false);
  plain.classes = 7;
  plain.hierarchy = SpectralHierarchy::divide;
  SpectralOptions kept = plain;
  kept.checkpoint = {.file = folder.file("run"), .resume = true};
  expect_same(cluster_spectral(counts, kept, {}), cluster_spectral(counts, plain, {}));
  EmbedOptions embed{.dimensions = 15, .context = {-1, 1}, .exponent = 0.5};
  const WordVectors whole = embed_words(counts, embed, {});
  embed.checkpoint = kept.checkpoint;
  EXPECT_EQ(embed_words(counts, embed, {}).to_bytes(), whole.to_bytes());
}

TEST(SvdCheckpoint, IsReadByAllRanks) {
  const Counts counts = some_text(3);
  const testing::TempFolder folder;
  const SpectralResult whole = cluster_spectral(counts, options_for(folder.file("run"), false), {});
  run_on_threads(3, [&](World& world) {
    expect_same(
        cluster_spectral(counts, options_for(folder.file("run"), true), {.threads = 1, .world = &world}),
        whole);
    expect_same(
        cluster_spectral(counts, options_for(folder.file("new"), true), {.threads = 1, .world = &world}),
        whole);
  });
  EXPECT_EQ(testing::read_file(folder.file("run")), testing::read_file(folder.file("new")));
}

TEST(SvdCheckpoint, OfAnotherRunIsRefused) {
  const Counts counts = some_text(4);
  const testing::TempFolder folder;
  static_cast<void>(cluster_spectral(counts, options_for(folder.file("run"), false), {}));
  const auto refused = [&](const Counts& of, const SpectralOptions& with, std::uint64_t seed) {
    try {
      static_cast<void>(cluster_spectral(of, with, {.seed = seed}));
      return false;
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr("remove the file to start from the beginning"));
      return true;
    }
  };
  const SpectralOptions same = options_for(folder.file("run"), true);
  EXPECT_FALSE(refused(counts, same, 1));
  EXPECT_TRUE(refused(counts, same, 2));
  EXPECT_TRUE(refused(some_text(5), same, 1));
  SpectralOptions other = same;
  other.dimensions = 14;
  EXPECT_TRUE(refused(counts, other, 1));
  other = same;
  other.kappa = 3;
  EXPECT_TRUE(refused(counts, other, 1));
  other = same;
  other.context = {1};
  EXPECT_TRUE(refused(counts, other, 1));
  other = options_for("", true);
  EXPECT_THROW(static_cast<void>(cluster_spectral(counts, other, {})), UsageError);
}

TEST(SvdCheckpoint, EveryDamagedByteIsFound) {
  const Counts counts = some_text(6, 100);
  const testing::TempFolder folder;
  static_cast<void>(cluster_spectral(counts, options_for(folder.file("run"), false), {}));
  const std::string bytes = testing::read_file(folder.file("run"));
  for (std::size_t place = 0; place < bytes.size(); place += 1 + bytes.size() / 70) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ 0x20);
    const SpectralOptions options = options_for(folder.write("changed", changed), true);
    EXPECT_THROW(static_cast<void>(cluster_spectral(counts, options, {.threads = 1})), FormatError) << place;
  }
}

TEST(SvdCheckpoint, ThatCannotBeWrittenDoesNotEndTheRun) {
  const Counts counts = some_text(7, 100);
  testing::Warnings sink;
  const SpectralResult result =
      cluster_spectral(counts, options_for("/dev/full", false), {.threads = 1, .progress = &sink});
  expect_same(result, cluster_spectral(counts, options_for("", false), {}));
  EXPECT_THAT(sink.messages, ::testing::ElementsAre(HasSubstr("the checkpoint was not written: /dev/full")));
}

}  // namespace
}  // namespace firth
