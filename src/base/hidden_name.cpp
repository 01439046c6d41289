#include "base/hidden_name.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>

#include "base/journal.hpp"

namespace firth::base {
namespace {

constexpr std::string_view kBegin = ".firth-";
constexpr std::string_view kEnd = ".part";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
constexpr std::size_t kRandomLetters = 12;

/// Not for secrets: another process must not meet the same name by chance, and nobody may place a link there
/// beforehand (files are made with O_EXCL anyway).
std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, GRND_NONBLOCK) == static_cast<ssize_t>(sizeof bits)) return bits;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) * 0x9e3779b97f4a7c15u ^ static_cast<std::uint64_t>(::getpid()) << 40;
}

/// The entries of a folder. Empty where it cannot be read.
class Listing {
 public:
  explicit Listing(Descriptor folder) : folder_(::fdopendir(folder.get())) {
    if (folder_ != nullptr) folder.release();
  }
  ~Listing() {
    if (folder_ != nullptr) ::closedir(folder_);
  }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;

  int descriptor() const { return ::dirfd(folder_); }
  const char* next() {
    while (const dirent* entry = folder_ == nullptr ? nullptr : ::readdir(folder_)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") return entry->d_name;
    }
    return nullptr;
  }

 private:
  DIR* folder_;
};

void remove_content(Descriptor folder) {
  Listing entries(std::move(folder));
  while (const char* const name = entries.next()) {
    const int parent = entries.descriptor();
    if (::unlinkat(parent, name, 0) == 0) continue;
    Descriptor inner(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!inner) continue;
    remove_content(std::move(inner));
    ::unlinkat(parent, name, AT_REMOVEDIR);
  }
}

void remove_leftover(int parent, const char* name) {
  Descriptor open(::openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!open || ::fstat(open.get(), &status) != 0 || status.st_uid != ::geteuid()) return;
  if (::flock(open.get(), LOCK_EX | LOCK_NB) != 0) return;  // somebody is at work on it
  if (S_ISREG(status.st_mode)) ::unlinkat(parent, name, 0);
  if (!S_ISDIR(status.st_mode)) return;
  remove_content(Descriptor(::fcntl(open.get(), F_DUPFD_CLOEXEC, 0)));
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

}  // namespace

std::string hidden_name() {
  std::string name(kBegin);
  std::uint64_t bits = random_bits();
  for (std::size_t i = 0; i < kRandomLetters; ++i, bits >>= 5) name += kLetters[bits % kLetters.size()];
  return name.append(kEnd);
}

bool is_hidden_name(std::string_view name) {
  if (name.size() != kBegin.size() + kRandomLetters + kEnd.size()) return false;
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return false;
  const std::string_view letters = name.substr(kBegin.size(), kRandomLetters);
  return letters.find_first_not_of(kLetters) == std::string_view::npos;
}

bool hold(int descriptor) noexcept {
  // Where locks are not to be had, leftovers stay, and so does this one.
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

void remove_leftovers(const std::string& folder) noexcept {
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open || has_journal(folder)) return;  // a journal still needs its files
  Listing entries(std::move(open));
  while (const char* const name = entries.next()) {
    if (is_hidden_name(name)) remove_leftover(entries.descriptor(), name);
  }
}

void remove_tree(const std::string& folder) noexcept {
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!open) return;
  remove_content(std::move(open));
  ::rmdir(folder.c_str());
}

HiddenFolder::HiddenFolder(const std::string& parent) {
  while (!open_) {
    path_ = joined(parent, hidden_name());
    if (::mkdir(path_.c_str(), kFolderMode) != 0) {
      const int error_number = errno;
      path_.clear();
      if (error_number == EEXIST) continue;
      throw_io(parent, "cannot make a folder", error_number);
    }
    open_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!open_ && errno != ENOENT) {
      const int error_number = errno;
      ::rmdir(path_.c_str());
      throw_io(parent, "cannot make a folder", error_number);
    }
    if (open_ && !hold(open_.get())) open_.reset();
  }
}

HiddenFolder::~HiddenFolder() {
  if (path_.empty()) return;
  open_
      .reset();  // there may be no other descriptor to be had; and the name may stand for another folder by now
  remove_tree(path_);
}

}  // namespace firth::base
