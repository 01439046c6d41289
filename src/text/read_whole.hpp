// A file as one string, for formats that need all of it at once.
#pragma once

#include <string>

#include "text/inputs.hpp"

namespace firth::text {

/// The bytes of a text file, decompressed; they need not be UTF-8. Throws InputError for a NUL byte,
/// ResourceError for a line beyond kMaxLineBytes, IoError.
std::string read_whole(const InputFile& file);

}  // namespace firth::text
