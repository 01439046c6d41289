#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/files.hpp"
#include "firth/error.hpp"
#include "firth/files.hpp"

namespace firth {
namespace base {
namespace {

/// The files that are mapped now, for signal handlers, which may take no lock.
constexpr std::size_t kMaxListed = 4096;
std::array<std::atomic<const MappedFile*>, kMaxListed> listed;

void replace_listed(const MappedFile* old, const MappedFile* now) {
  for (auto& place : listed) {
    const MappedFile* expected = old;
    if (place.compare_exchange_strong(expected, now)) return;
  }
}

std::int64_t modified_ns(const struct stat& status) {
  return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

void put(const char* text, std::size_t bytes) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, bytes);
}

void put(const char* text) {
  put(text, std::strlen(text));
}

/// Names come from the user; what could move the cursor does not go to the terminal.
void put_name(const char* name) {
  for (; *name != '\0'; ++name) {
    const auto byte = static_cast<unsigned char>(*name);
    const auto next = static_cast<unsigned char>(name[1]);
    const bool is_c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;  // U+0080 to U+009F
    put(byte < 0x20 || byte == 0x7f || is_c1 ? "?" : name, 1);
    if (is_c1) ++name;
  }
}

/// The folder of classes that lies beside a model is named instead of it by people in a hurry.
[[noreturn]] void refuse_folder(const std::string& path) {
  const bool has_classes =
      ::access((path + "/paths").c_str(), F_OK) == 0 || ::access((path + "/classes.tsv").c_str(), F_OK) == 0;
  throw InputError({path},
                   has_classes ? "this is a folder of classes, not a file" : "this is a folder, not a file",
                   "name the file of a model or of counts");
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const Descriptor open(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open) throw_io(path, "cannot open", errno);
  struct stat status {};
  if (::fstat(open.get(), &status) != 0) throw_io(path, "cannot map", errno);
  if (S_ISDIR(status.st_mode)) refuse_folder(path);
  if (!S_ISREG(status.st_mode))
    throw InputError({path}, "models and count files cannot come from a pipe", "save it in a file first");
  size_ = static_cast<std::size_t>(status.st_size);
  inode_ = status.st_ino;
  modified_ns_ = modified_ns(status);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, open.get(), 0);
  if (address == MAP_FAILED) throw_io(path, "cannot map", errno);
  data_ = static_cast<const std::byte*>(address);
  replace_listed(nullptr, this);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  replace_listed(this, nullptr);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

bool MappedFile::has_changed() const noexcept {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0 || status.st_ino != inode_)
    return false;  // replaced: ours is whole
  return static_cast<std::size_t>(status.st_size) != size_ || modified_ns(status) != modified_ns_;
}

}  // namespace base

const char* changed_mapped_file(const void* address) noexcept {
  const auto* const at = static_cast<const std::byte*>(address);
  const char* changed = nullptr;
  for (const auto& place : base::listed) {
    const base::MappedFile* const file = place.load();
    if (file == nullptr) continue;
    const std::byte* const begin = file->bytes().data();
    if (at >= begin && at < begin + file->bytes().size()) return file->path().c_str();
    if (changed == nullptr && file->has_changed()) changed = file->path().c_str();
  }
  return changed;
}

bool report_changed_file(const char* program, const void* address) noexcept {
  const char* const file = changed_mapped_file(address);
  if (file == nullptr) return false;
  base::put("\n");
  base::put(program);
  base::put(": error: ");
  base::put_name(file);
  base::put(": the file changed while it was read; run again when nobody writes to it\n");
  return true;
}

}  // namespace firth
