#include "help.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <firth/build_info.hpp>
#include <numeric>
#include <sstream>
#include <string_view>
#include <vector>

#include "command_page.hpp"

namespace firth::cli {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kMinWidth = 60;
constexpr std::size_t kHelpColumn = 32;

/// Pages are as wide as the terminal, up to kWidth; in files and pipes they have kWidth.
std::size_t page_width() {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return kWidth;
  return std::clamp<std::size_t>(window.ws_col, kMinWidth, kWidth);
}

/// Breaks text at spaces; the first line starts at column `used`, the others at `indent`.
std::string wrapped(const std::string& text, std::size_t used, std::size_t indent) {
  std::istringstream words(text);
  std::string out;
  const std::size_t width = page_width();
  std::size_t column = used;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && column + 1 + word.size() > width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += wrapped(line, 0, 0) + "\n";
  return out;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row.back();
}

/// Of several names, the one that was most likely meant: two slips of the finger at most, or the rest left
/// out.
class Nearest {
 public:
  explicit Nearest(std::string typed)
      : typed_(std::move(typed)), distance_(1 + std::min<std::size_t>(2, typed_.size() / 3)) {}

  void consider(const std::string& spelling, const std::string& name) {
    const bool begun = typed_.size() >= kEnough && spelling.starts_with(typed_);
    const std::size_t distance = begun ? 1 : edit_distance(typed_, spelling);
    if (distance >= distance_) return;
    distance_ = distance;
    name_ = name;
  }
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kEnough = 4;  // --cl
  std::string typed_;
  std::size_t distance_;  ///< nearer than this
  std::string name_;
};

/// Text with a backslash before each of `special`, which mean something in Markdown.
std::string escaped(std::string text, std::string_view special) {
  for (std::size_t at = 0; (at = text.find_first_of(special, at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

std::string markdown_section(const CommandPage& page) {
  std::string text = fmt::format("## `firth {}`\n\n{}\n```\n{}\n```\n", page.name,
                                 escaped(paragraphs(page.description), "<"), page.usage);
  for (const std::string& group : groups_of(page.options)) {
    text += fmt::format("\n| {} | |\n|---|---|\n", group);
    for (const OptionInfo& info : page.options) {
      if (info.group != group) continue;
      text += fmt::format("| `{}` | {} |\n", escaped(option_heading(info), "|"),
                          escaped(option_help(info), "|<"));
    }
  }
  text += "\nExamples:\n\n```sh\n";
  for (const Example& example : page.examples)
    text += fmt::format("# {}\n{}\n", example.explanation, example.command);
  return text + "```\n";
}

}  // namespace

namespace {

/// The value of --method on a command line, "" if it is not there.
std::string method_in(const std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "--method";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == kOption && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with("--method=")) return arguments[i].substr(kOption.size() + 1);
  }
  return "";
}

bool clusters_vectors(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument == "--vectors" || argument.starts_with("--vectors=");
  });
}

/// Whether options under this heading hold for what is asked about, or for all.
bool is_asked_for(const std::string& heading, const std::vector<std::string>& arguments) {
  constexpr std::string_view kOnly = "Only for --method ";
  const std::string method = method_in(arguments);
  if (heading == "Only for --vectors")
    return clusters_vectors(arguments) || method == "ward" || method == "divide" || method == "kmeans";
  if (!heading.starts_with(kOnly)) return true;
  std::istringstream names(heading.substr(kOnly.size()));
  for (std::string name; names >> name;) {
    if (name.ends_with(',')) name.pop_back();
    if (name == method) return true;
  }
  return false;
}

std::string summary_line(const Command& command) {
  return fmt::format("  {:<17} {}\n", command.name(), wrapped(command.summary(), 20, 20));
}

/// The part of the overview that a command is in, by the first word of its name.
std::string_view theme_of(std::string_view command) {
  struct Theme {
    std::string_view heading;
    std::vector<std::string_view> words;
  };
  static const std::array<Theme, 4> kThemes = {{{"Language models and hidden Markov models", {"hmm", "lm"}},
                                                {"Taggers", {"features", "prototypes", "tag", "pipeline"}},
                                                {"Grammars", {"parse"}},
                                                {"Made-up data", {"sample"}}}};
  const std::string_view word = command.substr(0, command.find(' '));
  for (const Theme& theme : kThemes) {
    if (std::find(theme.words.begin(), theme.words.end(), word) != theme.words.end()) return theme.heading;
  }
  return "Classes and vectors of words";
}

}  // namespace

bool is_group(const std::string& word, const std::vector<std::unique_ptr<Command>>& commands) {
  return std::any_of(commands.begin(), commands.end(),
                     [&](const auto& command) { return command->name().starts_with(word + " "); });
}

std::string group_overview(const std::string& group, const std::vector<std::unique_ptr<Command>>& commands) {
  std::string page;
  for (const auto& command : commands) {
    if (command->name().starts_with(group + " ")) page += summary_line(*command);
  }
  return page + fmt::format("\n'firth {} SUBCOMMAND --help' has the options of each.\n", group);
}

std::string overview(const std::vector<std::unique_ptr<Command>>& commands) {
  std::string page =
      "Firth learns classes of words from the company they keep, and puts them to work.\n\n"
      "Usage: firth COMMAND [options]      firth COMMAND --help      firth --version\n";
  std::string_view theme;
  for (const auto& command : commands) {
    const std::string name = command->name();
    if (theme_of(name) != theme) page += fmt::format("\n{}:\n", theme = theme_of(name));
    page += summary_line(*command);
  }
  page +=
      "\nStart here:\n"
      "  firth cluster text.txt -c 500 -o out      500 classes of the words in text.txt\n"
      "  firth evaluate out --text other.txt       how well they fit another text\n";
  return page;
}

std::string command_help(const Command& command, const OptionTable& options, const HelpRequest& request) {
  std::string page = fmt::format("{}\nUsage: {}\n", paragraphs(command.description()),
                                 usage_line(command.name(), options.infos()));
  bool left_out = false;
  for (const std::string& group : groups_of(options.infos())) {
    if (!request.all && !is_asked_for(group, request.arguments)) {
      left_out = true;
      continue;
    }
    page += fmt::format("\n{}:\n", group);
    for (const OptionInfo& info : options.infos()) {
      if (info.group != group) continue;
      std::string line = "  " + option_heading(info);
      if (line.size() + 1 > kHelpColumn) {
        line += "\n" + std::string(kHelpColumn, ' ');
      } else {
        line.resize(kHelpColumn, ' ');
      }
      page += line + wrapped(option_help(info), kHelpColumn, kHelpColumn) + "\n";
    }
  }
  if (left_out) {
    const std::string more = fmt::format(
        "More options: 'firth {0} --help --method brown' (or another method, or --vectors), 'firth {0} --help-all'.",
        command.name());
    page += fmt::format("\n{}\n", wrapped(more, 0, 0));
  }
  page += "\nExamples:\n";
  for (const Example& example : command.examples()) {
    page += fmt::format("  {}\n      {}\n", example.command, wrapped(example.explanation, 6, 6));
  }
  return page;
}

std::string reference_page() {
  std::string page =
      "# The command\n\nGenerated by `firth --reference`; checked by a test.\n\nData goes to standard output or to the named file, progress and messages to standard error. Exit codes: 0 success, 1 bad data, an input or output error, or not enough memory, 2 wrong usage, 3 a bug in Firth, 130 interrupted; a closed output pipe counts as success.\n";
  for (const CommandPage& command : all_command_pages())
    page += fmt::format("\n{}", markdown_section(command));
  return page;
}

std::string version_text() {
  const BuildInfo build = build_info();
  return fmt::format("firth {}\ncompiler: {}\nSIMD: {}\nfeatures: {}\n", build.version, build.compiler,
                     build.simd, build.features);
}

std::string nearest_command(const std::string& typed, const std::vector<std::unique_ptr<Command>>& commands) {
  Nearest nearest(typed);
  for (const auto& command : commands)
    nearest.consider(typed.find(' ') == std::string::npos
                         ? command->name().substr(0, command->name().find(' '))
                         : command->name(),
                     command->name());
  for (const char* const option : {"--help", "--version"}) nearest.consider(option, option);
  return nearest.name();
}

std::string nearest_option(const std::string& typed, const OptionTable& options) {
  Nearest nearest(typed.substr(0, typed.find('=')));
  for (const OptionInfo& info : options.infos())
    if (const auto dashes = info.names.find("--"); dashes != std::string::npos)
      nearest.consider(info.names.substr(dashes), info.names.substr(dashes));
  return nearest.name();
}

}  // namespace firth::cli
