#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "firth/error.hpp"
#include "text/characters.hpp"
#include "text/line_walk.hpp"
#include "text/parse_block.hpp"

namespace firth::text {
namespace {

using Json = nlohmann::json;

// The value that a dotted path leads to; a key may have dots itself. nullptr = there is none.
const Json* find_value(const Json& object, std::string_view path) {
  if (!object.is_object()) return nullptr;
  if (const auto whole = object.find(path); whole != object.end()) return &*whole;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
    const auto part = object.find(path.substr(0, dot));
    if (part == object.end()) continue;
    if (const Json* const found = find_value(*part, path.substr(dot + 1)); found != nullptr) return found;
  }
  return nullptr;
}

std::string json_type(const Json& value) {
  const bool vowel = value.is_object() || value.is_array();
  return fmt::format("{} {}", vowel ? "an" : "a", value.type_name());
}

std::string list_keys(const Json& object, std::string_view prefix = "") {
  constexpr std::size_t kMaxKeys = 20;
  std::string keys;
  std::size_t count = 0;
  for (const auto& item : object.items()) {
    if (count++ == kMaxKeys) return keys + ", ...";
    keys += fmt::format("{}{}{}", keys.empty() ? "" : ", ", prefix, item.key());
  }
  return keys;
}

/// What to do with JSON that is one list, or goes over several lines.
std::string one_per_line(std::string_view line) {
  constexpr std::string_view kRule = "JSON lines are one object per line";
  if (line.starts_with('[')) return fmt::format("{}: jq -c '.[]' makes them of a list", kRule);
  if (line == "{" || line == "{\r") return fmt::format("{}: jq -c . makes them of longer ones", kRule);
  return std::string(kRule);
}

class LineParser {
 public:
  LineParser(const Block& block, const std::string& field, bool lines, WordSink& sink)
      : block_(block), field_(field), lines_(lines), sink_(sink) {}

  void add(std::string_view line) {
    if (is_blank(line)) return;
    line_ = line;
    const Json object = Json::parse(line, nullptr, false);
    if (object.is_discarded()) fail("this is not JSON", one_per_line(line));
    if (!object.is_object()) fail("this is not a JSON object", one_per_line(line));
    const Json* const value = find_value(object, field_);
    if (value == nullptr) {
      fail(fmt::format("there is no field '{}'", field_),
           fmt::format("the keys are: {}; dots lead into objects", list_keys(object)));
    }
    add_value(*value);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& hint) const {
    throw InputError(block_.where(static_cast<std::size_t>(line_.data() - block_.data())), problem, hint);
  }

  void add_value(const Json& value) {
    if (value.is_null()) return;
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      refuse_nul(text);
      return add_lines(text, lines_, sink_);
    }
    if (!value.is_array()) {
      fail(fmt::format("the field '{}' is {}", field_, json_type(value)),
           value.is_object() ? fmt::format("name one of its keys: {}", list_keys(value, field_ + "."))
                             : "it must be a string (text) or a list of strings (tokens)");
    }
    for (const Json& token : value) add_token(token);
    if (lines_) sink_.words.end_sequence();
  }

  void add_token(const Json& token) {
    if (!token.is_string()) {
      fail(fmt::format("the field '{}' is a list that holds {}", field_, json_type(token)),
           "it must be a string (text) or a list of strings (tokens)");
    }
    const auto& word = token.get_ref<const std::string&>();
    refuse_nul(word);
    if (word.empty() || std::any_of(word.begin(), word.end(), is_space)) {
      fail(fmt::format("the token '{}' is empty or has white space in it", word),
           "leave it out, split it, or put another character in the place of the space");
    }
    sink_.add_piece(word);
  }

  void refuse_nul(const std::string& text) const {
    if (text.find('\0') != std::string::npos) fail("NUL character", "this is not text");
  }

  const Block& block_;
  const std::string& field_;
  bool lines_;
  WordSink& sink_;
  std::string_view line_;
};

}  // namespace

void parse_jsonl(const Block& block, const std::string& field, bool lines, WordSink& sink) {
  LineParser parser(block, field, lines, sink);
  for_each_line(block.text(), [&](std::string_view line) { parser.add(line); });
}

}  // namespace firth::text
