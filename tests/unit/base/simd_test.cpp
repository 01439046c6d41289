#include "base/simd.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace firth::base {
namespace {

#ifdef FIRTH_HAS_CLONES

/// What the kernel says the processor can do; empty where it does not say.
std::set<std::string> processor_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    std::set<std::string> flags;
    for (std::string word; words >> word;) flags.insert(word);
    return flags;
  }
  return {};
}

bool has_all(const std::set<std::string>& flags, const std::set<std::string>& wanted) {
  for (const std::string& flag : wanted)
    if (!flags.contains(flag)) return false;
  return true;
}

// Whoever made the processor: clones are chosen by what it can do.
TEST(Simd, TheWidestVectorsOfTheProcessorAreUsed) {
  const std::set<std::string> flags = processor_flags();
  if (flags.empty()) GTEST_SKIP() << "the kernel does not say what the processor can do";
  const bool v3 = has_all(flags, {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"});
  const bool v4 = v3 && has_all(flags, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  EXPECT_STREQ(simd_level(), v4 ? "avx512" : v3 ? "avx2" : "baseline");
}

#else

TEST(Simd, IsTheBaselineWithoutClones) {
  EXPECT_STREQ(simd_level(), "baseline");
}

#endif

}  // namespace
}  // namespace firth::base
