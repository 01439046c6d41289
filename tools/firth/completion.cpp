#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <firth/error.hpp>

#include "command_page.hpp"

namespace firth::cli {
namespace {

using Pages = std::vector<CommandPage>;

/// "lm" of "lm train"; "" of "count".
std::string family_of(const std::string& name) {
  const auto blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(0, blank);
}

/// First words of all commands, each once, in order.
std::vector<std::string> first_words(const Pages& pages) {
  std::vector<std::string> words;
  for (const CommandPage& page : pages) {
    const std::string word = page.name.substr(0, page.name.find(' '));
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

/// Second words of the commands of a family.
std::vector<std::string> second_words(const Pages& pages, const std::string& family) {
  std::vector<std::string> words;
  for (const CommandPage& page : pages)
    if (family_of(page.name) == family) words.push_back(page.name.substr(family.size() + 1));
  return words;
}

std::vector<std::string> families(const Pages& pages) {
  std::vector<std::string> found;
  for (const std::string& word : first_words(pages))
    if (!second_words(pages, word).empty()) found.push_back(word);
  return found;
}

/// The first sentence of an option's help, for shells that show it.
std::string first_sentence(const std::string& help) {
  const auto end = help.find_first_of(".;:");
  return help.substr(0, end);
}

/// In single quotes for a POSIX shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// ---- bash -------------------------------------------------------------------------------------------------

std::string bash_options(const CommandPage& page) {
  std::string words = "--help";
  for (const OptionInfo& info : page.options)
    for (const std::string& name : option_names(info))
      if (name.starts_with("--")) words += " " + name;
  return words;
}

/// Lines of a case statement: what may follow an option of this command.
std::string bash_values(const CommandPage& page) {
  std::string text;
  for (const OptionInfo& info : page.options) {
    std::string patterns;
    for (const std::string& name : option_names(info))
      patterns += fmt::format("{}'{}:{}'", patterns.empty() ? "" : "|", page.name, name);
    if (patterns.empty() || info.value.empty()) continue;
    const auto choices = option_choices(info);
    if (!choices.empty()) {
      text +=
          fmt::format("    {}) values={} ;;\n", patterns, quoted(fmt::format("{}", fmt::join(choices, " "))));
    } else {
      text += fmt::format("    {}) {} ;;\n", patterns, takes_path(info) ? "files=1" : "nothing=1");
    }
  }
  return text;
}

constexpr const char* kBash = R"(# Completion of firth for bash; made by `firth --complete bash`.
_firth() {{
  local -a words=("${{COMP_WORDS[@]}}")
  local at=$COMP_CWORD
  if [ "${{words[1]}}" = help ] && [ "$at" -gt 1 ]; then
    words=("${{words[0]}}" "${{words[@]:2}}")
    at=$((at - 1))
  fi
  local current=${{words[at]}} before=${{words[at-1]}}
  local command=${{words[1]}} options= values= files= nothing=
  COMPREPLY=()
  if [ "$at" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} help --help --version' -- "$current"))
    return
  fi
  case $command in
    {}) command="$command ${{words[2]}}" ;;
  esac
  if [ "$at" -eq 2 ]; then
    case ${{words[1]}} in
{}    esac
  fi
  case "$command:$before" in
{}  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  [ -z "$nothing" ] || return
  case $command in
{}  esac
  if [ -z "$files" ] && [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _firth firth
)";

std::string bash_script(const Pages& pages) {
  std::string seconds;
  for (const std::string& family : families(pages))
    seconds += fmt::format("      {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", family,
                           fmt::join(second_words(pages, family), " "));
  std::string values;
  std::string options;
  for (const CommandPage& page : pages) {
    values += bash_values(page);
    options += fmt::format("    '{}') options='{}' ;;\n", page.name, bash_options(page));
  }
  return fmt::format(kBash, fmt::join(first_words(pages), " "), fmt::join(families(pages), "|"), seconds,
                     values, options);
}

// ---- zsh --------------------------------------------------------------------------------------------------

/// Text within the brackets of a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// What follows an option: ":value:(a b)", ":value:_files", ":value:".
std::string zsh_action(const OptionInfo& info) {
  if (info.value.empty()) return "";
  const auto choices = option_choices(info);
  if (!choices.empty()) return fmt::format(":value:({})", fmt::join(choices, " "));
  return fmt::format(":{}:{}", zsh_text(info.value), takes_path(info) ? "_files" : "");
}

std::string zsh_function(const CommandPage& page) {
  std::string text =
      fmt::format("    ({})\n      _arguments -S \\\n        '--help[Show help]' \\\n", quoted(page.name));
  for (const OptionInfo& info : page.options)
    for (const std::string& name : option_names(info))
      text += fmt::format(
          "        {} \\\n",
          quoted(fmt::format("{}[{}]{}", name, zsh_text(first_sentence(info.help)), zsh_action(info))));
  return text + "        '*:file:_files' ;;\n";
}

/// 'name:what it does' for each command.
std::string zsh_described(const Pages& pages, const std::string& family) {
  std::string text;
  for (const CommandPage& page : pages) {
    if (family_of(page.name) != family) continue;
    const std::string word = family.empty() ? page.name : page.name.substr(family.size() + 1);
    text += " " + quoted(fmt::format("{}:{}", word, zsh_text(page.summary)));
  }
  return text;
}

constexpr const char* kZsh = R"(#compdef firth
# Completion of firth for zsh; made by `firth --complete zsh`.
_firth() {{
  local command=$words[2]
  local -a commands
  if (( CURRENT == 2 )); then
    commands=({})
    _describe command commands
    return
  fi
  case $command in
    ({})
      if (( CURRENT == 3 )); then
        case $command in
{}        esac
        _describe command commands
        return
      fi
      command="$command $words[3]"
      shift words
      (( CURRENT-- )) ;;
  esac
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_firth "$@"
)";

std::string zsh_script(const Pages& pages) {
  std::string first = zsh_described(pages, "");
  std::string seconds;
  for (const std::string& family : families(pages)) {
    const auto words = second_words(pages, family);
    first += " " + quoted(fmt::format("{}:{}", family, fmt::join(words, ", ")));
    seconds += fmt::format("          ({}) commands=({}) ;;\n", family, zsh_described(pages, family));
  }
  std::string functions;
  for (const CommandPage& page : pages) functions += zsh_function(page);
  return fmt::format(kZsh, first, fmt::join(families(pages), "|"), seconds, functions);
}

// ---- fish -------------------------------------------------------------------------------------------------

std::string fish_option(const CommandPage& page, const OptionInfo& info) {
  const auto names = option_names(info);
  if (names.empty()) return "";
  std::string line = fmt::format("complete -c firth -n {}", quoted(fmt::format("__firth_is {}", page.name)));
  for (const std::string& name : names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const auto choices = option_choices(info);
  if (!choices.empty()) {
    line += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(choices, " "))));
  } else if (!info.value.empty()) {
    line += takes_path(info) ? " -r -F" : " -x";
  }
  return line + fmt::format(" -d {}\n", quoted(first_sentence(info.help)));
}

constexpr const char* kFish = R"(# Completion of firth for fish; made by `firth --complete fish`.
function __firth_is
    set -l words (commandline -opc)
    test (count $words) -gt (count $argv); or return 1
    for i in (seq (count $argv))
        test $words[(math $i + 1)] = $argv[$i]; or return 1
    end
end
function __firth_is_exactly
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and __firth_is $argv
end
complete -c firth -n __firth_is_exactly -f
)";

std::string fish_script(const Pages& pages) {
  std::string text = kFish;
  for (const std::string& family : families(pages)) {
    text += fmt::format("complete -c firth -n __firth_is_exactly -a {} -d {}\n", family,
                        quoted(fmt::format("{}", fmt::join(second_words(pages, family), ", "))));
    text += fmt::format("complete -c firth -n '__firth_is_exactly {}' -f\n", family);
  }
  for (const CommandPage& page : pages) {
    const std::string family = family_of(page.name);
    const std::string word = family.empty() ? page.name : page.name.substr(family.size() + 1);
    text += fmt::format("complete -c firth -n '__firth_is_exactly{}' -a {} -d {}\n",
                        family.empty() ? "" : " " + family, word, quoted(page.summary));
    for (const OptionInfo& info : page.options) text += fish_option(page, info);
  }
  return text;
}

}  // namespace

std::string completion(const std::string& shell) {
  const Pages pages = all_command_pages();
  if (shell == "bash") return bash_script(pages);
  if (shell == "zsh") return zsh_script(pages);
  if (shell == "fish") return fish_script(pages);
  throw UsageError(fmt::format("there is no completion for '{}'", shell), "use bash, zsh or fish");
}

}  // namespace firth::cli
