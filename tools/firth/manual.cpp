#include "manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <firth/build_info.hpp>
#include <firth/error.hpp>
#include <sstream>

#include "command_page.hpp"

namespace firth::cli {
namespace {

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

/// Text that troff prints as it is: no control lines, no escapes, and hyphens that can be copied. Long lists of names
/// may be broken behind a comma or a bar.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    if ((c == ',' || c == '|') && i + 1 < text.size() && is_letter(text[i + 1])) out += "\\:";
    line_start = c == '\n';
  }
  return out;
}

/// firth-lm-train.
std::string page_name(const std::string& command) {
  std::string name = "firth-" + command;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

/// No date: the same sources give the same page.
std::string title(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 \"\" \"firth {}\" \"User Commands\"\n", roff(name), build_info().version);
}

std::string roff_paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) out += (out.empty() ? "" : ".PP\n") + roff(line) + "\n";
  return out;
}

/// A line in bold. A double quote would end the argument of .B: two stand for one.
std::string bold(const std::string& text) {
  std::string out;
  for (const char c : roff(text)) out += c == '"' ? "\"\"" : std::string(1, c);
  return fmt::format(".B \"{}\"\n", out);
}

/// A heading with its explanation below.
std::string entry(const std::string& heading, const std::string& explanation) {
  return ".TP\n" + bold(heading) + roff(explanation) + "\n";
}

std::string exit_status() {
  return ".SH EXIT STATUS\n" + entry("0", "Success, also if the reader of the output pipe has gone.") +
         entry("1", "Bad data, an input or output error, or not enough memory.") +
         entry("2", "Wrong usage.") + entry("3", "A bug in firth.") + entry("130", "Interrupted.");
}

std::string options_section(const CommandPage& page) {
  std::string arguments;
  std::string options;
  for (const std::string& group : groups_of(page.options)) {
    const bool is_argument = group == "Arguments";
    std::string& text = is_argument ? arguments : options;
    text += is_argument ? ".SH ARGUMENTS\n" : fmt::format(".SS \"{}\"\n", roff(group));
    for (const OptionInfo& info : page.options)
      if (info.group == group) text += entry(option_heading(info), option_help(info));
  }
  return arguments + ".SH OPTIONS\n" + options;
}

std::string examples_section(const CommandPage& page) {
  std::string text = ".SH EXAMPLES\n";
  for (const Example& example : page.examples) text += entry(example.command, example.explanation);
  return text;
}

/// The other commands of its family (lm train: lm score, ...), the overview and the formats.
std::string see_also(const CommandPage& page, const std::vector<CommandPage>& pages) {
  const std::string family = page.name.substr(0, page.name.find(' ')) + " ";
  std::string text = ".SH SEE ALSO\n.BR firth (1),\n";
  for (const CommandPage& other : pages)
    if (other.name != page.name && other.name.starts_with(family))
      text += fmt::format(".BR {} (1),\n", roff(page_name(other.name)));
  return text + ".BR firth\\-formats (5)\n";
}

std::string overview_page() {
  std::string text = title("firth");
  text +=
      ".SH NAME\nfirth \\- classes of words from the company they keep\n"
      ".SH SYNOPSIS\n.B firth\n.I COMMAND\n.RI [ options ]\n.br\n.B firth\n.I COMMAND\n.B \\-\\-help\n.br\n"
      ".B firth \\-\\-version\n"
      ".SH DESCRIPTION\n"
      "Firth reads raw text, finds classes of words that behave alike, arranges the classes in a tree, and uses\n"
      "them in language models, taggers and parsers. Data goes to standard output or to the named file, progress\n"
      "and messages go to standard error. The same input, options and seed give the same bytes for any number of\n"
      "threads.\n"
      ".SH COMMANDS\n";
  const auto pages = all_command_pages();
  for (const CommandPage& page : pages)
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(page.name)), roff(page.summary));
  text += ".SH OPTIONS\n" + entry("--man [COMMAND]", "Print a manual page such as this one.") +
          entry("--complete bash|zsh|fish", "Print a completion script for a shell.") +
          entry("--reference", "Print the manual of all commands in Markdown.") + exit_status();
  text +=
      ".SH ENVIRONMENT\n.TP\n.B TMPDIR\nFolder for temporary files, unless \\-\\-temp\\-folder says otherwise.\n";
  return text + ".SH SEE ALSO\n.BR firth\\-cluster (1),\n.BR firth\\-formats (5)\n";
}

}  // namespace

std::string manual(const std::string& command) {
  if (command.empty()) return overview_page();
  const auto pages = all_command_pages();
  const auto found =
      std::find_if(pages.begin(), pages.end(), [&](const CommandPage& page) { return page.name == command; });
  if (found == pages.end())
    throw UsageError(fmt::format("there is no command '{}'", command), "'firth --help' lists the commands");
  return title(page_name(command)) +
         fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}", roff(page_name(command)),
                     roff(found->summary), bold(found->usage), roff_paragraphs(found->description)) +
         options_section(*found) + exit_status() + examples_section(*found) + see_also(*found, pages);
}

}  // namespace firth::cli
