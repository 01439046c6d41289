// Completion scripts for shells, made from the declarations of the commands.
#pragma once

#include <string>

namespace firth::cli {

/// The script for "bash", "zsh" or "fish". Throws UsageError for another shell.
std::string completion(const std::string& shell);

}  // namespace firth::cli
