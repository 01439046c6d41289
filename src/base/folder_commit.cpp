#include "base/folder_commit.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <set>
#include <vector>

#include "base/hidden_name.hpp"
#include "base/journal.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr std::size_t kMaxKept = 256;  // other files in a folder that are worth linking
constexpr int kMaxAttempts = 16;

std::vector<std::string> names_in(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), &::closedir);
  if (!open) throw_io(folder, "cannot list", errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Whether the folder itself may be replaced by another one.
bool may_be_exchanged(const std::string& folder) {
  struct stat own {};
  struct stat parent {};
  struct stat working {};
  if (::stat(folder.c_str(), &own) != 0 || ::stat(joined(folder, "..").c_str(), &parent) != 0) return false;
  if (own.st_dev != parent.st_dev || is_same(own, parent)) return false;  // a mount point, or the root
  if (::stat(".", &working) != 0 || is_same(own, working)) return false;
  // Rights that chmod does not know would be lost.
  return ::lgetxattr(folder.c_str(), "system.posix_acl_access", nullptr, 0) < 0 &&
         ::lgetxattr(folder.c_str(), "system.posix_acl_default", nullptr, 0) < 0;
}

bool copy_rights(const std::string& from, int to) {
  struct stat old {};
  struct stat own {};
  if (::stat(from.c_str(), &old) != 0 || ::fstat(to, &own) != 0) return false;
  const bool same_owner = old.st_uid == own.st_uid && old.st_gid == own.st_gid;
  return (same_owner || ::fchown(to, old.st_uid, old.st_gid) == 0) &&
         ::fchmod(to, old.st_mode & kModeBits) == 0;
}

/// Closes all files when an exception passes. File systems over a network, and FUSE, keep files that are removed while
/// they are open, and with them the folder that they are in.
class ClosedOnError {
 public:
  explicit ClosedOnError(std::span<PendingFile* const> files) : files_(files) {}
  ~ClosedOnError() {
    if (std::uncaught_exceptions() == before_) return;
    for (PendingFile* file : files_) file->abandon();
  }
  ClosedOnError(const ClosedOnError&) = delete;
  ClosedOnError& operator=(const ClosedOnError&) = delete;

 private:
  std::span<PendingFile* const> files_;
  int before_ = std::uncaught_exceptions();
};

/// One commit of one folder.
class FolderCommit {
 public:
  FolderCommit(const std::string& folder, std::span<PendingFile* const> files, const IsStale& is_stale)
      : folder_(folder), files_(files), is_stale_(is_stale) {
    for (const PendingFile* file : files) names_.insert(name_of(file->target()));
  }

  void run() {
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      target_ = resolve_links(folder_);
      if (!exists(target_)) {
        if (make()) return;
        continue;  // another process has made it meanwhile
      }
      const FolderLock lock(target_);
      finish_journal(target_);
      if (!exchange()) replace_in_place();
      remove_leftovers(target_);
      remove_leftovers(folder_of(target_));
      return;
    }
    throw_io(folder_, "cannot create", EBUSY);
  }

 private:
  bool is_replaced(const std::string& name) const {
    return names_.contains(name) || (is_stale_ && is_stale_(name));
  }

  void move_files_to(const std::string& folder) {
    for (PendingFile* file : files_) file->move_to(joined(folder, name_of(file->target())));
  }

  void all_published() {
    for (PendingFile* file : files_) file->published();
  }

  /// Makes the folder, and those above it that are missing, under a hidden name first.
  bool make() {
    const MissingPath missing = missing_part(target_);
    HiddenFolder hidden(missing.existing);
    const ClosedOnError files(files_);
    std::string inner = hidden.path();
    std::string rest = missing.rest;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      inner = joined(inner, rest.substr(0, end));
      rest.erase(0, std::min(end + 1, rest.size()));
      if (::mkdir(inner.c_str(), kFolderMode) != 0) throw_io(folder_, "cannot make the folder", errno);
    }
    move_files_to(inner);
    sync_folder(inner);
    const std::string name = joined(missing.existing, missing.first);
    sync_folder(hidden.path());
    if (!rename_folder(hidden.path(), name)) {
      for (PendingFile* file : files_) file->move_to(joined(missing.existing, hidden_name()));
      return false;
    }
    hidden.keep();
    all_published();
    sync_folder(missing.existing);
    remove_leftovers(missing.existing);
    return true;
  }

  /// False if there is something of the new name.
  bool rename_folder(const std::string& from, const std::string& to) const {
    int result = ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    if (result != 0 && (errno == EINVAL || errno == ENOSYS)) result = ::rename(from.c_str(), to.c_str());
    if (result == 0) return true;
    if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR) return false;
    throw_io(folder_, "cannot make the folder", errno);
  }

  /// False if it cannot be done here; the files may have hidden names then.
  bool exchange() {
    if (!may_be_exchanged(target_)) return false;
    const std::unique_ptr<HiddenFolder> hidden = make_beside();
    const ClosedOnError files(files_);
    if (!hidden || !copy_rights(target_, hidden->descriptor()) || !link_others(hidden->path())) return false;
    move_files_to(hidden->path());
    sync_folder(hidden->path());
    if (::renameat2(AT_FDCWD, hidden->path().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
      for (PendingFile* file : files_) file->stage();
      return false;
    }
    all_published();
    move_newcomers(hidden->path());
    sync_folder(folder_of(target_));
    return true;
  }

  /// Nothing where the folder above may not be written into.
  std::unique_ptr<HiddenFolder> make_beside() const {
    try {
      return std::make_unique<HiddenFolder>(folder_of(target_));
    } catch (const IoError& error) {
      if (error.error_number() == ENOSPC || error.error_number() == EDQUOT) throw;
      return nullptr;
    }
  }

  /// Links everything that is not part of the result into the new folder.
  bool link_others(const std::string& hidden) {
    for (const std::string& name : names_in(target_)) {
      if (is_replaced(name) || is_hidden_name(name)) continue;
      const bool linked = kept_.size() < kMaxKept && ::linkat(AT_FDCWD, joined(target_, name).c_str(),
                                                              AT_FDCWD, joined(hidden, name).c_str(), 0) == 0;
      if (!linked) return false;
      kept_.insert(name);
    }
    return true;
  }

  /// What somebody put into the old folder in the last moment goes to the new one.
  void move_newcomers(const std::string& old) const {
    for (const std::string& name : names_in(old)) {
      if (is_replaced(name) || kept_.contains(name)) continue;
      ::renameat2(AT_FDCWD, joined(old, name).c_str(), AT_FDCWD, joined(target_, name).c_str(),
                  RENAME_NOREPLACE);
    }
  }

  void replace_in_place() {
    Journal journal;
    for (PendingFile* file : files_)
      journal.renames.emplace_back(name_of(file->stage()), name_of(file->target()));
    for (const std::string& name : names_in(target_)) {
      if (!names_.contains(name) && is_stale_ && is_stale_(name)) journal.removals.push_back(name);
    }
    write_journal(target_, journal);
    all_published();  // whatever happens from here on, the journal has them
    finish_journal(target_);
  }

  const std::string& folder_;
  std::string target_;
  std::span<PendingFile* const> files_;
  const IsStale& is_stale_;
  std::set<std::string> names_;
  std::set<std::string> kept_;
};

/// Which files have these names; differs when a writer has committed in between.
class FolderState {
 public:
  FolderState(const std::string& folder, std::span<const std::string> names)
      : has_journal_(base::has_journal(folder)), files_(names.size()) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (::stat(joined(folder, names[i]).c_str(), &files_[i]) != 0) files_[i] = {};
  }

  bool operator==(const FolderState& other) const {
    const auto same_file = [](const struct stat& a, const struct stat& b) {
      return is_same(a, b) && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
             a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
    };
    return !has_journal_ && !other.has_journal_ &&
           std::equal(files_.begin(), files_.end(), other.files_.begin(), other.files_.end(), same_file);
  }

 private:
  bool has_journal_;
  std::vector<struct stat> files_;
};

}  // namespace

void commit_folder(const std::string& folder, std::span<PendingFile* const> files, const IsStale& is_stale) {
  FolderCommit(folder, files, is_stale).run();
}

void check_output_folder(const std::string& path) {
  if (path == "-") throw UsageError("a folder cannot go to standard output", "name a folder");
  const MissingPath missing = missing_part(resolve_links(path));
  if (!is_folder(missing.existing)) {
    const bool itself = missing.first.empty();
    throw_io(path, itself ? "a folder is needed, and this is a file" : "cannot make the folder", ENOTDIR);
  }
  try {
    const PendingFile probe(joined(missing.existing, hidden_name()));
  } catch (const IoError& error) {
    throw_io(path, missing.first.empty() ? "cannot write into the folder" : "cannot make the folder",
             error.error_number());
  }
}

void read_together(const std::string& folder, std::span<const std::string> names,
                   const std::function<void()>& read) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    settle_folder(folder);
    const FolderState before(folder, names);
    try {
      read();
      if (before == FolderState(folder, names)) return;
    } catch (const Error&) {
      if (before == FolderState(folder, names)) throw;
    }
  }
  throw_io(folder, "changes all the time, so it cannot be read", EBUSY);
}

}  // namespace firth::base
