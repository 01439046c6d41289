#include "base/file_system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include "base/parse_number.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

bool is_missing(int error_number) {
  return error_number == ENOENT || error_number == ENOTDIR;
}

const char* hint_for(int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  return full ? "free some space or write somewhere else" : "";
}

std::string without_end_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string read_link(const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  if (size < 0) throw_io(path, "cannot follow the link", errno);
  target.resize(static_cast<std::size_t>(size));
  return target;
}

}  // namespace

void Descriptor::reset() noexcept {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

std::string folder_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

std::string joined(const std::string& folder, std::string_view name) {
  return (fs::path(folder) / name).string();
}

std::string normal_path(const std::string& path) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored);
  return without_end_slashes((ignored ? fs::path(path) : whole).lexically_normal().string());
}

bool exists(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return true;
  if (!is_missing(errno)) throw_io(path, "cannot open", errno);
  return false;
}

bool is_folder(const std::string& path) noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_regular_file(const std::string& path) noexcept {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::optional<int> descriptor_named(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    if (const auto number = parse_number<int>(digits); number && *number >= 0) return number;
  }
  return std::nullopt;
}

std::string resolve_links(const std::string& path) {
  std::string at = path;
  for (int hop = 0; hop < kMaxLinks; ++hop) {
    struct stat status {};
    if (descriptor_named(at)) return at;
    if (::lstat(at.c_str(), &status) != 0) {
      if (errno == ENOENT) return at;
      throw_io(path, "cannot create", errno);
    }
    if (!S_ISLNK(status.st_mode)) return at;
    const std::string target = read_link(at);
    at = target.starts_with('/') ? target : joined(folder_of(at), target);
  }
  throw_io(path, "cannot create", ELOOP);
}

MissingPath missing_part(const std::string& path) {
  const std::string whole = exists(path) ? path : fs::path(path).lexically_normal().string();
  MissingPath part{without_end_slashes(whole), "", ""};
  while (!exists(part.existing)) {
    if (!part.first.empty()) part.rest = part.rest.empty() ? part.first : joined(part.first, part.rest);
    part.first = name_of(part.existing);
    part.existing = folder_of(part.existing);
  }
  return part;
}

void make_folder(const std::string& path) noexcept {
  std::error_code ignored;
  fs::create_directories(path, ignored);
}

void sync_folder(const std::string& folder) noexcept {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open) ::fsync(open.get());
}

void throw_io(const std::string& path, std::string_view action, int error_number) {
  throw IoError(path, action, error_number, hint_for(error_number));
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_io(path, "cannot write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace firth::base
