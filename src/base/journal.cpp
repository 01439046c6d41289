#include "base/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "base/files.hpp"
#include "base/hidden_name.hpp"
#include "base/pending_file.hpp"
#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr std::string_view kJournal = ".firth-journal";
constexpr std::string_view kRename = "rename";
constexpr std::string_view kRemove = "remove";

/// A journal reaches no farther than its folder.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos;
}

std::string_view take(std::string_view& rest, char end) {
  const std::size_t at = std::min(rest.find(end), rest.size());
  const std::string_view field = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return field;
}

/// In a folder that everybody may write into, a stranger could have files renamed and removed.
void check_owner(const std::string& folder, const std::string& path) {
  struct stat journal {};
  struct stat place {};
  if (::lstat(path.c_str(), &journal) != 0 || ::stat(folder.c_str(), &place) != 0) return;
  if (S_ISREG(journal.st_mode) && (journal.st_uid == ::geteuid() || journal.st_uid == place.st_uid)) return;
  throw FormatError(path, "somebody else left the journal of an interrupted write here",
                    "its owner can finish the write by reading the folder; otherwise remove the journal");
}

Journal read_journal(const std::string& path) {
  const MappedFile file(path);
  std::string_view rest(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  Journal journal;
  while (!rest.empty()) {
    std::string_view line = take(rest, '\n');
    const std::string_view verb = take(line, '\t');
    const std::string_view first = take(line, '\t');
    const bool renames = verb == kRename && is_hidden_name(first) && is_plain_name(line);
    if (!renames && !(verb == kRemove && is_plain_name(first)))
      throw FormatError(path, "the journal is damaged", "remove it, and make the result again");
    if (renames)
      journal.renames.emplace_back(first, line);
    else
      journal.removals.emplace_back(first);
  }
  return journal;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  while (true) {
    open_ = Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!open_) throw_io(folder, "cannot open", errno);
    while (::flock(open_.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    // Whoever had the lock may have put another folder in its place.
    struct stat locked {};
    struct stat named {};
    if (::fstat(open_.get(), &locked) != 0 || ::stat(folder.c_str(), &named) != 0)
      throw_io(folder, "cannot open", errno);
    if (locked.st_dev == named.st_dev && locked.st_ino == named.st_ino) return;
  }
}

bool has_journal(const std::string& folder) {
  return is_regular_file(joined(folder, kJournal));
}

void write_journal(const std::string& folder, const Journal& journal) {
  PendingFile file(joined(folder, kJournal));
  for (const auto& [hidden, name] : journal.renames)
    write_all(file.descriptor(), fmt::format("{}\t{}\t{}\n", kRename, hidden, name), file.path());
  for (const std::string& name : journal.removals)
    write_all(file.descriptor(), fmt::format("{}\t{}\n", kRemove, name), file.path());
  file.sync();
  sync_folder(folder);
  file.publish();
  sync_folder(folder);
}

void finish_journal(const std::string& folder) {
  if (!has_journal(folder)) return;
  const std::string path = joined(folder, kJournal);
  check_owner(folder, path);
  const Journal journal = read_journal(path);
  constexpr const char* kAction = "cannot finish an interrupted write";
  for (const auto& [hidden, name] : journal.renames) {
    if (::rename(joined(folder, hidden).c_str(), joined(folder, name).c_str()) != 0 && errno != ENOENT)
      throw_io(joined(folder, name), kAction, errno);
  }
  for (const std::string& name : journal.removals) {
    if (::unlink(joined(folder, name).c_str()) != 0 && errno != ENOENT)
      throw_io(joined(folder, name), kAction, errno);
  }
  sync_folder(folder);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw_io(path, kAction, errno);
  sync_folder(folder);
}

void settle_folder(const std::string& folder) {
  if (!has_journal(folder)) return;
  const FolderLock lock(folder);
  finish_journal(folder);
}

}  // namespace firth::base
