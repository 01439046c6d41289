// From what the user names to the files to read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/temp_file.hpp"
#include "firth/inputs.hpp"

namespace firth::text {

/// "-" as an input: standard input.
inline constexpr const char* kStandardInput = "-";

/// How messages name an input.
std::string display_name(const std::string& path);

struct MemoryInput;

/// One thing to read.
struct InputFile {
  std::string path = {};                       ///< as it was named
  std::uint64_t size = 0;                      ///< in bytes; 0 if not known (pipes)
  std::uint64_t begin = 0;                     ///< only `size` bytes from here, if it is not 0
  bool goes_on = false;                        ///< only the first `size` bytes: others read the rest
  bool rereadable = false;                     ///< can be read twice
  std::shared_ptr<base::TempFile> spool = {};  ///< a copy to read instead, of what can be read only once
  std::shared_ptr<MemoryInput> memory = {};    ///< what to read instead of a file
  std::string encoding = {};                   ///< of its text, as ICU names it; empty = UTF-8
  std::stop_token stop = {};                   ///< ends the wait for a pipe that has nothing to say

  /// Words with blanks between them, a sequence per line: whatever the format of other inputs is.
  bool is_tokens() const noexcept;
  /// Whether it is a part of a file, which is not compressed then.
  bool is_part() const noexcept { return begin > 0 || goes_on; }
  /// Whether its size is known before it is read.
  bool has_size() const noexcept { return size > 0 || (rereadable && memory == nullptr); }
};

/// Replaces folders by the files in them: recursively, in order of their names, without hidden ones. Throws
/// IoError for what is not there, InputError for a folder without files, UsageError for no inputs at all.
std::vector<InputFile> expand_inputs(const Inputs& inputs, const std::stop_token& stop);

/// The one file, or text from memory, that `input` is. Throws InputError for a folder, UsageError for several.
InputFile single_input(const Inputs& input, const std::stop_token& stop);

/// Bytes of all files; 0 if not known.
std::uint64_t total_size(std::span<const InputFile> files) noexcept;

/// Copies everything that can be read only once to temporary files, so that it can be read again.
void spool_unseekable(std::vector<InputFile>& files, const std::string& temp_folder);

}  // namespace firth::text
