// What this build of Firth is made of.
//
//   std::puts(firth::build_info().version.c_str());
#pragma once

#include <string>

namespace firth {

/// For `firth --version` and run.json.
struct BuildInfo {
  std::string version;
  std::string compiler;  ///< name and version
  std::string simd;      ///< the instruction set chosen on this machine
  std::string features;  ///< libraries compiled in, with their versions
};

[[nodiscard]] BuildInfo build_info();

}  // namespace firth
