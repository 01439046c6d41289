// Manual pages in the language of man(7), made from the declarations of the commands.
#pragma once

#include <string>

namespace firth::cli {

/// firth-lm-train(1) for "lm train", firth(1) for "". Throws UsageError if there is no such command.
std::string manual(const std::string& command);

}  // namespace firth::cli
