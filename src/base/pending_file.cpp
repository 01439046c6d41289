#include "base/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <firth/error.hpp>
#include <vector>

#include "base/hidden_name.hpp"

namespace firth::base {
namespace {

constexpr mode_t kFileMode = 0666;
constexpr mode_t kNoSetId = 01777;
constexpr std::size_t kCopyBytes = std::size_t{1} << 20;

std::string descriptor_path(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

bool is_stream(mode_t mode) {
  return !S_ISREG(mode) && !S_ISDIR(mode);
}

/// What the operating system may say where it has no nameless files, or forbids them.
bool means_no_nameless_files(int error_number) {
  switch (error_number) {
    case EOPNOTSUPP:
    case EISDIR:
    case EINVAL:
    case ENOENT:
    case EPERM:
    case EACCES:
    case ENOSYS:
      return true;
    default:
      return false;
  }
}

/// rename() that does not replace, where the file system can do that.
int rename_new(const char* from, const char* to) {
  const int result = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
  if (result == 0 || (errno != EINVAL && errno != ENOSYS)) return result;
  return ::rename(from, to);
}

/// Folders are made where a folder is asked for; one that is missing on the way to a file is likely a slip.
[[noreturn]] void throw_cannot_create(const std::string& path, const std::string& folder, int error_number) {
  if (error_number != ENOENT) throw_io(path, "cannot create", error_number);
  throw IoError(path, "cannot create", error_number,
                fmt::format("make its folder first: mkdir -p '{}'", folder));
}

}  // namespace

void PendingFile::HiddenFile::set(std::string name) noexcept {
  if (!name_.empty()) ::unlink(name_.c_str());
  name_ = std::move(name);
}

PendingFile::PendingFile(std::string path, const std::string& beside) : path_(std::move(path)) {
  if (path_.empty()) throw_io(path_, "an output without a name cannot be written", ENOENT);
  struct stat status {};
  const bool there = ::stat(path_.c_str(), &status) == 0;
  const bool named = descriptor_named(path_).has_value();
  if (!there && !named && errno != ENOENT && errno != ENOTDIR) throw_io(path_, "cannot create", errno);
  if (there && S_ISDIR(status.st_mode)) throw_io(path_, "cannot write", EISDIR);
  const bool straight = named || (there && base::is_stream(status.st_mode));
  target_ = straight ? path_ : resolve_links(path_);
  stream_ = straight || descriptor_named(target_).has_value();
  if (stream_)
    open_stream();
  else
    open_nameless(beside.empty() ? folder_of(target_) : beside);
}

PendingFile::~PendingFile() = default;

void PendingFile::open_stream() {
  const std::optional<int> number = descriptor_named(target_);
  open_ = Descriptor(number ? ::fcntl(*number, F_DUPFD_CLOEXEC, 3)
                            : ::open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  if (path_ == "-") path_ = "standard output";
  if (!open_) throw_io(path_, "cannot write", errno);
}

void PendingFile::open_nameless(const std::string& folder) {
  open_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kFileMode));
  if (!open_ && !means_no_nameless_files(errno)) throw_cannot_create(path_, folder, errno);
  // The name is given by way of /proc, which a sandbox may not have.
  if (open_ && ::access(descriptor_path(open_.get()).c_str(), F_OK) == 0) {
    hold(open_.get());
    return;
  }
  open_hidden(folder);
}

void PendingFile::open_hidden(const std::string& folder) {
  open_.reset();
  while (!open_) {
    std::string name = joined(folder, hidden_name());
    open_ = Descriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, kFileMode));
    if (!open_ && errno == EEXIST) continue;
    if (!open_) throw_cannot_create(path_, folder, errno);
    hidden_.set(std::move(name));
    if (!hold(open_.get())) open_.reset();
  }
}

void PendingFile::sync() {
  if (stream_) return;
  keep_mode_and_owner();
  if (::fsync(open_.get()) != 0 && errno != EINVAL) throw_io(path_, "cannot sync", errno);
}

/// The owner can be kept by root alone, and a group by its members: what cannot be kept is not an error, but
/// then nobody else may get the rights of the old owner.
void PendingFile::keep_mode_and_owner() {
  struct stat old {};
  struct stat own {};
  if (::stat(target_.c_str(), &old) != 0 || ::fstat(open_.get(), &own) != 0) return;
  bool kept = true;
  if (old.st_uid != own.st_uid || old.st_gid != own.st_gid) {
    kept = ::fchown(open_.get(), old.st_uid, old.st_gid) == 0;
    if (!kept) kept = ::fchown(open_.get(), static_cast<uid_t>(-1), old.st_gid) == 0;
  }
  ::fchmod(open_.get(), old.st_mode & (kept ? kModeBits : kNoSetId));
}

/// False where the file system or a sandbox does not let a nameless file have a name.
bool PendingFile::link(const std::string& name) {
  const std::string self = descriptor_path(open_.get());
  if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno == EEXIST || !means_no_nameless_files(errno)) throw_io(path_, "cannot create", errno);
  return false;
}

void PendingFile::copy_to_hidden(const std::string& folder) {
  const Descriptor from = std::move(open_);
  open_hidden(folder);
  std::vector<char> buffer(kCopyBytes);
  off_t offset = 0;
  while (true) {
    const ssize_t got = ::pread(from.get(), buffer.data(), buffer.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_io(path_, "cannot read", errno);
    if (got == 0) break;
    write_all(open_.get(), {buffer.data(), static_cast<std::size_t>(got)}, path_);
    offset += got;
  }
  sync();
}

void PendingFile::move_to(const std::string& name) {
  if (hidden_.name().empty()) {
    if (link(name)) {
      hidden_.moved(name);
      return;
    }
    copy_to_hidden(folder_of(name));
  }
  if (rename_new(hidden_.name().c_str(), name.c_str()) != 0) throw_io(path_, "cannot create", errno);
  hidden_.moved(name);
}

const std::string& PendingFile::stage() {
  const std::string folder = folder_of(target_);
  const std::string& now = hidden_.name();
  if (now.empty() || folder_of(now) != folder || !is_hidden_name(name_of(now)))
    move_to(joined(folder, hidden_name()));
  return hidden_.name();
}

void PendingFile::publish() {
  if (!stream_) {
    struct stat status {};
    const bool is_new = ::lstat(target_.c_str(), &status) != 0 && errno == ENOENT;
    const std::string self = descriptor_path(open_.get());
    // A new file needs no name in between.
    const bool linked = is_new && hidden_.name().empty() &&
                        ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (!linked && ::rename(stage().c_str(), target_.c_str()) != 0) throw_io(path_, "cannot create", errno);
    published();
  }
  const int closed = ::close(open_.release());
  if (closed != 0) throw_io(path_, "cannot close", errno);
}

void PendingFile::abandon() noexcept {
  open_.reset();
  hidden_.set("");
}

void PendingFile::published() noexcept {
  hidden_.moved("");
}

void check_output(const std::string& path) {
  struct stat status {};
  const std::optional<int> number = descriptor_named(path);
  if (number && ::fcntl(*number, F_GETFD) < 0) throw_io(path, "cannot write", errno);
  if (number) return;
  // To open a FIFO would wait for its reader.
  if (::stat(path.c_str(), &status) == 0 && is_stream(status.st_mode)) {
    if (::access(path.c_str(), W_OK) != 0) throw_io(path, "cannot write", errno);
    return;
  }
  const PendingFile probe(path);
}

}  // namespace firth::base
