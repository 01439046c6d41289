// The first lines of what is read, to find out what it is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "firth/text.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// The first bytes of something that can be read only once: as many as are enough, or `size` if it is compressed.
/// Whoever opens it next reads them again.
std::string read_ahead(const InputFile& file, std::size_t size,
                       const std::function<bool(std::string_view bytes)>& is_enough);

/// The format that the end of a name says (.conllu, .conll.gz); text if it says none.
InputFormat format_by_name(std::string_view path);

/// Whether a text begins like JSON: with an object that has a key, or with a list of such objects.
bool looks_like_json(std::string_view text);

}  // namespace firth::text
