// From what the user names to the files to read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/temp_file.hpp"

namespace firth::text {

/// "-" as an input: standard input.
inline constexpr const char* kStandardInput = "-";

/// How messages name an input.
std::string display_name(const std::string& path);

/// One file to read.
struct InputFile {
  std::string path = {};                       ///< as it was named
  std::uint64_t size = 0;                      ///< in bytes; 0 if not known (pipes)
  bool regular = false;                        ///< can be read twice
  std::shared_ptr<base::TempFile> spool = {};  ///< a copy to read instead, of what can be read only once
  std::stop_token stop = {};                   ///< ends the wait for a pipe that has nothing to say
};

/// Replaces folders by the files in them: recursively, in order of their names, without hidden ones. Throws
/// IoError for what is not there, InputError for a folder without files, UsageError for no inputs at all.
std::vector<InputFile> expand_inputs(std::span<const std::string> inputs, const std::stop_token& stop = {});

/// Copies everything that can be read only once to temporary files, so that it can be read again.
void spool_unseekable(std::vector<InputFile>& files, const std::string& temp_folder);

}  // namespace firth::text
