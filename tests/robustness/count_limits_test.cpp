// Counting under pressure: little memory, little disk, interruption.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "reference/naive_counter.hpp"
#include "support/temp_folder.hpp"

namespace firth {
namespace {

std::string random_text(std::size_t words, std::uint64_t vocabulary) {
  base::Rng rng(7);
  std::string text;
  for (std::size_t i = 0; i < words; ++i)
    text += std::to_string(rng.below(1 + rng.below(vocabulary))) + (i % 20 == 19 ? "\n" : " ");
  return text;
}

// Files of this process cannot grow beyond a limit while this lives: what a full disk looks like.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_ = {};
  void (*handler_)(int) = nullptr;
};

class CountLimits : public ::testing::Test {
 protected:
  testing::TempFolder folder_;
};

TEST_F(CountLimits, LittleMemoryGivesTheSameCounts) {
  const std::vector<std::string> inputs = {folder_.write("text", random_text(400000, 3000))};
  CountOptions options;
  options.distances = {1, 2, 3};
  const Counts free = count_text(inputs, options, {.threads = 2});
  const Counts tight = count_text(inputs, options, {.threads = 1, .memory_bytes = std::uint64_t{16} << 20});
  EXPECT_TRUE(reference::same_arrays(free, tight));
  EXPECT_THROW(count_text(inputs, options, {.threads = 2, .memory_bytes = 1 << 20}), ResourceError);
}

TEST_F(CountLimits, WordsThatDoNotFitGoToDisk) {
  std::string text;
  for (int i = 0; i < 300000; ++i) text += "word-number-" + std::to_string(i) + "\n";
  const std::vector<std::string> inputs = {folder_.write("text", text)};
  const RunOptions little = {.threads = 1, .memory_bytes = std::uint64_t{16} << 20};
  EXPECT_TRUE(reference::same_arrays(count_text(inputs, {}, {.threads = 2}), count_text(inputs, {}, little)));
  // Pairs across words that are dropped need all words at once.
  CountOptions dropping;
  dropping.vocabulary = {.min_count = 2, .rare = RarePolicy::drop};
  EXPECT_THROW(count_text(inputs, dropping, little), ResourceError);
}

TEST_F(CountLimits, FullDiskWhileSpillingLeavesNothingBehind) {
  const std::vector<std::string> inputs = {folder_.write("in/text", random_text(200000, 3000))};
  std::filesystem::create_directory(folder_.file("temp"));
  counts::CountTuning tuning;
  tuning.table_bytes = 1;
  const FileSizeLimit limit(100000);
  EXPECT_THROW(counts::count_files(text::expand_inputs(inputs, {}), {}, tuning,
                                   {.threads = 2, .temp_folder = folder_.file("temp")}),
               IoError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.file("temp")));
}

TEST_F(CountLimits, FullDiskWhileSavingKeepsTheOldFile) {
  const std::vector<std::string> inputs = {folder_.write("text", random_text(50000, 3000))};
  const Counts counts = count_text(inputs, {}, {});
  const std::string path = folder_.write("counts", "old");
  {
    const FileSizeLimit limit(100000);
    EXPECT_THROW(save_counts(path, counts), IoError);
  }
  EXPECT_EQ(testing::read_file(path), "old");
  EXPECT_EQ(folder_.file_count(), 2u);
}

TEST_F(CountLimits, MissingTempFolderIsNamed) {
  const std::vector<std::string> inputs = {folder_.write("text", random_text(5000, 3000))};
  counts::CountTuning tuning;
  tuning.table_bytes = 1;
  try {
    counts::count_files(text::expand_inputs(inputs, {}), {}, tuning,
                        {.temp_folder = folder_.file("missing")});
    ADD_FAILURE();
  } catch (const IoError& failure) {
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("missing: cannot create a temporary file"));
  }
}

// What is rebuilt after counting goes to the same folder as what is counted.
TEST_F(CountLimits, RestrictingTheVocabularyUsesTheTempFolder) {
  const std::vector<std::string> inputs = {folder_.write("text", random_text(20000, 3000))};
  const Counts counts = count_text(inputs, {}, {});
  VocabularyOptions options;
  options.min_count = 2;
  options.rare = RarePolicy::unk;
  const RunOptions run{.threads = 1, .memory_bytes = 1000, .temp_folder = folder_.file("missing")};
  try {
    (void)restrict_vocabulary(counts, options, run);
    ADD_FAILURE();
  } catch (const IoError& failure) {
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("missing: cannot create a temporary file"));
  }
}

TEST_F(CountLimits, StopsSoonWhenAsked) {
  const std::vector<std::string> inputs = {folder_.write("text", random_text(300000, 3000))};
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(count_text(inputs, {}, {.stop = stop.get_token()}), Cancelled);
}

TEST_F(CountLimits, StopsWhileWaitingForAPipe) {
  const std::string pipe = folder_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR);  // keeps the pipe open and silent
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const std::vector<std::string> inputs = {pipe};
  EXPECT_THROW(count_text(inputs, {}, {.stop = stop.get_token()}), Cancelled);
  ::close(writer);
}

TEST_F(CountLimits, AWordBeyondTheMemoryIsRefused) {
  const std::vector<std::string> inputs = {
      folder_.write("text", "a\n" + std::string(std::size_t{20} << 20, 'x'))};
  try {
    count_text(inputs, {}, {.threads = 1, .memory_bytes = std::uint64_t{16} << 20});
    ADD_FAILURE();
  } catch (const ResourceError& failure) {
    EXPECT_THAT(failure.what(), ::testing::HasSubstr("text:2: a word of more than"));
  }
}

class Recorder final : public ProgressSink {
 public:
  void begin(std::string_view stage, std::string_view unit, std::uint64_t total) override {
    log.push_back(std::string(stage) + " " + std::string(unit) + " " + std::to_string(total));
    in_caller = in_caller && std::this_thread::get_id() == caller;
  }
  void advance(std::uint64_t done, std::string_view) override {
    EXPECT_GE(done, last);
    last = done;
    in_caller = in_caller && std::this_thread::get_id() == caller;
  }
  void end() override { log.emplace_back("end"); }
  void warn(std::string_view) override {}

  std::thread::id caller = std::this_thread::get_id();
  bool in_caller = true;
  std::uint64_t last = 0;
  std::vector<std::string> log;
};

TEST_F(CountLimits, ProgressComesFromTheCallingThread) {
  const std::string text = random_text(500000, 3000);
  const std::vector<std::string> inputs = {folder_.write("text", text)};
  Recorder recorder;
  count_text(inputs, {}, {.threads = 4, .progress = &recorder});
  EXPECT_THAT(recorder.log, ::testing::ElementsAre("reading bytes " + std::to_string(text.size()), "end"));
  EXPECT_TRUE(recorder.in_caller);
}

TEST_F(CountLimits, DroppingReadsStandardInputTwice) {
  const std::string input = folder_.write("text", "a b x a b\n");
  std::FILE* old = ::fdopen(::dup(0), "r");
  ASSERT_NE(std::freopen(input.c_str(), "r", stdin), nullptr);
  CountOptions options;
  options.vocabulary.min_count = 2;
  options.vocabulary.rare = RarePolicy::drop;
  const std::vector<std::string> inputs = {"-"};
  EXPECT_EQ(count_text(inputs, options, {}).bigrams().total(), 3u);
  ::dup2(::fileno(old), 0);
  std::fclose(old);
}

}  // namespace
}  // namespace firth
