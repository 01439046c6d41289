// firth.hpp, which has all public headers, can be included and has no two of a name.
#include <gmock/gmock.h>
#include <firth/firth.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace firth {
namespace {

TEST(Everything, HasAllPublicHeaders) {
  const std::filesystem::path folder = FIRTH_INCLUDE_FOLDER;
  std::ostringstream all;
  all << std::ifstream(folder / "firth.hpp").rdbuf();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "firth.hpp") continue;
    EXPECT_THAT(all.str(), ::testing::HasSubstr("\"firth/" + name + "\""));
  }
  EXPECT_FALSE(build_info().version.empty());
}

}  // namespace
}  // namespace firth
