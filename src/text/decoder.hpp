// Text in other encodings as UTF-8, by ICU.
#pragma once

#include <memory>
#include <string>

#include "text/byte_source.hpp"

namespace firth::text {

/// ICU's name of an encoding; empty for UTF-8. Throws UsageError for one that is not known.
std::string canonical_encoding(const std::string& name);

/// Gives the text of `source` as UTF-8; a byte that no UTF-8 has stands for each part that cannot be decoded.
std::unique_ptr<ByteSource> make_decoder(const std::string& encoding, std::unique_ptr<ByteSource> source);

}  // namespace firth::text
