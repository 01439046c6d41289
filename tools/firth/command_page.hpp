// What pages about a command are made from: help, reference, manual and completions all start here.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"

namespace firth::cli {

/// A command with its options, declared but not parsed.
struct CommandPage {
  std::string name;     ///< "lm train"
  std::string summary;  ///< one line
  std::string usage;    ///< "firth count TEXT... -o FILE [options]"
  std::string description;
  std::vector<Example> examples;
  std::vector<OptionInfo> options;  ///< without OptionInfo::parsed
};

/// The pages of all commands, in the order of the help page.
std::vector<CommandPage> all_command_pages();

/// The usage of a command whose options have been declared.
std::string usage_line(const std::string& name, const std::vector<OptionInfo>& options);

/// Groups in the order of their first appearance.
std::vector<std::string> groups_of(const std::vector<OptionInfo>& options);

/// "-c, --classes K".
std::string option_heading(const OptionInfo& info);

/// The help of an option with its default.
std::string option_help(const OptionInfo& info);

/// The names of an option one by one: "-c", "--classes"; none for an argument.
std::vector<std::string> option_names(const OptionInfo& info);

/// The words that an option accepts, if its value is a choice ("text|conllu"); otherwise none.
std::vector<std::string> option_choices(const OptionInfo& info);

/// Whether the value of an option, or an argument, is a file or folder.
bool takes_path(const OptionInfo& info);

}  // namespace firth::cli
