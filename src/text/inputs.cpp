#include "text/inputs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/internals.hpp"
#include "firth/error.hpp"
#include "text/byte_source.hpp"
#include "text/memory_input.hpp"

namespace firth::text {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

bool is_hidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

/// The folder of an earlier run among the texts, or in their place.
void refuse_classes(const fs::path& folder) {
  std::error_code ignored;
  for (const char* const file : {"run.json", "paths", "classes.tsv"})
    if (!fs::exists(folder / file, ignored)) return;
  throw InputError({folder.string()}, "this folder has classes that Firth wrote, not text",
                   "name another folder, or put the classes elsewhere");
}

// Follows links to files but not to folders, so a link to a parent cannot make it run for ever.
void collect(const fs::path& folder, std::vector<std::string>& found) {
  std::error_code failure;
  std::vector<fs::directory_entry> sorted;
  for (fs::directory_iterator entries(folder, failure); !failure && entries != fs::directory_iterator();
       entries.increment(failure)) {
    sorted.push_back(*entries);
  }
  if (failure) throw IoError(folder.string(), "cannot read the folder", failure.value());
  std::sort(sorted.begin(), sorted.end());
  refuse_classes(folder);
  for (const fs::directory_entry& entry : sorted) {
    if (is_hidden(entry.path())) continue;
    if (entry.is_directory(failure) && !entry.is_symlink(failure)) {
      collect(entry.path(), found);
    } else if (entry.is_regular_file(failure)) {
      found.push_back(entry.path().string());
    }
  }
}

InputFile describe_file(const std::string& path) {
  InputFile file;
  file.path = path;
  struct stat status {};
  const bool standard_input = path == kStandardInput;
  if ((standard_input ? ::fstat(0, &status) : ::stat(path.c_str(), &status)) != 0) {
    throw IoError(display_name(path), "cannot open", errno);
  }
  file.rereadable = S_ISREG(status.st_mode) && !standard_input;
  if (S_ISREG(status.st_mode)) file.size = static_cast<std::uint64_t>(status.st_size);
  return file;
}

void add_path(const std::string& path, std::vector<InputFile>& files) {
  std::error_code ignored;  // what cannot be examined cannot be opened either, and opening says why
  if (path == kStandardInput || !fs::is_directory(path, ignored)) {
    files.push_back(describe_file(path));
    return;
  }
  std::vector<std::string> found;
  collect(path, found);
  if (found.empty())
    throw InputError({path}, "there are no files in this folder", "hidden files are not read");
  for (const std::string& inside : found) files.push_back(describe_file(inside));
}

}  // namespace

std::string display_name(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

std::vector<InputFile> MemoryInput::files(const std::stop_token& stop) {
  InputFile file;
  file.path = name;
  file.size = size();
  file.rereadable = rereadable;
  file.memory = shared_from_this();
  file.stop = stop;
  return {file};
}

bool InputFile::is_tokens() const noexcept {
  return memory != nullptr && memory->tokens;
}

std::vector<InputFile> expand_inputs(const Inputs& inputs, const std::stop_token& stop) {
  if (inputs.empty())
    throw UsageError("there is nothing to read", "name a file, a folder, or - for standard input");
  const std::vector<std::string>& paths = inputs.paths();
  if (std::count(paths.begin(), paths.end(), kStandardInput) > 1) {
    throw UsageError("standard input (-) is named more than once", "name it once");
  }
  std::vector<InputFile> files;
  if (base::internals(inputs) != nullptr) files = base::internals(inputs)->files(stop);
  for (const std::string& path : paths) add_path(path, files);
  for (InputFile& file : files) file.stop = stop;
  return files;
}

InputFile single_input(const Inputs& input, const std::stop_token& stop) {
  std::error_code ignored;
  for (const std::string& path : input.paths()) {
    if (fs::is_directory(path, ignored)) throw InputError({path}, "this is a folder", "name one file");
  }
  std::vector<InputFile> files = expand_inputs(input, stop);
  if (files.size() != 1) throw UsageError("this is read from one file only", "name one file");
  return std::move(files.front());
}

std::uint64_t total_size(std::span<const InputFile> files) noexcept {
  std::uint64_t total = 0;
  for (const InputFile& file : files) {
    if (!file.has_size()) return 0;
    total += file.size;
  }
  return total;
}

void spool_unseekable(std::vector<InputFile>& files, const std::string& temp_folder) {
  std::vector<std::byte> buffer;
  for (InputFile& file : files) {
    if (file.rereadable) continue;
    buffer.resize(kCopyBytes);
    const auto copy = std::make_shared<base::TempFile>(temp_folder);
    const std::unique_ptr<RawSource> source = open_raw(file);
    std::uint64_t size = 0;
    while (const std::size_t got = source->read(reinterpret_cast<char*>(buffer.data()), buffer.size())) {
      copy->write_at(size, std::span(buffer).first(got));
      size += got;
    }
    file.spool = copy;
    file.size = size;
    file.rereadable = true;
  }
}

}  // namespace firth::text

namespace firth {

std::string Inputs::first_name() const {
  if (memory_ != nullptr) return memory_->name;
  return paths_.empty() ? "" : text::display_name(paths_.front());
}

Inputs expand_folders(const Inputs& inputs) {
  if (base::internals(inputs) != nullptr) {
    const auto expanded = base::internals(inputs)->expanded();
    return expanded == nullptr ? inputs : detail::ModelAccess::make<Inputs>(expanded);
  }
  std::vector<std::string> paths;
  for (const text::InputFile& file : text::expand_inputs(inputs, {})) paths.push_back(file.path);
  return paths;
}

}  // namespace firth
