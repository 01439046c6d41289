// ARPA files of others.
#pragma once

#include <string>

#include "firth/class_lm.hpp"

namespace firth::lm {

/// Reads an ARPA file; with `classes_path`, its symbols may be classes that this file defines. Words of it
/// that are no class stand for themselves. Throws InputError with the line.
LanguageModel read_arpa(const std::string& path, const std::string& classes_path, const RunOptions& run);

}  // namespace firth::lm
