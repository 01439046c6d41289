#include "tagger/token_output.hpp"

#include <algorithm>

namespace firth::tagger {

void replace_column(std::string_view line, int column, std::string_view value, std::string& out) {
  constexpr std::size_t kNone = std::string_view::npos;
  const auto tabs = [&] { return static_cast<int>(std::count(line.begin(), line.end(), '\t')); };
  const int wanted = column > 0 ? column : tabs() + 2 + column;
  std::size_t begin = wanted < 1 ? kNone : 0;
  for (int i = 1; i < wanted && begin != kNone; ++i) {
    const std::size_t tab = line.find('\t', begin);
    begin = tab == kNone ? kNone : tab + 1;
  }
  if (begin == kNone) {  // there is no such column
    out += line;
    return;
  }
  out += line.substr(0, begin);
  out += value;
  if (const std::size_t end = line.find('\t', begin); end != kNone) out += line.substr(end);
}

void add_misc(std::string_view line, std::string_view attributes, std::string& out) {
  const std::size_t last = line.rfind('\t') + 1;  // 0 if there is none
  const std::string_view misc = line.substr(last);
  out += line.substr(0, last);
  if (misc != "_" && !misc.empty() && !attributes.empty()) {
    out += misc;
    out += '|';
  }
  out += attributes.empty() ? misc : attributes;
}

}  // namespace firth::tagger
