// What the command tells the shell when it ends.
#pragma once

namespace firth::cli {

enum ExitCode { kDone = 0, kBadData = 1, kUsage = 2, kBug = 3, kInterrupted = 130 };

}  // namespace firth::cli
