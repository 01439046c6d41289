// The first lines of what is read, to find out what it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/inputs.hpp"

namespace firth::text {

/// The first bytes of something that can be read only once, as they are there: a line at least, or `size` bytes.
/// Whoever opens it next reads them again.
std::string read_ahead(const InputFile& file, std::size_t size);

/// Whether a text begins like JSON: with an object that has a key, or with a list of such objects.
bool looks_like_json(std::string_view text);

}  // namespace firth::text
