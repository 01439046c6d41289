#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <deque>
#include <thread>

#include "base/folder_commit.hpp"
#include "firth/error.hpp"
#include "firth/files.hpp"
#include "support/temp_folder.hpp"

namespace firth::base {
namespace {

using ::testing::HasSubstr;
using testing::read_file;
using ::testing::StartsWith;
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

TEST(OutputFile, KeepsPositionsOfLargeAndSmallPieces) {
  const TempFolder folder;
  OutputFile file(folder.file("out"));
  file.write("head");
  file.write(std::string(3 << 20, 'x'));
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
    EXPECT_THAT(error.what(),
                ::testing::AllOf(HasSubstr("no/such/out: cannot create"), HasSubstr("mkdir -p")));
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

void save(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

TEST(OutputFile, FollowsALinkAndLeavesItThere) {
  const TempFolder folder;
  folder.write("there/file", "old");
  std::filesystem::create_symlink("there/file", folder.file("link"));
  std::filesystem::create_symlink("link", folder.file("second"));
  save(folder.file("second"), "new");
  EXPECT_EQ(read_file(folder.file("there/file")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("second")));
}

TEST(OutputFile, MakesTheFileThatALinkPromises) {
  const TempFolder folder;
  std::filesystem::create_symlink("target", folder.file("link"));
  save(folder.file("link"), "new");
  EXPECT_EQ(read_file(folder.file("target")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
}

TEST(OutputFile, KeepsTheModeOfTheOldFile) {
  const TempFolder folder;
  folder.write("out", "old");
  ASSERT_EQ(::chmod(folder.file("out").c_str(), 0640), 0);
  save(folder.file("out"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST(OutputFile, WritesIntoAFifoInsteadOfReplacingIt) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(folder.file("fifo")); });
  save(folder.file("fifo"), "bytes");
  reader.join();
  EXPECT_EQ(got, "bytes");
  EXPECT_TRUE(std::filesystem::is_fifo(folder.file("fifo")));
}

TEST(OutputFile, WritesIntoADevice) {
  const TempFolder folder;
  std::filesystem::create_symlink("/dev/null", folder.file("null"));
  save(folder.file("null"), "bytes");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("null")));
  EXPECT_THROW(save("/dev/full", "bytes"), IoError);
}

TEST(OutputFile, WritesToADescriptorByItsName) {
  const TempFolder folder;
  const int descriptor = ::open(folder.file("out").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::write(descriptor, "before ", 7), 7);
  save(fmt::format("/dev/fd/{}", descriptor), "after");
  ::close(descriptor);
  EXPECT_EQ(read_file(folder.file("out")), "before after");
}

TEST(OutputFile, BadNamesAreErrorsOfTheOperatingSystem) {
  const TempFolder folder;
  std::filesystem::create_symlink("loop", folder.file("loop"));
  EXPECT_THROW(OutputFile file(folder.file("loop")), IoError);
  EXPECT_THROW(OutputFile file(folder.file(std::string(300, 'x'))), IoError);
  EXPECT_THROW(OutputFile file(folder.write("file", "") + "/below"), IoError);
  EXPECT_THROW(OutputFile file(""), IoError);
  EXPECT_THROW(MappedFile file(folder.file("loop")), IoError);
}

TEST(OutputFile, LongNamesAreWritten) {
  const TempFolder folder;
  const std::string name(255, 'x');
  save(folder.file(name), "old");
  save(folder.file(name), "new");
  EXPECT_EQ(read_file(folder.file(name)), "new");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(OutputFile, RemovesWhatAKilledWriterLeft) {
  const TempFolder folder;
  folder.write(".firth-abcdefghijkl.part", "half");
  folder.write(".firth-abcdefghijk5.part/classes.tsv", "half");
  folder.write(".firth-not-ours.part", "kept");
  const std::string used = folder.write(".firth-aaaaaaaaaaaa.part", "of a process that is alive");
  const int held = ::open(used.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  save(folder.file("out"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder.file(".firth-abcdefghijkl.part")));
  EXPECT_FALSE(std::filesystem::exists(folder.file(".firth-abcdefghijk5.part")));
  EXPECT_TRUE(std::filesystem::exists(folder.file(".firth-not-ours.part")));
  EXPECT_TRUE(std::filesystem::exists(used));
  ::close(held);
}

TEST(CheckOutput, SaysWhatWouldFailAndLeavesNothing) {
  const TempFolder folder;
  EXPECT_NO_THROW(check_output(folder.file("out")));
  EXPECT_NO_THROW(check_output("/dev/null"));
  EXPECT_NO_THROW(check_output("-"));
  EXPECT_THROW(check_output(folder.file("no/such")), IoError);
  EXPECT_THROW(check_output(folder.path()), IoError);
  EXPECT_NO_THROW(base::check_output_folder(folder.file("a/b/c")));
  EXPECT_THROW(base::check_output_folder("/dev/null/a"), IoError);
  EXPECT_THROW(base::check_output_folder("-"), UsageError);
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(MappedFile, IsFoundByItsAddressAndWhenItChanges) {
  const TempFolder folder;
  const MappedFile file(folder.write("in", "abc"));
  const MappedFile other(folder.write("other", "abc"));
  EXPECT_STREQ(changed_mapped_file(other.bytes().data()), other.path().c_str());
  EXPECT_EQ(changed_mapped_file(nullptr), nullptr);
  folder.write("other", "longer than before");
  EXPECT_STREQ(changed_mapped_file(nullptr), other.path().c_str());
  EXPECT_STREQ(changed_mapped_file(file.bytes().data()), file.path().c_str());
}

TEST(MappedFile, IsFoundAmongHundreds) {
  const TempFolder folder;
  std::deque<MappedFile> files;
  for (int i = 0; i < 300; ++i) files.emplace_back(folder.write(std::to_string(i), "abc"));
  EXPECT_STREQ(changed_mapped_file(files.back().bytes().data()), files.back().path().c_str());
}

TEST(MappedFile, ItsNameIsShownWithoutControlCharacters) {
  const TempFolder folder;
  const MappedFile file(folder.write("a\x1b\xc2\x9bz", "abc"));
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(report_changed_file("program", file.bytes().data()));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("a??z: the file changed while it was read"));
  EXPECT_THAT(said, StartsWith("\nprogram: error: "));
  EXPECT_FALSE(report_changed_file("program", nullptr));
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
  EXPECT_THROW(MappedFile(folder.path()), InputError);
}

}  // namespace
}  // namespace firth::base
