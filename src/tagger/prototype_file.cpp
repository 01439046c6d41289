#include <fmt/format.h>

#include "firth/error.hpp"
#include "firth/prototypes.hpp"
#include "text/line_reader.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace {

constexpr std::string_view kNoTag = "?";
constexpr std::string_view kColumns = "word\ttag\tclass\ttokens\tplaces";

}  // namespace

void save_prototypes(const std::string& path, std::span<const Prototype> prototypes) {
  text::TextFile file(path);
  file.write(fmt::format("{}\n", kColumns));
  for (const Prototype& one : prototypes) {
    std::string line =
        fmt::format("{}\t{}\t{}\t{}", one.word, one.tag.empty() ? kNoTag : one.tag, one.class_id, one.tokens);
    for (const std::string& context : one.contexts) line += "\t" + context;
    file.write(line + "\n");
  }
  file.commit();
}

std::vector<Prototype> load_prototypes(const Inputs& list, const RunOptions& run) {
  std::vector<Prototype> prototypes;
  text::LineReader reader(list, run);
  for (std::string_view line; reader.next(line);) {
    if (line.empty() || (reader.starts_file() && line.starts_with("word\ttag"))) continue;
    const std::size_t end_of_word = line.find('\t');
    if (end_of_word == std::string_view::npos || end_of_word == 0) {
      throw InputError(reader.where(), "expected a word and a tag with a tab between",
                       "give a list that firth::save_prototypes() wrote, with tags filled in");
    }
    const std::string_view rest = line.substr(end_of_word + 1);
    const std::string_view tag = rest.substr(0, rest.find('\t'));
    prototypes.push_back({.word = std::string(line.substr(0, end_of_word)),
                          .tag = tag == kNoTag ? std::string() : std::string(tag),
                          .where = reader.where()});
  }
  return prototypes;
}

}  // namespace firth
