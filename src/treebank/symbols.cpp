#include "treebank/symbols.hpp"

namespace firth::treebank {
namespace {

constexpr char kEscape = '\\';
constexpr std::string_view kSpecial = "|@^>\\";

// The place of the first of `stops` that is not escaped, or the end.
std::size_t find_plain(std::string_view text, std::string_view stops, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == kEscape) {
      ++i;
    } else if (stops.find(text[i]) != std::string_view::npos) {
      return i;
    }
  }
  return text.size();
}

std::string unescape(std::string_view text) {
  std::string label;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEscape && i + 1 < text.size()) ++i;
    label += text[i];
  }
  return label;
}

}  // namespace

std::string escape_label(std::string_view label) {
  std::string escaped;
  for (const char c : label) {
    if (kSpecial.find(c) != std::string_view::npos) escaped += kEscape;
    escaped += c;
  }
  return escaped;
}

std::vector<std::string> chain_of(std::string_view symbol) {
  if (is_between(symbol)) symbol.remove_prefix(1);
  symbol = symbol.substr(0, find_plain(symbol, "^>", 0));
  std::vector<std::string> labels;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = find_plain(symbol, "|", begin);
    labels.push_back(unescape(symbol.substr(begin, end - begin)));
    if (end == symbol.size()) return labels;
    begin = end + 1;
  }
}

std::string plain_symbol(std::string_view symbol) {
  return std::string(symbol.substr(0, find_plain(symbol, "^>", is_between(symbol) ? 1 : 0)));
}

}  // namespace firth::treebank
