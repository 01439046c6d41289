#include "option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "whole_number.hpp"

namespace firth::cli {
namespace {

[[noreturn]] void reject(const std::string& names, const std::string& text, const std::string& expected) {
  throw CLI::ValidationError(
      fmt::format("{}: '{}' is not {}", names.substr(0, names.find(';')), text, expected));
}

std::string range_text(std::uint64_t low, std::uint64_t high) {
  if (high >= std::numeric_limits<std::uint32_t>::max())
    return fmt::format("a whole number of at least {}", low);
  return fmt::format("a whole number from {} to {}", low, high);
}

std::uint64_t parse_number(const std::string& names, std::string_view text, std::uint64_t low,
                           std::uint64_t high) {
  const auto number = whole_number<std::uint64_t>(text);
  if (!number || *number < low || *number > high) reject(names, std::string(text), range_text(low, high));
  return *number;
}

std::uint64_t parse_size(const std::string& names, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  if (unit.ends_with("B") || unit.ends_with("b")) unit.pop_back();
  if (unit.ends_with("i")) unit.pop_back();
  const std::string_view units = "KMGT";
  int shift = 0;
  if (unit.size() == 1) {
    const auto place = units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    shift = place == std::string_view::npos ? -1 : 10 * (static_cast<int>(place) + 1);
  }
  const bool fits = shift >= 0 && number <= (std::numeric_limits<std::uint64_t>::max() >> shift);
  if (problem != std::errc{} || unit.size() > 1 || !fits || number == 0) {
    reject(names, text, "a size such as 512M or 4G");
  }
  return number << shift;
}

double parse_duration(const std::string& names, const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double seconds = 0;
  if (unit.empty() || unit == "s") seconds = 1;
  if (unit == "m") seconds = 60;
  if (unit == "h") seconds = 3600;
  if (unit == "d") seconds = 86400;
  if (problem != std::errc{} || seconds == 0 || !std::isfinite(number) || number <= 0) {
    reject(names, text, "a time such as 90s, 2m or 1h");
  }
  return number * seconds;
}

std::string size_text(std::uint64_t bytes) {
  const std::string_view units = "KMGT";
  std::string unit;
  for (const char next : units) {
    if (bytes < 1024 || bytes % 1024 != 0) break;
    bytes /= 1024;
    unit = next;
  }
  return fmt::format("{}{}", bytes, unit);
}

/// "--new;--old": the names that are shown, and all that are understood.
std::pair<std::string, std::string> with_aliases(const std::string& names) {
  const std::size_t end = names.find(';');
  if (end == std::string::npos) return {names, names};
  std::string all = names;
  std::replace(all.begin(), all.end(), ';', ',');
  return {names.substr(0, end), all};
}

}  // namespace

bool OptionInfo::required() const {
  return parsed->get_required();
}

bool OptionInfo::given() const {
  return parsed->count() > 0;
}

std::vector<std::string> OptionInfo::given_values() const {
  return parsed->results();
}

void OptionTable::require_last() {
  infos_.back().parsed->required();
  infos_.back().default_text.clear();
}

void OptionTable::add(const std::string& names, const std::string& value, const std::string& default_text,
                      const std::string& help, const std::function<void(const std::string&)>& parse) {
  // -o=DIR is -oDIR to the parser.
  const bool is_short = names.size() > 1 && names[1] != '-';
  const auto parse_value = [parse, is_short](const std::string& text) {
    parse(is_short && text.starts_with('=') ? text.substr(1) : text);
  };
  const auto [shown, all] = with_aliases(names);
  CLI::Option* option = app_.add_option_function<std::string>(all, parse_value, help);
  option->take_last();
  infos_.push_back({shown, value, group_, help, default_text, option});
}

void OptionTable::add_flag(const std::string& names, const std::string& default_text, const std::string& help,
                           const std::function<void()>& set) {
  const auto [shown, all] = with_aliases(names);
  CLI::Option* option = app_.add_flag_callback(all, set, help);
  infos_.push_back({shown, "", group_, help, default_text, option});
}

void OptionTable::positional(const std::string& name, std::string& target, const std::string& help) {
  CLI::Option* option = app_.add_option(name, target, help)->required();
  infos_.push_back({name, "", "Arguments", help, "", option});
}

void OptionTable::positionals(const std::string& name, std::vector<std::string>& target,
                              const std::string& help, bool required) {
  CLI::Option* option = app_.add_option(name, target, help)->required(required);
  infos_.push_back({name + "...", "", "Arguments", help, "", option});
}

void OptionTable::flag(const std::string& names, bool& target, const std::string& help) {
  add_flag(names, "", help, [&target] { target = true; });
}

void OptionTable::text(const std::string& names, const std::string& value, std::string& target,
                       const std::string& help) {
  add(names, value, target, help, [&target](const std::string& text) { target = text; });
}

void OptionTable::texts(const std::string& names, const std::string& value, std::vector<std::string>& target,
                        const std::string& help) {
  CLI::Option* option = app_.add_option(names, target, help)->expected(1)->allow_extra_args(false);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  infos_.push_back({names, value, group_, help, "", option});
}

void OptionTable::real(const std::string& names, const std::string& value, double& target,
                       std::pair<double, double> range, const std::string& help) {
  add(names, value, fmt::format("{}", target), help, [&target, names, range](const std::string& text) {
    const auto number = whole_number<double>(text);
    if (!number || !std::isfinite(*number) || *number < range.first || *number > range.second) {
      const bool open = range.second > 1e300;
      reject(names, text,
             open ? fmt::format("a number of at least {}", range.first)
                  : fmt::format("a number from {} to {}", range.first, range.second));
    }
    target = *number;
  });
}

void OptionTable::size(const std::string& names, std::uint64_t& target, const std::string& help) {
  add(names, "SIZE", target == 0 ? "" : size_text(target), help,
      [&target, names](const std::string& text) { target = parse_size(names, text); });
}

void OptionTable::duration(const std::string& names, double& seconds, const std::string& help) {
  add(names, "TIME", "", help,
      [&seconds, names](const std::string& text) { seconds = parse_duration(names, text); });
}

void OptionTable::column(const std::string& names, int& target, const std::string& help) {
  constexpr int kMax = 1000;
  add(names, "N", target == 0 ? "auto" : std::to_string(target), help,
      [&target, names](const std::string& text) {
        const int number = text == "auto" ? 0 : whole_number<int>(text).value_or(0);
        if (text != "auto" && (number == 0 || number < -kMax || number > kMax)) {
          reject(names, text, "a column: 1, 2, ..., or -1, -2, ... from the last, or auto");
        }
        target = number;
      });
}

void OptionTable::add_number(const std::string& names, const std::string& value,
                             const std::string& default_text, Range range, const std::string& help,
                             const std::function<void(std::uint64_t)>& set) {
  add(names, value, default_text, help, [names, range, set](const std::string& text) {
    set(parse_number(names, text, range.first, range.second));
  });
}

void OptionTable::add_number_or(const std::string& names, const std::string& value, Range range,
                                const std::pair<std::string, std::string>& words, const std::string& help,
                                const std::function<void(std::optional<std::uint64_t>)>& set) {
  const std::string word = words.first;
  add(names, fmt::format("{}|{}", value, word), words.second, help,
      [names, range, word, set](const std::string& text) {
        if (text == word) {
          set(std::nullopt);
        } else {
          set(parse_number(names, text, range.first, range.second));
        }
      });
}

void OptionTable::add_numbers(const std::string& names, const std::string& value,
                              const std::string& default_text, Range range, const std::string& help,
                              const std::function<void(const std::vector<std::uint64_t>&)>& set) {
  add(names, value, default_text, help, [names, range, set](const std::string& text) {
    std::vector<std::uint64_t> items;
    std::size_t start = 0;
    while (start <= text.size()) {
      const std::size_t comma = std::min(text.find(',', start), text.size());
      items.push_back(parse_number(names, std::string_view(text).substr(start, comma - start), range.first,
                                   range.second));
      start = comma + 1;
    }
    set(items);
  });
}

void OptionTable::add_choice(const std::string& names, const std::vector<std::string>& words,
                             const std::string& default_text, const std::string& help,
                             const std::function<void(std::size_t)>& set) {
  add(names, fmt::format("{}", fmt::join(words, "|")), default_text, help,
      [names, words, set](const std::string& text) {
        for (std::size_t i = 0; i < words.size(); ++i) {
          if (words[i] == text) {
            set(i);
            return;
          }
        }
        reject(names, text, fmt::format("one of {}", fmt::join(words, ", ")));
      });
}

std::vector<std::string> OptionTable::given_in_group(const std::string& heading) const {
  std::vector<std::string> given;
  for (const OptionInfo& info : infos_) {
    if (info.group == heading && info.given()) given.push_back(info.names);
  }
  return given;
}

std::vector<std::pair<std::string, std::string>> OptionTable::values() const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const OptionInfo& info : infos_) {
    if (info.group == "Arguments") continue;
    std::string name = info.names.substr(info.names.find("--"));
    if (info.given()) {
      values.emplace_back(std::move(name), fmt::format("{}", fmt::join(info.parsed->results(), " ")));
    } else if (!info.value.empty()) {
      values.emplace_back(std::move(name), info.default_text);
    }
  }
  return values;
}

}  // namespace firth::cli
