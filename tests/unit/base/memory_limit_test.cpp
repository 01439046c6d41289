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

TEST(MemoryLimit, WithoutALimitItIsTheMemoryOfTheMachine) {
  EXPECT_TRUE(fits_memory({}, ~std::uint64_t{0}));
  EXPECT_GT(machine_memory(), 64 * kMegabyte);
  EXPECT_NO_THROW(require_memory({}, machine_memory(), "the table"));
  EXPECT_NO_THROW(require_memory({.memory_bytes = 2 * machine_memory()}, machine_memory() + 1, "the table"));
  try {
    require_memory({}, ~std::uint64_t{0}, "the table", "ask for fewer classes");
    ADD_FAILURE();
  } catch (const ResourceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the table needs 17179869184.00 GB of memory, this machine has "), std::string::npos)
        << text;
    EXPECT_NE(text.find("; ask for fewer classes, or set RunOptions::memory_bytes to try it"),
              std::string::npos)
        << text;
  }
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
