// A file that is needed as a whole.
#pragma once

#include <string>

#include "firth/run.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// All bytes of a file, decompressed. Throws ResourceError where they do not fit the memory limit, InputError
/// for a small file that grows out of all proportion, IoError, Cancelled.
std::string read_whole(const InputFile& file, const RunOptions& run = {});

/// The same for a file of text: without a byte-order mark; throws InputError for a NUL byte, too. It need not be
/// UTF-8.
std::string read_whole_text(const InputFile& file, const RunOptions& run = {});

}  // namespace firth::text
