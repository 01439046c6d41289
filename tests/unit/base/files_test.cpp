#include "base/files.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>

#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth::base {
namespace {

using ::testing::HasSubstr;
using testing::read_file;
using testing::TempFolder;

TEST(OutputFile, HasNoNameBeforeCommit) {
  const TempFolder folder;
  {
    OutputFile file(folder.file("out"));
    file.write("half a");
    EXPECT_EQ(folder.file_count(), 0u);
  }
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(OutputFile, CommitReplacesTheOldFile) {
  const TempFolder folder;
  folder.write("out", "old");
  OutputFile file(folder.file("out"));
  file.write("new");
  EXPECT_EQ(read_file(folder.file("out")), "old");
  file.commit();
  EXPECT_EQ(read_file(folder.file("out")), "new");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(OutputFile, OverwritesAndKeepsPositions) {
  const TempFolder folder;
  OutputFile file(folder.file("out"));
  file.write("....");
  file.write(std::string(3 << 20, 'x'));
  file.overwrite(0, std::as_bytes(std::span("head", 4)));
  file.write("tail");
  EXPECT_EQ(file.position(), 8u + (3u << 20));
  file.commit();
  EXPECT_EQ(read_file(folder.file("out")), "head" + std::string(3 << 20, 'x') + "tail");
}

TEST(OutputFile, MissingFolderNamesTheFile) {
  const TempFolder folder;
  try {
    OutputFile file(folder.file("no/such/out"));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr("no/such/out: cannot create"));
  }
}

TEST(OutputFile, FolderInItsPlaceIsAnError) {
  const TempFolder folder;
  EXPECT_THROW(OutputFile file(folder.path()), IoError);
}

// A limit on file size stands for a full disk: the same path through write(), another error number.
TEST(OutputFile, FullDiskIsAnErrorAndLeavesNothing) {
  const TempFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 64 << 10;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    OutputFile file(folder.file("out"));
    file.write(std::string(4 << 20, 'x'));
    file.commit();
  } catch (const IoError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(message, HasSubstr("out: cannot write"));
  EXPECT_THAT(message, HasSubstr("free some space"));
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(MappedFile, ShowsTheBytes) {
  const TempFolder folder;
  const MappedFile file(folder.write("in", "abc"));
  ASSERT_EQ(file.bytes().size(), 3u);
  EXPECT_EQ(static_cast<char>(file.bytes()[1]), 'b');
}

TEST(MappedFile, EmptyMissingAndFolder) {
  const TempFolder folder;
  EXPECT_TRUE(MappedFile(folder.write("empty", "")).bytes().empty());
  EXPECT_THROW(MappedFile(folder.file("missing")), IoError);
  EXPECT_THROW(MappedFile(folder.path()), IoError);
}

}  // namespace
}  // namespace firth::base
