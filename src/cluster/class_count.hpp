// The number of classes that a user asks for: checked by every method in the same words.
#pragma once

#include <cstddef>
#include <string_view>

#include "firth/types.hpp"

namespace firth::clusters {

/// Throws UsageError about `field` if no classes are asked for.
void require_classes(ClassId classes, std::string_view field);

/// Throws UsageError about `field` if there are fewer words than classes; `kind` is what is counted.
void require_words_for(ClassId classes, std::size_t words, std::string_view field,
                       std::string_view kind = "words");

}  // namespace firth::clusters
