// The library names its own fields and functions in messages; a user of the command wants options and commands.
#pragma once

#include <string>

namespace firth::cli {

/// The message with fields such as VocabularyOptions::min_count as options (--min-count), and functions such as
/// build_tree() as commands ('firth tree').
std::string in_words_of_the_command(std::string message);

}  // namespace firth::cli
