#include "text/id_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "firth/error.hpp"
#include "text/line_reader.hpp"

namespace firth::text {

IdNames::IdNames(const std::string& path, const RunOptions& run) : path_(path) {
  LineReader lines(path, run);
  std::unordered_map<std::string, std::uint64_t> line_of;
  for (std::string_view line; lines.next(line);) {
    const std::string_view name = line.substr(0, line.find('\t'));
    names_.emplace_back(name);
    if (name.empty()) continue;
    const auto [first, fresh] = line_of.emplace(name, lines.line());
    if (!fresh) {
      throw InputError(lines.where(), fmt::format("the name '{}' was in line {} before", name, first->second),
                       "every id needs a name of its own");
    }
  }
}

std::string IdNames::problem_of(std::uint32_t id) const {
  if (path_.empty()) return {};
  if (id >= names_.size()) return fmt::format("id {} has no name: {} has {} lines", id, path_, names_.size());
  const std::string& name = names_[id];
  if (!name.empty() && std::none_of(name.begin(), name.end(), is_space)) return {};
  return fmt::format("the name of id {} ({}:{}) is empty or has white space in it", id, path_,
                     std::uint64_t{id} + 1);
}

std::string_view IdNames::word(std::uint32_t id, std::string& buffer) const {
  if (!path_.empty()) return names_[id];
  buffer = fmt::format("{}", id);
  return buffer;
}

}  // namespace firth::text
