#include "cluster/class_count.hpp"

#include <fmt/format.h>

#include "firth/error.hpp"

namespace firth::clusters {

void require_classes(ClassId classes, std::string_view field) {
  if (classes == 0) throw UsageError("0 classes are asked for", "ask for at least one", field);
}

void require_words_for(ClassId classes, std::size_t words, std::string_view field, std::string_view kind) {
  if (classes <= words) return;
  if (words == 0) throw InputError({}, fmt::format("there are no {} to cluster", kind), "give more text");
  throw UsageError(
      fmt::format("{} classes are asked for, but there {} {}", classes, words == 1 ? "is only" : "are only",
                  words == 1 && kind == "words" ? "1 word" : fmt::format("{} {}", words, kind)),
      fmt::format("ask for at most {}", words), field);
}

}  // namespace firth::clusters
