// Help pages and the reference page, made from the declarations of the commands.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "command.hpp"

namespace firth::cli {

/// `firth --help`.
std::string overview(const std::vector<std::unique_ptr<Command>>& commands);

/// Whether `word` is the first word of commands of two words, such as `lm`.
bool is_group(const std::string& word, const std::vector<std::unique_ptr<Command>>& commands);

/// `firth lm --help`: the commands of a group.
std::string group_overview(const std::string& group, const std::vector<std::unique_ptr<Command>>& commands);

/// How much of a command's help is wanted.
struct HelpRequest {
  bool all = false;                         ///< every option
  std::vector<std::string> arguments = {};  ///< the command line: its --method decides what is shown
};

/// `firth COMMAND --help`: without options that only some methods have, except those of the method that is named.
std::string command_help(const Command& command, const OptionTable& options, const HelpRequest& request);

/// docs/cli.md: every command with its options.
std::string reference_page();

/// `firth --version`.
std::string version_text();

/// The command whose name is nearest to what was typed, "" if none is near.
std::string nearest_command(const std::string& typed, const std::vector<std::unique_ptr<Command>>& commands);

/// The long name of the option that was perhaps meant, "" if none is near.
std::string nearest_option(const std::string& typed, const OptionTable& options);

}  // namespace firth::cli
