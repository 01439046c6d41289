#include "base/temp_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr mode_t kPrivate = 0600;

[[noreturn]] void fail(const std::string& folder, const char* action) {
  const int error_number = errno;
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  throw IoError(folder, action, error_number,
                full ? "free some space, choose another folder for temporary files, or allow more memory"
                     : "choose another folder for temporary files");
}

// File systems without nameless files get a named one that loses its name at once.
int open_unlinked(const std::string& folder) {
  std::string name = folder + "/.firth-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

TempFile::TempFile(const std::string& folder) : folder_(folder.empty() ? P_tmpdir : folder) {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kPrivate);
  if (descriptor_ < 0) descriptor_ = open_unlinked(folder_);
  if (descriptor_ < 0) fail(folder_, "cannot create a temporary file");
}

TempFile::~TempFile() {
  ::close(descriptor_);
}

void TempFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(folder_, "cannot write a temporary file");
    }
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void TempFile::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      if (got == 0) errno = EIO;
      fail(folder_, "cannot read a temporary file");
    }
    offset += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

std::shared_ptr<const void> TempFile::map(std::uint64_t size) const {
  if (size == 0) return nullptr;
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (address == MAP_FAILED) fail(folder_, "cannot map a temporary file");
  return {address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); }};
}

std::shared_ptr<void> TempFile::map_writable(std::uint64_t size) const {
  // A file with holes would end the process when the disk is full, at some write to the mapping.
  const int error_number = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
  if (error_number != 0) {
    errno = error_number;
    fail(folder_, "cannot write a temporary file");
  }
  void* address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (address == MAP_FAILED) fail(folder_, "cannot map a temporary file");
  return {address, [size](void* mapped) { ::munmap(mapped, size); }};
}

}  // namespace firth::base
