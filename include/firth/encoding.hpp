// Text in other encodings than UTF-8.
//
//   use(firth::count_text(firth::decoded("old.txt", "latin-1"), {}, {}));
#pragma once

#include <string>
#include <vector>

#include "firth/inputs.hpp"

namespace firth {

/// The same inputs, whose bytes are text in `encoding`: a name that ICU knows, in any case and with or without
/// hyphens ("latin-1", "windows-1252", "utf-16", "shift_jis"). What cannot be decoded counts as broken UTF-8
/// (InvalidUtf8). Places in messages are those of the decoded text; numbers and count files have no encoding.
/// An empty name is UTF-8. Throws UsageError for a name that is not known, and lists those that are.
[[nodiscard]] Inputs decoded(const Inputs& inputs, const std::string& encoding);

/// Preferred names of the encodings that are known.
[[nodiscard]] std::vector<std::string> encoding_names();

}  // namespace firth
