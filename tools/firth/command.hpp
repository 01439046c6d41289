// What a sub-command is.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "option_table.hpp"
#include "session.hpp"

namespace firth::cli {

/// A command line that works, and what it does.
struct Example {
  std::string command;
  std::string explanation;
};

/// One sub-command: its words, its options, its work.
class Command {
 public:
  virtual ~Command() = default;

  /// "count", or two words such as "sample brown".
  virtual std::string name() const = 0;
  /// One line for the list of commands.
  virtual std::string summary() const = 0;
  /// A paragraph or two for its own help.
  virtual std::string description() const = 0;
  virtual std::vector<Example> examples() const = 0;

  /// Why several ranks cannot share this work, as the options are now; empty if they can.
  virtual std::string why_not_on_ranks() const { return "'" + name() + "' does not run on several ranks"; }

  /// Binds options to members of this object and of the session.
  virtual void declare(OptionTable& options, Session& session) = 0;

  /// Does the work. Errors are exceptions.
  virtual void run(Session& session) = 0;
};

/// Every command, in the order of the help page.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace firth::cli
