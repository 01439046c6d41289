#include "base/transaction.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.hpp"
#include "base/journal.hpp"
#include "firth/error.hpp"
#include "support/temp_folder.hpp"

namespace firth::base {
namespace {

namespace fs = std::filesystem;
using testing::read_file;
using testing::TempFolder;

void save(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

bool is_old(std::string_view name) {
  return name == "a" || name == "b" || name == "old";
}

/// Files a and b of a result, as one.
void save_result(const std::string& folder, const std::string& text) {
  Transaction files;
  files.claim(folder, is_old);
  save(folder + "/a", text);
  save(folder + "/b", text);
  files.commit();
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

TEST(Transaction, NothingAppearsWithoutCommit) {
  const TempFolder folder;
  {
    Transaction files;
    files.claim(folder.file("x/y/out"));
    save(folder.file("x/y/out/a"), "1");
    save(folder.file("single"), "1");
    EXPECT_EQ(folder.file_count(), 0u);
  }
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(Transaction, MakesAFolderWithAllThatIsMissingAboveIt) {
  const TempFolder folder;
  save_result(folder.file("x/y/out"), "1");
  EXPECT_EQ(names_in(folder.path()), Names{"x"});
  EXPECT_EQ(names_in(folder.file("x/y")), Names{"out"});
  EXPECT_EQ(names_in(folder.file("x/y/out")), (Names{"a", "b"}));
}

TEST(Transaction, ReplacesAResultAndKeepsOtherFiles) {
  const TempFolder folder;
  folder.write("out/old", "stale");
  folder.write("out/mine", "kept");
  fs::create_symlink("mine", folder.file("out/link"));
  ASSERT_EQ(::chmod(folder.file("out").c_str(), 0750), 0);
  save_result(folder.file("out/"), "1");
  save_result(folder.file("out"), "2");
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
  EXPECT_EQ(names_in(folder.file("out")), (Names{"a", "b", "link", "mine"}));
  EXPECT_EQ(read_file(folder.file("out/a")), "2");
  EXPECT_EQ(read_file(folder.file("out/link")), "kept");
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0750u);
}

TEST(Transaction, FollowsALinkToAFolder) {
  const TempFolder folder;
  save_result(folder.file("real"), "1");
  fs::create_symlink("real", folder.file("out"));
  save_result(folder.file("out"), "2");
  EXPECT_TRUE(fs::is_symlink(folder.file("out")));
  EXPECT_EQ(read_file(folder.file("real/b")), "2");
  EXPECT_EQ(names_in(folder.path()), (Names{"out", "real"}));
}

// A folder inside cannot be linked, and the working folder must stay the one that shells are in.
TEST(Transaction, ReplacesInPlaceWhereTheFolderCannotBeExchanged) {
  const TempFolder folder;
  folder.write("out/below/mine", "kept");
  folder.write("out/old", "stale");
  const auto before = fs::current_path();
  save_result(folder.file("out"), "1");
  EXPECT_EQ(names_in(folder.file("out")), (Names{"a", "b", "below"}));
  fs::create_directory(folder.file("work"));
  fs::current_path(folder.file("work"));
  save_result(".", "1");
  save_result(".", "2");
  EXPECT_EQ(names_in("."), (Names{"a", "b"}));
  EXPECT_EQ(read_file("a"), "2");
  fs::current_path(before);
}

TEST(Transaction, InnerOnesJoinTheOuterOne) {
  const TempFolder folder;
  Transaction outer;
  outer.claim(folder.file("out"));
  save_result(folder.file("out"), "1");
  save(folder.file("out/c"), "1");
  {
    Transaction dropped;
    save(folder.file("out/d"), "1");
  }
  EXPECT_EQ(folder.file_count(), 0u);
  outer.commit();
  EXPECT_EQ(names_in(folder.file("out")), (Names{"a", "b", "c"}));
}

TEST(Transaction, SingleFilesAppearTogether) {
  const TempFolder folder;
  folder.write("first", "old");
  Transaction files;
  save(folder.file("first"), "new");
  EXPECT_THROW(save(folder.file("no/second"), "new"), IoError);
  EXPECT_EQ(read_file(folder.file("first")), "old");
  save(folder.file("second"), "new");
  files.commit();
  EXPECT_EQ(read_file(folder.file("first")), "new");
  EXPECT_EQ(names_in(folder.path()), (Names{"first", "second"}));
}

TEST(Transaction, CheckpointsDoNotWait) {
  const TempFolder folder;
  const Transaction files;
  OutputFile file(folder.file("checkpoint"));
  file.write("state");
  file.commit_now();
  EXPECT_EQ(read_file(folder.file("checkpoint")), "state");
}

TEST(Transaction, RefusesAFolderThatCannotBeWritten) {
  const TempFolder folder;
  folder.write("file", "");
  Transaction files;
  EXPECT_THROW(files.claim(folder.file("file")), IoError);
  EXPECT_THROW(files.claim(folder.file("file/below")), IoError);
  EXPECT_THROW(files.claim(folder.file(std::string(300, 'x'))), IoError);
}

/// What a writer leaves that is killed while it replaces in place.
void leave_half_done(const TempFolder& folder) {
  folder.write("out/a", "new");
  folder.write("out/b", "old");
  folder.write("out/old", "stale");
  folder.write("out/.firth-abcdefghijkl.part", "new");
  folder.write("out/.firth-journal",
               "rename\t.firth-aaaaaaaaaaaa.part\ta\n"
               "rename\t.firth-abcdefghijkl.part\tb\n"
               "remove\told\n");
}

TEST(Journal, AReaderFinishesWhatAKilledWriterBegan) {
  const TempFolder folder;
  leave_half_done(folder);
  std::string both;
  const std::vector<std::string> names = {"a", "b"};
  read_together(folder.file("out"), names,
                [&] { both = read_file(folder.file("out/a")) + read_file(folder.file("out/b")); });
  EXPECT_EQ(both, "newnew");
  EXPECT_EQ(names_in(folder.file("out")), (Names{"a", "b"}));
}

TEST(Journal, AWriterOfOneFileLeavesItAlone) {
  const TempFolder folder;
  leave_half_done(folder);
  save(folder.file("out/c"), "1");
  settle_folder(folder.file("out"));
  EXPECT_EQ(read_file(folder.file("out/b")), "new");
}

TEST(Journal, ReachesNoFartherThanItsFolder) {
  const TempFolder folder;
  folder.write("mine", "kept");
  for (const char* line :
       {"remove\t../mine\n", "rename\tmine\tx\n", "rename\t.firth-abcdefghijkl.part\t../mine\n",
        "remove\t..\n", "delete\tx\n", "\n"}) {
    folder.write("out/.firth-journal", line);
    EXPECT_THROW(settle_folder(folder.file("out")), FormatError) << line;
  }
  EXPECT_EQ(read_file(folder.file("mine")), "kept");
}

TEST(Journal, OfAStrangerIsNotObeyed) {
  const TempFolder folder;
  leave_half_done(folder);
  if (::chown(folder.file("out/.firth-journal").c_str(), 12345, 12345) != 0)
    GTEST_SKIP() << "only root can give files away";
  EXPECT_THROW(settle_folder(folder.file("out")), FormatError);
  EXPECT_EQ(read_file(folder.file("out/old")), "stale");
  ASSERT_EQ(::chown(folder.file("out").c_str(), 12345, 12345),
            0);  // the owner of the folder may do what they like
  settle_folder(folder.file("out"));
  EXPECT_EQ(names_in(folder.file("out")), (Names{"a", "b"}));
}

TEST(Journal, ThatIsALinkIsNotObeyed) {
  const TempFolder folder;
  leave_half_done(folder);
  fs::rename(folder.file("out/.firth-journal"), folder.file("elsewhere"));
  fs::create_symlink("../elsewhere", folder.file("out/.firth-journal"));
  EXPECT_THROW(settle_folder(folder.file("out")), FormatError);
  EXPECT_EQ(read_file(folder.file("out/old")), "stale");
}

TEST(ReadTogether, ReadsAgainWhenAWriterCameInBetween) {
  const TempFolder folder;
  save_result(folder.file("out"), "1");
  int reads = 0;
  std::string both;
  const std::vector<std::string> names = {"a", "b"};
  read_together(folder.file("out"), names, [&] {
    both = read_file(folder.file("out/a"));
    if (++reads == 1) save_result(folder.file("out"), "2");
    both += read_file(folder.file("out/b"));
  });
  EXPECT_EQ(both, "22");
  EXPECT_EQ(reads, 2);
}

TEST(ReadTogether, AnErrorIsAnErrorUnlessTheFilesChanged) {
  const TempFolder folder;
  save_result(folder.file("out"), "1");
  int reads = 0;
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_THROW(read_together(folder.file("out"), names,
                             [&] {
                               if (++reads == 1) save_result(folder.file("out"), "2");
                               throw InputError({"x"}, "bad");
                             }),
               InputError);
  EXPECT_EQ(reads, 2);
}

}  // namespace
}  // namespace firth::base
