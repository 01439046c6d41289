#include "tagger/token_output.hpp"

#include <algorithm>

namespace firth::tagger {

void replace_column(std::string_view line, int column, std::string_view value, std::string& out) {
  const auto columns = static_cast<int>(std::count(line.begin(), line.end(), '\t')) + 1;
  const int wanted = column > 0 ? column : columns + column + 1;
  for (int i = 1; i <= columns; ++i) {
    const std::string_view field = line.substr(0, line.find('\t'));
    if (i > 1) out += '\t';
    out += i == wanted ? value : field;
    line.remove_prefix(std::min(line.size(), field.size() + 1));
  }
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
