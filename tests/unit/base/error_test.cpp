#include "firth/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "firth/run.hpp"

namespace firth {
namespace {

TEST(Error, SaysWhereWhatAndWhatToDo) {
  const InputError error({"a.txt", 3, 17}, "byte 0xFF is not UTF-8", "convert the file");
  EXPECT_STREQ(error.what(), "a.txt:3:17: byte 0xFF is not UTF-8; convert the file");
  EXPECT_EQ(error.where().line, 3u);
  EXPECT_STREQ(UsageError("--classes is missing").what(), "--classes is missing");
  EXPECT_STREQ(IoError("x", "cannot open", ENOENT).what(), "x: cannot open: No such file or directory");
}

TEST(RunOptions, StopRequestIsCancelled) {
  std::stop_source source;
  RunOptions run;
  run.stop = source.get_token();
  EXPECT_NO_THROW(run.check_stop());
  source.request_stop();
  EXPECT_THROW(run.check_stop(), Cancelled);
}

}  // namespace
}  // namespace firth
