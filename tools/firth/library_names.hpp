// The library names its own fields and functions in messages; a user of the command wants options and commands.
#pragma once

#include <string>

namespace firth::cli {

class Command;

/// The message with fields such as VocabularyOptions::min_count as options (--min-count), and functions such as
/// build_tree() as commands ('firth tree'). Advice to use an option that `command` lacks is left out where there is
/// other advice before it; nullptr if no command was found.
std::string in_words_of_the_command(std::string message, Command* command);

}  // namespace firth::cli
