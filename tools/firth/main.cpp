// The command: finds the sub-command, parses its options, runs it, and turns errors into exit codes.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <firth/error.hpp>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"
#include "completion.hpp"
#include "foreign_options.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "library_names.hpp"
#include "manual.hpp"

namespace firth::cli {
namespace {

enum ExitCode { kDone = 0, kBadData = 1, kUsage = 2, kBug = 3, kInterrupted = 130 };

int complain(const std::string& message, int code) {
  std::fputs(fmt::format("firth: error: {}\n", message).c_str(), stderr);
  return code;
}

int exit_code(const Error& error) {
  switch (error.code()) {
    case ErrorCode::usage:
      return kUsage;
    case ErrorCode::cancelled:
      return kInterrupted;
    default:
      return kBadData;
  }
}

/// The command that the first words name, with the number of words used; nullptr if there is none.
std::pair<Command*, std::size_t> find_command(const std::vector<std::unique_ptr<Command>>& commands,
                                              const std::vector<std::string>& words) {
  for (const auto& command : commands) {
    const std::string name = command->name();
    if (!words.empty() && name == words[0]) return {command.get(), 1};
    if (words.size() > 1 && name == words[0] + " " + words[1]) return {command.get(), 2};
  }
  return {nullptr, 0};
}

int unknown_command(const std::vector<std::unique_ptr<Command>>& commands,
                    const std::vector<std::string>& words) {
  if (is_group(words[0], commands)) {
    const std::string subcommand = words.size() > 1 ? words[0] + " " + words[1] : "";
    const std::string nearest = subcommand.empty() ? "" : nearest_command(subcommand, commands);
    if (!nearest.empty())
      return complain(fmt::format("there is no command '{}'; did you mean 'firth {}'?", subcommand, nearest),
                      kUsage);
    return complain(
        fmt::format("'firth {}' needs a subcommand:\n{}", words[0], group_overview(words[0], commands)),
        kUsage);
  }
  const std::string nearest = nearest_command(words[0], commands);
  const std::string hint = nearest.empty() ? "'firth --help' lists the commands"
                                           : fmt::format("did you mean 'firth {}'?", nearest);
  return complain(fmt::format("there is no command '{}'; {}", words[0], hint), kUsage);
}

/// What to say of a command line that cannot be understood: a name that does not exist explains most of it.
std::string explain(const CLI::ParseError& error, const CLI::App& app, const Command& command,
                    const OptionTable& options) {
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with("-") || word == "-") continue;  // standard input is no option
    if (const std::string foreign = foreign_option(command.name(), word); !foreign.empty()) {
      return fmt::format("{}; ", foreign);
    }
    const std::string nearest = nearest_option(word, options);
    const std::string hint = nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest);
    return fmt::format("there is no option '{}'; {}", word, hint);
  }
  return fmt::format("{}; ", error.what());
}

int run_command(Command& command, std::vector<std::string> arguments, Session& session) {
  CLI::App app;
  OptionTable options(app);
  command.declare(options, session);
  app.set_help_flag("-h,--help");
  std::reverse(arguments.begin(), arguments.end());  // the parser takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    session.print(command_help(command, options));
    session.finish();
    return kDone;
  } catch (const CLI::ParseError& error) {
    return complain(
        fmt::format("{}see 'firth {} --help'", explain(error, app, command, options), command.name()),
        kUsage);
  }
  session.start();
  command.run(session);
  session.finish();
  return kDone;
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help";
}

/// `firth help lm train` is `firth lm train --help`; `firth lm help` is the list of the group.
std::vector<std::string> normalised(std::vector<std::string> words) {
  if (words.size() > 1 && words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  return words;
}

int dispatch(const std::vector<std::string>& given, Session& session) {
  const std::vector<std::string> words = normalised(given);
  const auto commands = all_commands();
  if (words.empty()) {
    std::fputs(overview(commands).c_str(), stderr);
    return kUsage;
  }
  std::string page;
  const std::string rest = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") page = overview(commands);
  if (words[0] == "--version") page = version_text();
  if (asks_for_help(words[0])) page = overview(commands);
  if (words[0] == "--version" || words[0] == "-V") page = version_text();
  if (words.size() == 2 && asks_for_help(words[1]) && is_group(words[0], commands)) {
    page = group_overview(words[0], commands);
  }
  if (words[0] == "--reference") page = reference_page();
  if (words[0] == "--man") page = manual(rest);
  if (words[0] == "--complete") page = completion(rest);
  if (!page.empty()) {
    session.print(page);
    session.finish();
    return kDone;
  }
  const auto [command, used] = find_command(commands, words);
  if (command == nullptr) return unknown_command(commands, words);
  return run_command(*command, {words.begin() + static_cast<std::ptrdiff_t>(used), words.end()}, session);
}

int guarded_main(const std::vector<std::string>& words) {
  const InterruptGuard interrupts;
  try {
    Session session(interrupts.token());
    return dispatch(words, session);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const Error& error) {
    return complain(in_words_of_the_command(error.what()), exit_code(error));
  } catch (const std::bad_alloc&) {
    return complain(
        "out of memory; set --memory to what may be used, or lower --max-vocab or the number of classes",
        kBadData);
  } catch (const std::exception& error) {
    return complain(fmt::format("this is a bug in Firth, please report it: {}", error.what()), kBug);
  }
}

}  // namespace
}  // namespace firth::cli

int main(int argc, char** argv) {
  return firth::cli::guarded_main(std::vector<std::string>(argv + 1, argv + argc));
}
