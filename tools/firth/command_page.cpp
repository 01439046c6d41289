#include "command_page.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace firth::cli {
namespace {

constexpr std::string_view kArguments = "Arguments";

std::vector<std::string> split(const std::string& text, char separator) {
  std::istringstream stream(text);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

CommandPage page_of(Command& command) {
  CLI::App app;
  OptionTable options(app);
  Session session{std::stop_token{}};
  command.declare(options, session);
  CommandPage page = {command.name(),        command.summary(),  usage_line(command.name(), options.infos()),
                      command.description(), command.examples(), options.infos()};
  for (OptionInfo& info : page.options) info.parsed = nullptr;  // it goes with the parser
  return page;
}

}  // namespace

std::vector<CommandPage> all_command_pages() {
  std::vector<CommandPage> pages;
  for (const auto& command : all_commands()) pages.push_back(page_of(*command));
  return pages;
}

std::string usage_line(const std::string& name, const std::vector<OptionInfo>& options) {
  std::string line = "firth " + name;
  for (const OptionInfo& info : options) {
    if (info.group == kArguments) {
      line += info.required() ? " " + info.names : fmt::format(" [{}]", info.names);
    } else if (info.required()) {
      line += fmt::format(" {} {}", info.names.substr(0, info.names.find(',')), info.value);
    }
  }
  return line + " [options]";
}

std::vector<std::string> groups_of(const std::vector<OptionInfo>& options) {
  std::vector<std::string> groups;
  for (const OptionInfo& info : options) {
    if (std::find(groups.begin(), groups.end(), info.group) == groups.end()) groups.push_back(info.group);
  }
  return groups;
}

std::string option_heading(const OptionInfo& info) {
  std::string names = info.names;
  if (const auto comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
  return info.value.empty() ? names : fmt::format("{} {}", names, info.value);
}

std::string option_help(const OptionInfo& info) {
  if (info.default_text.empty()) return info.help;
  const std::string form = info.value.empty() ? "{} ({})" : "{} [{}]";
  return fmt::format(fmt::runtime(form), info.help, info.default_text);
}

std::vector<std::string> option_names(const OptionInfo& info) {
  return info.group == kArguments ? std::vector<std::string>{} : split(info.names, ',');
}

std::vector<std::string> option_choices(const OptionInfo& info) {
  if (info.value.find('|') == std::string::npos) return {};
  return split(info.value, '|');
}

bool takes_path(const OptionInfo& info) {
  if (info.group == kArguments) return info.names != "WORD...";
  constexpr std::array<std::string_view, 7> kPaths = {"FILE",    "DIR",    "MODEL",  "TEXT",
                                                      "CLASSES", "TAGGED", "VECTORS"};
  return std::find(kPaths.begin(), kPaths.end(), info.value) != kPaths.end();
}

}  // namespace firth::cli
