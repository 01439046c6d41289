// Options as data: each option of a command is declared once, bound to a field of an options struct. Parsing,
// range checks, help, and the reference page all come from the declaration; the default is the field's value.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// The parser's header is large; only option_table.cpp and main.cpp include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace firth::cli {

/// What a command does with the path that an option names.
enum class Writes { nothing, file, model, folder };

/// What help and documentation need to know about one option.
struct OptionInfo {
  std::string names;         ///< "-c,--classes", or "TEXT" for a positional argument
  std::string value;         ///< name of its value, "" for a flag
  std::string group;         ///< heading it is listed under
  std::string help;          ///< one or two sentences
  std::string default_text;  ///< "" = none worth showing
  CLI::Option* parsed = nullptr;
  std::string field = {};  ///< the library's name for it, "Struct::field", where messages use it
  Writes writes = Writes::nothing;

  bool required() const;
  bool given() const;
  /// What was given on the command line.
  std::vector<std::string> given_values() const;
};

/// The options of one command. Names behind a semicolon are understood, but not shown: "--word-order;--order".
class OptionTable {
 public:
  explicit OptionTable(CLI::App& app) : app_(app) {}

  /// Heading for the options that follow.
  void group(std::string heading) { group_ = std::move(heading); }

  void positional(const std::string& name, std::string& target, const std::string& help);
  void positionals(const std::string& name, std::vector<std::string>& target, const std::string& help,
                   bool required = true);
  void flag(const std::string& names, bool& target, const std::string& help);
  void text(const std::string& names, const std::string& value, std::string& target, const std::string& help);
  void texts(const std::string& names, const std::string& value, std::vector<std::string>& target,
             const std::string& help);
  void real(const std::string& names, const std::string& value, double& target,
            std::pair<double, double> range, const std::string& help);
  /// Bytes with an optional K, M, G or T (powers of 1024).
  void size(const std::string& names, std::uint64_t& target, const std::string& help);

  /// Seconds, or a number with s, m, h or d: "90", "2m".
  void duration(const std::string& names, double& seconds, const std::string& help);

  /// A whole number in [range.first, range.second].
  template <typename Integer>
  void number(const std::string& names, const std::string& value, Integer& target,
              std::pair<Integer, Integer> range, const std::string& help) {
    add_number(names, value, std::to_string(target), {range.first, range.second}, help,
               [&target](std::uint64_t number) { target = static_cast<Integer>(number); });
  }

  /// A whole number in [range.first, range.second], or none.
  template <typename Integer>
  void optional_number(const std::string& names, const std::string& value, std::optional<Integer>& target,
                       std::pair<Integer, Integer> range, const std::string& help) {
    add_number(names, value, "", {range.first, range.second}, help,
               [&target](std::uint64_t number) { target = static_cast<Integer>(number); });
  }

  /// A whole number in the range, or a word that stands for another number.
  template <typename Integer>
  void number_or(const std::string& names, const std::string& value, Integer& target,
                 std::pair<Integer, Integer> range, std::pair<std::string, Integer> word,
                 const std::string& help) {
    const bool is_shown = target >= range.first || target == word.second;  // others: the help says what
    add_number_or(names, value, {range.first, range.second},
                  {word.first, is_shown ? std::to_string(target) : ""}, help,
                  [&target, word](std::optional<std::uint64_t> number) {
                    target = number ? static_cast<Integer>(*number) : word.second;
                  });
  }

  /// A column of a file: from 1, or negative from the last one, -1; `auto` = 0.
  void column(const std::string& names, int& target, const std::string& help);

  /// Whole numbers separated by commas, each in [range.first, range.second].
  template <typename Integer>
  void numbers(const std::string& names, const std::string& value, std::vector<Integer>& target,
               std::pair<Integer, Integer> range, const std::string& help) {
    std::string shown;
    for (const Integer item : target) {
      if (!shown.empty()) shown += ',';
      shown += std::to_string(item);
    }
    add_numbers(names, value, shown,
                {static_cast<std::uint64_t>(range.first), static_cast<std::uint64_t>(range.second)}, help,
                [&target](const std::vector<std::uint64_t>& items) {
                  target.clear();
                  for (const std::uint64_t item : items) target.push_back(static_cast<Integer>(item));
                });
  }

  /// One of several words.
  template <typename Enum>
  void choice(const std::string& names, Enum& target,
              std::initializer_list<std::pair<const char*, Enum>> choices, const std::string& help) {
    std::vector<std::string> words;
    std::string shown;
    std::vector<Enum> values;
    for (const auto& [word, value] : choices) {
      words.emplace_back(word);
      values.push_back(value);
      if (value == target) shown = word;
    }
    add_choice(names, words, shown, help, [&target, values](std::size_t index) { target = values[index]; });
  }

  /// One of several words; the target is its index.
  void one_of(const std::string& names, std::size_t& target, const std::vector<std::string>& words,
              const std::string& help) {
    add_choice(names, words, words[target], help, [&target](std::size_t index) { target = index; });
  }

  /// A flag that sets a field to a value (--lines, --stream).
  template <typename Enum>
  void flag_value(const std::string& names, Enum& target, Enum value, const std::string& help) {
    const bool is_default = target == value;
    add_flag(names, is_default ? "the default" : "", help, [&target, value] { target = value; });
  }

  /// The option must be given.
  void require_last();

  /// The field that the option is bound to, as messages of the library name it.
  void field_of_last(std::string field) { infos_.back().field = std::move(field); }

  /// The value is the name of a file, or a folder, that the command writes. A model is a file that is never compressed.
  void writes_file() { infos_.back().writes = Writes::file; }
  void writes_model() { infos_.back().writes = Writes::model; }
  void writes_folder() { infos_.back().writes = Writes::folder; }

  /// The default as help shows it.
  void show_default(std::string text) { infos_.back().default_text = std::move(text); }

  /// Accepted, but not shown in help.
  void hide_last() { infos_.pop_back(); }

  /// Names of options of this group that were given on the command line.
  std::vector<std::string> given_in_group(const std::string& heading) const;

  /// Every option with its value, given or default, for run.json.
  std::vector<std::pair<std::string, std::string>> values() const;

  const std::vector<OptionInfo>& infos() const { return infos_; }

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;

  void add(const std::string& names, const std::string& value, const std::string& default_text,
           const std::string& help, const std::function<void(const std::string&)>& parse);
  void add_flag(const std::string& names, const std::string& default_text, const std::string& help,
                const std::function<void()>& set);
  void add_number(const std::string& names, const std::string& value, const std::string& default_text,
                  Range range, const std::string& help, const std::function<void(std::uint64_t)>& set);
  /// `words`: the word that stands for a number, and the default as text. The setter gets nothing for the
  /// word.
  void add_number_or(const std::string& names, const std::string& value, Range range,
                     const std::pair<std::string, std::string>& words, const std::string& help,
                     const std::function<void(std::optional<std::uint64_t>)>& set);
  void add_numbers(const std::string& names, const std::string& value, const std::string& default_text,
                   Range range, const std::string& help,
                   const std::function<void(const std::vector<std::uint64_t>&)>& set);
  void add_choice(const std::string& names, const std::vector<std::string>& words,
                  const std::string& default_text, const std::string& help,
                  const std::function<void(std::size_t)>& set);

  CLI::App& app_;
  std::string group_ = "Options";
  std::vector<OptionInfo> infos_;
};

}  // namespace firth::cli
