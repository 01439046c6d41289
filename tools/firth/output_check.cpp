#include "output_check.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <firth/error.hpp>
#include <firth/files.hpp>
#include <system_error>

namespace firth::cli {
namespace {

namespace fs = std::filesystem;

/// A path on the command line.
struct NamedPath {
  std::string option;
  std::string path;
  Writes writes = Writes::nothing;
};

bool names_a_path(const OptionInfo& info) {
  return info.group == "Arguments" || info.value == "FILE" || info.value == "DIR" || info.value == "MODEL";
}

std::vector<NamedPath> paths_of(const OptionTable& options) {
  std::vector<NamedPath> paths;
  for (const OptionInfo& info : options.infos()) {
    if (!names_a_path(info)) continue;
    for (const std::string& path : info.given_values()) paths.push_back({info.names, path, info.writes});
  }
  return paths;
}

std::string canonical(const std::string& path) {
  std::error_code problem;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, problem), problem);
  return (problem ? fs::path(path) : found).string();
}

/// Whether both are one regular file. Devices and pipes may be named twice.
bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && S_ISREG(first.st_mode) &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

/// The same for files that are still to be made.
bool is_same_output(const std::string& a, const std::string& b) {
  return is_same_file(a, b) || (!exists(a) && !exists(b) && canonical(a) == canonical(b));
}

void refuse_same(const NamedPath& output, const std::vector<NamedPath>& paths) {
  for (const NamedPath& other : paths) {
    if (&other == &output || other.writes == Writes::folder) continue;
    if (other.writes != Writes::nothing && is_same_output(output.path, other.path))
      throw UsageError(fmt::format("{} and {} name the same file", output.option, other.option),
                       "give each output a name of its own");
    if (other.writes == Writes::nothing && is_same_file(output.path, other.path))
      throw UsageError(
          fmt::format("{}: '{}' is also an input, and would be lost", output.option, output.path),
          "write to another file");
  }
}

/// Counts and models are mapped into memory as they are.
void refuse_compressed(const NamedPath& output) {
  const std::string_view ending = compressed_ending(output.path);
  if (!ending.empty())
    throw UsageError(fmt::format("{}: '{}' would be mapped into memory, and cannot be compressed",
                                 output.option, output.path),
                     fmt::format("leave out {}", ending));
}

/// A file may go into a folder that the command is about to make.
bool lies_in_output_folder(const std::string& file, const std::vector<NamedPath>& paths) {
  const std::string folder = fs::path(canonical(file)).parent_path().string();
  return std::any_of(paths.begin(), paths.end(), [&](const NamedPath& path) {
    return path.writes == Writes::folder && fs::path(canonical(path.path) + "/").parent_path() == folder;
  });
}

/// "classes.tsv" as the name of a folder that is still to be made was meant to be a file.
void refuse_file_ending(const NamedPath& output) {
  constexpr std::array<std::string_view, 9> kEndings = {".txt",  ".tsv", ".csv", ".json", ".md",
                                                        ".html", ".gz",  ".zst", ".xz"};
  if (exists(output.path)) return;
  const auto found = std::find_if(kEndings.begin(), kEndings.end(),
                                  [&](std::string_view ending) { return output.path.ends_with(ending); });
  if (found != kEndings.end())
    throw UsageError(fmt::format("{}: '{}' would be a folder", output.option, output.path),
                     fmt::format("leave out {}; the files in it have names of their own", *found));
}

/// Classes that another program wrote, or a person, would be lost.
void refuse_foreign_classes(const std::string& folder) {
  constexpr std::array<const char*, 5> kOwn = {"run.json", "merges.tsv", "counts.tsv", "bigrams.tsv",
                                               "preprocessing.txt"};
  const auto has = [&](const char* name) { return exists(folder + "/" + name); };
  if (!has("paths") && !has("classes.tsv")) return;
  if (std::any_of(kOwn.begin(), kOwn.end(), has)) return;
  throw UsageError(fmt::format("-o: {} holds classes that Firth did not write", folder),
                   "write to another folder, or replace them with --force");
}

/// Whether the command can be told to replace them, and was not.
bool guards_folder(const OptionTable& options) {
  const auto& infos = options.infos();
  return std::any_of(infos.begin(), infos.end(),
                     [](const OptionInfo& info) { return info.names == "--force" && !info.given(); });
}

}  // namespace

bool takes_inputs(const OptionTable& options) {
  const auto& infos = options.infos();
  return std::any_of(infos.begin(), infos.end(), [](const OptionInfo& info) {
    return info.group == "Arguments" && info.names.ends_with("...") && info.required();
  });
}

std::string input_names(const OptionTable& options) {
  constexpr std::size_t kNamed = 2;
  std::string names;
  std::size_t count = 0;
  for (const NamedPath& path : paths_of(options)) {
    if (path.writes != Writes::nothing || ++count > kNamed) continue;
    names += (names.empty() ? "" : ", ") + (path.path == "-" ? "standard input" : path.path);
  }
  return count > kNamed ? fmt::format("{} and {} more", names, count - kNamed) : names;
}

void check_outputs(const OptionTable& options) {
  const std::vector<NamedPath> paths = paths_of(options);
  for (const NamedPath& output : paths) {
    if (output.writes != Writes::nothing && output.path.empty())
      throw UsageError(fmt::format("{}: the name is empty", output.option),
                       "give a name (is a variable of the shell not set?)");
    if (output.writes == Writes::folder) {
      refuse_file_ending(output);
      check_output_folder(output.path);
      if (guards_folder(options)) refuse_foreign_classes(output.path);
    }
    if (output.writes == Writes::nothing || output.writes == Writes::folder) continue;
    if (output.writes == Writes::model) refuse_compressed(output);
    refuse_same(output, paths);
    if (!lies_in_output_folder(output.path, paths)) check_output_file(output.path);
  }
}

}  // namespace firth::cli
