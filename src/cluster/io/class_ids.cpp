#include "firth/class_ids.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "base/npy_header.hpp"
#include "base/parse_number.hpp"
#include "firth/error.hpp"
#include "firth/text.hpp"
#include "text/id_names.hpp"
#include "text/text_file.hpp"

namespace firth {
namespace clusters {
namespace {

constexpr std::uint32_t kMaxIds = 1u << 28;

std::vector<std::int32_t> by_number(const Clustering& clustering) {
  std::vector<std::int32_t> classes;
  for (WordId word = 0; word < clustering.word_count(); ++word) {
    const std::string_view name = clustering.vocabulary().word(word);
    const auto id = base::parse_number<std::uint32_t>(name);
    if (!id && name == kUnknownWord) continue;
    if (!id) {
      throw InputError({}, fmt::format("'{}' is not a token id", name),
                       "words must be numbers, or names of a list of ids");
    }
    if (*id >= kMaxIds)
      throw UsageError(fmt::format("a table up to id {} is too large", *id), "number the tokens from 0 on");
    if (*id >= classes.size()) classes.resize(*id + std::size_t{1}, -1);
    classes[*id] = static_cast<std::int32_t>(clustering.class_of(word));
  }
  return classes;
}

std::vector<std::int32_t> by_name(const Clustering& clustering, const text::IdNames& names) {
  const WordIndex index(clustering.vocabulary());
  std::vector<std::int32_t> classes(names.size(), -1);
  std::string buffer;
  std::size_t found = 0;
  for (std::uint32_t id = 0; id < names.size(); ++id) {
    const auto word = index.find(names.word(id, buffer));
    if (!word) continue;
    classes[id] = static_cast<std::int32_t>(clustering.class_of(*word));
    ++found;
  }
  if (found == 0 && clustering.word_count() > 0)
    throw InputError({}, "none of its words is a name of an id", "give the list of names that was read");
  return classes;
}

}  // namespace
}  // namespace clusters

std::vector<std::int32_t> classes_by_id(const Clustering& clustering, const std::string& id_names,
                                        const RunOptions& run) {
  if (id_names.empty()) return clusters::by_number(clustering);
  return clusters::by_name(clustering, text::IdNames(id_names, run));
}

void save_classes_by_id(const std::string& path, const std::vector<std::int32_t>& classes) {
  text::TextFile file(path);
  file.write(base::npy_header("<i4", fmt::format("({},)", classes.size())));
  file.write(std::as_bytes(std::span(classes)));
  file.commit();
}

}  // namespace firth
