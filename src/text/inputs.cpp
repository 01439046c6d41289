#include "text/inputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "firth/error.hpp"
#include "text/byte_source.hpp"

namespace firth::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

// Follows links to files but not to folders, so a link to a parent cannot make it run for ever.
void collect(const fs::path& folder, std::vector<std::string>& found) {
  std::error_code failure;
  fs::directory_iterator entries(folder, failure);
  if (failure) throw IoError(folder.string(), "cannot read the folder", failure.value());
  std::vector<fs::directory_entry> sorted(begin(entries), end(entries));
  std::sort(sorted.begin(), sorted.end());
  for (const fs::directory_entry& entry : sorted) {
    if (is_hidden(entry.path())) continue;
    if (entry.is_directory(failure) && !entry.is_symlink(failure)) {
      collect(entry.path(), found);
    } else if (entry.is_regular_file(failure)) {
      found.push_back(entry.path().string());
    }
  }
}

InputFile describe(const std::string& path) {
  InputFile file;
  file.path = path;
  struct stat status {};
  const bool standard_input = path == kStandardInput;
  if ((standard_input ? ::fstat(0, &status) : ::stat(path.c_str(), &status)) != 0) {
    throw IoError(display_name(path), "cannot open", errno);
  }
  file.regular = S_ISREG(status.st_mode) && !standard_input;
  if (S_ISREG(status.st_mode)) file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

std::vector<InputFile> expand_inputs(std::span<const std::string> inputs, const std::stop_token& stop) {
  if (inputs.empty())
    throw UsageError("there is nothing to read", "name a file, a folder, or - for standard input");
  if (std::count(inputs.begin(), inputs.end(), kStandardInput) > 1) {
    throw UsageError("standard input (-) is named more than once", "name it once");
  }
  std::vector<InputFile> files;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (input == kStandardInput || !fs::is_directory(input, ignored)) {
      files.push_back(describe(input));
      continue;
    }
    std::vector<std::string> found;
    collect(input, found);
    if (found.empty())
      throw InputError({input}, "there are no files in this folder", "hidden files are not read");
    for (const std::string& path : found) files.push_back(describe(path));
  }
  for (InputFile& file : files) file.stop = stop;
  return files;
}

void spool_unseekable(std::vector<InputFile>& files, const std::string& temp_folder) {
  std::vector<std::byte> buffer;
  for (InputFile& file : files) {
    if (file.regular) continue;
    buffer.resize(kCopyBytes);
    const auto copy = std::make_shared<base::TempFile>(temp_folder);
    RawFile source(file);
    std::uint64_t size = 0;
    while (const std::size_t got = source.read(reinterpret_cast<char*>(buffer.data()), buffer.size())) {
      copy->write_at(size, std::span(buffer).first(got));
      size += got;
    }
    file.spool = copy;
    file.size = size;
  }
}

}  // namespace firth::text
