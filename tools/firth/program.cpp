// Finds the sub-command, parses its options, runs it, and turns errors into exit codes.
#include "program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <firth/error.hpp>
#include <firth/printable.hpp>
#include <new>
#include <string>
#include <vector>

#include "command.hpp"
#include "completion.hpp"
#include "exit_code.hpp"
#include "fault_handler.hpp"
#include "foreign_options.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "library_names.hpp"
#include "manual.hpp"
#include "output_check.hpp"
#include "standard_streams.hpp"

namespace firth::cli {
namespace {

constexpr const char* kMoreMemory =
    "set --memory to what may be used, or lower --max-vocab or the number of classes";
constexpr const char* kNoThread =
    "the system does not let another thread start; lower --threads, or raise the limits (ulimit -u, ulimit -v)";
constexpr std::string_view kStandardOutput = "standard output";

/// Set once, before any thread is started.
Program program;

int complain(const std::string& message, int code) {
  if (program.before_error) program.before_error(code);
  const std::string place = program.place.empty() ? "" : fmt::format(" ({})", program.place);
  std::fputs(fmt::format("{}: error{}: {}\n", program.name, place, printable(message)).c_str(), stderr);
  return code;
}

/// Ctrl-C is no error. A command that has handed over what it had has said so itself.
int end_interrupted(bool is_said) {
  if (program.before_error) program.before_error(kInterrupted);
  if (!is_said) {
    const std::string place = program.place.empty() ? "" : fmt::format(" ({})", program.place);
    std::fputs(fmt::format("{}{}: interrupted\n", program.name, place).c_str(), stderr);
  }
  return kInterrupted;
}

int exit_code(const Error& error) {
  return error.code() == ErrorCode::usage ? kUsage : kBadData;
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

/// "'firth lm train', 'firth tag train' or ...": all commands with this second word; "" if there are none.
std::string commands_ending_in(const std::string& word,
                               const std::vector<std::unique_ptr<Command>>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) {
    if (command->name().ends_with(" " + word)) names.push_back(fmt::format("'firth {}'", command->name()));
  }
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

/// What a first word that is no command may mean.
std::string command_hint(const std::string& word, const std::vector<std::unique_ptr<Command>>& commands) {
  if (const std::string names = commands_ending_in(word, commands); !names.empty())
    return fmt::format("did you mean {}?", names);
  const std::string nearest = nearest_command(word, commands);
  return nearest.empty() ? "'firth --help' lists the commands"
                         : fmt::format("did you mean 'firth {}'?", nearest);
}

int unknown_command(const std::vector<std::unique_ptr<Command>>& commands,
                    const std::vector<std::string>& words) {
  if (is_group(words[0], commands)) {
    const std::string subcommand = words.size() > 1 ? words[0] + " " + words[1] : "";
    const std::string nearest = subcommand.empty() ? "" : nearest_command(subcommand, commands);
    if (!nearest.empty())
      return complain(fmt::format("there is no command '{}'; did you mean 'firth {}'?", subcommand, nearest),
                      kUsage);
    if (words.size() > 1 && !foreign_command(words[1]).empty())
      return complain(
          fmt::format("'{}' is 'firth {}' here; see docs/migrating.md", words[1], foreign_command(words[1])),
          kUsage);
    const std::string problem = subcommand.empty() ? fmt::format("'firth {}' needs a subcommand", words[0])
                                                   : fmt::format("there is no command '{}'", subcommand);
    return complain(fmt::format("{}:\n{}", problem, group_overview(words[0], commands)), kUsage);
  }
  if (const std::string foreign = foreign_option("cluster", words[0]); !foreign.empty())
    return complain(fmt::format("{}; the command is 'firth cluster'", foreign), kUsage);
  if (const std::string here = foreign_command(words[0]); !here.empty())
    return complain(fmt::format("'{}' is 'firth {}' here; see docs/migrating.md", words[0], here), kUsage);
  return complain(
      message_text(fmt::format("there is no command '{}'; {}", words[0], command_hint(words[0], commands))),
      kUsage);
}

/// The parser's own words, or ours where its are hard to understand.
std::string in_plain_words(const CLI::ParseError& error, const CLI::App& app) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !app.remaining().empty())
    return fmt::format("'{}' is one argument too many", app.remaining().front());
  const std::string text = error.what();
  const std::size_t name_end = text.find(": 1 required ");
  return name_end == std::string::npos ? text : text.substr(0, name_end) + " needs a value";
}

/// The name of an option's value: DIR, FILE.
std::string value_of(const OptionTable& options, const std::string& names) {
  const auto& infos = options.infos();
  const auto found =
      std::find_if(infos.begin(), infos.end(), [&](const OptionInfo& info) { return info.names == names; });
  return found == infos.end() ? "NAME" : found->value;
}

/// What to say of a long name with one dash, as other tools have it: -order would be -o with the value 'rder'.
/// Empty if there is none.
std::string explain_one_dash(const Command& command, const OptionTable& options,
                             const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word.size() < 3 || !word.starts_with('-') || word.starts_with("--")) continue;
    const std::string name = "-" + word.substr(0, word.find('='));
    const bool is_ours = std::any_of(
        options.infos().begin(), options.infos().end(),
        [&](const OptionInfo& info) { return info.names == name || info.names.ends_with("," + name); });
    if (const std::string foreign = foreign_option(command.name(), word); !foreign.empty())
      return fmt::format("{}; ", foreign);
    if (is_ours) return message_text(fmt::format("there is no option '{}'; did you mean '{}'? ", word, name));
  }
  return "";
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
    const std::string output = nearest == "--output" ? "" : missing_output(command.name(), word);
    std::string hint = nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest);
    if (!output.empty()) hint = output + "; ";
    return message_text(fmt::format("there is no option '{}'; {}", word, hint));
  }
  std::string text = message_text(in_plain_words(error, app)) + "; ";
  const bool has_text = std::any_of(options.infos().begin(), options.infos().end(),
                                    [](const OptionInfo& info) { return info.names == "--text"; });
  if (has_text && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !app.remaining().empty())
    text += message_text(fmt::format("did you mean '--text {}'? ", app.remaining().front()));
  if (error.get_name() == "RequiredError" && text.find("--classes") != std::string::npos)
    text += "give a number (100 for a small text, 500 or 1000 for millions of words), or auto; ";
  if (error.get_name() == "RequiredError" && text.starts_with("--output"))
    text += fmt::format("add -o {}; ", value_of(options, "-o,--output"));
  return text;
}

/// Two options that say opposite things.
void refuse_both(const OptionTable& options, const std::string& one, const std::string& other) {
  const auto given = [&](const std::string& name) {
    const auto& infos = options.infos();
    return std::any_of(infos.begin(), infos.end(),
                       [&](const OptionInfo& info) { return info.names == name && info.given(); });
  };
  if (given(one) && given(other))
    throw UsageError(fmt::format("{} and {} contradict each other", one, other), "leave one of them out");
}

/// Errors about data that do not say whose name the inputs.
void run_with_names(Command& command, const OptionTable& options, Session& session) {
  try {
    command.run(session);
  } catch (const InputError& error) {
    if (!error.where().path.empty()) throw;
    throw InputError({input_names(options)}, error.what());
  } catch (const std::bad_alloc&) {
    const std::string names = input_names(options);
    throw ResourceError(names.empty() ? "out of memory" : fmt::format("{}: out of memory", names),
                        kMoreMemory);
  }
}

/// Where the inputs are all that is missing, they come from the pipe.
void parse(CLI::App& app, const std::vector<std::string>& arguments, const OptionTable& options) {
  std::vector<std::string> words(arguments.rbegin(),
                                 arguments.rend());  // the parser takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::RequiredError& missing) {
    if (!takes_inputs(options) || !is_input_piped()) throw;
    words.assign(arguments.rbegin(), arguments.rend());
    words.insert(words.begin(), "-");
    try {
      app.parse(words);
    } catch (const CLI::ParseError&) {
      throw CLI::RequiredError(missing);
    }
  }
}

/// Several processes that do the same work would be a waste, and write the same files.
void refuse_ranks(const Command& command, const Session& session) {
  if (session.ranks() == 1) return;
  const std::string reason = command.why_not_on_ranks();
  if (!reason.empty()) throw UsageError(reason, "use 'firth' on one machine for it");
}

int print_help(const std::string& page, Session& session) {
  session.print(page);
  session.finish();
  return kDone;
}

int run_command(Command& command, const std::vector<std::string>& arguments, Session& session) {
  CLI::App app;
  OptionTable options(app);
  command.declare(options, session);
  app.set_help_flag("-h,--help");
  app.set_help_all_flag("--help-all");
  if (const std::string problem = explain_one_dash(command, options, arguments); !problem.empty())
    return complain(fmt::format("{}see 'firth {} --help'", problem, command.name()), kUsage);
  try {
    parse(app, arguments, options);
  } catch (const CLI::CallForAllHelp&) {
    return print_help(command_help(command, options, {.all = true}), session);
  } catch (const CLI::CallForHelp&) {
    return print_help(command_help(command, options, {.arguments = arguments}), session);
  } catch (const CLI::ParseError& error) {
    return complain(
        fmt::format("{}see 'firth {} --help'", explain(error, app, command, options), command.name()),
        kUsage);
  }
  session.start();
  refuse_both(options, "--lines", "--stream");
  refuse_ranks(command, session);
  if (session.is_root()) check_outputs(options);
  run_with_names(command, options, session);
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
    words.emplace_back("--help");
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
  if (asks_for_help(words[0])) page = overview(commands);
  if (words[0] == "--version" || words[0] == "-V" || words[0] == "-v" || words[0] == "version")
    page = version_text();
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

/// Whether the reader of standard output has seen enough: `firth ... | head`.
bool reader_left(const IoError& error) {
  const std::string& path = error.where().path;
  return error.error_number() == EPIPE && (path == kStandardOutput || path.starts_with("/dev/"));
}

int complain_of(const Error& error, const std::vector<std::string>& words) {
  const auto commands = all_commands();
  Command* const command = find_command(commands, words).first;
  return complain(in_words_of_the_command(error.what(), command), exit_code(error));
}

int guarded_main(const std::vector<std::string>& words) {
  try {
    const InterruptGuard interrupts;
    Session session(interrupts.token(), program.world);
    return dispatch(words, session);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const InterruptedWithResult&) {
    return end_interrupted(true);
  } catch (const Cancelled&) {
    return end_interrupted(false);
  } catch (const IoError& error) {
    return reader_left(error) ? kDone : complain_of(error, words);
  } catch (const Error& error) {
    return complain_of(error, words);
  } catch (const std::bad_alloc&) {
    return complain(fmt::format("out of memory; {}", kMoreMemory), kBadData);
  } catch (const std::exception& error) {
    return complain(fmt::format("this is a bug in Firth, please report it: {}", error.what()), kBug);
  }
}

/// An exception that nobody can catch, such as that of a thread of a library: a message instead of an abort.
[[noreturn]] void on_terminate() {
  int code = kBug;
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    complain("this is a bug in Firth, please report it: terminate", kBug);
  } catch (const std::bad_alloc&) {
    code = complain(fmt::format("out of memory; {}", kMoreMemory), kBadData);
  } catch (const std::exception& error) {
    const bool no_thread = std::string_view(error.what()).starts_with("pthread_create");
    code = no_thread
               ? complain(kNoThread, kBadData)
               : complain(fmt::format("this is a bug in Firth, please report it: {}", error.what()), kBug);
  }
  ::_exit(code);
}

}  // namespace

int start(const std::vector<std::string>& words, Program started) {
  program = std::move(started);
  fill_standard_streams();
  handle_faults();
  std::set_terminate(on_terminate);
  // OpenBLAS is always used from one thread at a time; those that it starts when it is loaded would only watch.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
  return guarded_main(words);
}

}  // namespace firth::cli
