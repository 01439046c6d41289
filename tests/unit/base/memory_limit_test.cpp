#include "base/memory_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "firth/error.hpp"
#include "firth/printable.hpp"

namespace firth::base {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

TEST(MemoryLimit, TextIsInTheUnitOfTheLimit) {
  EXPECT_EQ(memory_text(512 * kMegabyte), "512 MB");
  EXPECT_EQ(memory_text(512 * kMegabyte + 1), "513 MB");
  EXPECT_EQ(memory_text(kMegabyte * 3 / 2), "1.5 MB");
  EXPECT_EQ(memory_text(1), "1 KB");
  EXPECT_EQ(memory_text(1024 * kMegabyte), "1.00 GB");
  EXPECT_EQ(memory_text(3174 * kMegabyte), "3.10 GB");
  EXPECT_EQ(memory_text(0), "0 KB");
}

TEST(MemoryLimit, NothingIsRefusedWithoutALimit) {
  EXPECT_TRUE(fits_memory({}, ~std::uint64_t{0}));
  EXPECT_NO_THROW(require_memory({}, ~std::uint64_t{0}, "everything"));
}

TEST(MemoryLimit, SaysWhatNeedsHowMuchAndWhatToDo) {
  const RunOptions run{.memory_bytes = 512 * kMegabyte};
  EXPECT_NO_THROW(require_memory(run, 512 * kMegabyte, "the table"));
  try {
    require_memory(run, 600 * kMegabyte, "the table", "ask for fewer classes");
    ADD_FAILURE();
  } catch (const ResourceError& error) {
    EXPECT_STREQ(
        error.what(),
        "the table needs 600 MB of memory, 512 MB are allowed; raise RunOptions::memory_bytes, or ask for fewer classes");
  }
}

}  // namespace
}  // namespace firth::base
