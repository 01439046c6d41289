#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "firth/error.hpp"

namespace firth::base {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr mode_t kFileMode = 0666;

std::string folder_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string hidden_name(const std::string& path, int attempt) {
  const std::filesystem::path whole(path);
  const std::string name =
      fmt::format(".{}.{}-{}.part", whole.filename().string(), static_cast<long>(::getpid()), attempt);
  return (std::filesystem::path(folder_of(path)) / name).string();
}

const char* hint_for(int error_number) {
  if (error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG) {
    return "free some space or write somewhere else";
  }
  return "";
}

[[noreturn]] void fail(const std::string& path, const char* action) {
  const int error_number = errno;
  throw IoError(path, action, error_number, hint_for(error_number));
}

void write_all(int descriptor, const char* data, std::size_t size, const std::string& path) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(path, "cannot write");
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (std::filesystem::is_directory(path_)) throw IoError(path_, "cannot write", EISDIR);
  descriptor_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kFileMode);
  if (descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT)) {
    temporary_name_ = hidden_name(path_, 0);
    descriptor_ = ::open(temporary_name_.c_str(), O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, kFileMode);
    if (descriptor_ < 0) temporary_name_.clear();
  }
  if (descriptor_ < 0) fail(path_, "cannot create");
  buffer_.reserve(kBufferBytes);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_name_(std::exchange(other.temporary_name_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_),
      buffer_(std::move(other.buffer_)) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_name_.empty()) ::unlink(temporary_name_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  position_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    write_all(descriptor_, bytes.data(), bytes.size(), path_);
  } else {
    buffer_ += bytes;
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void OutputFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail(path_, "cannot write");
    }
    done += static_cast<std::size_t>(written);
  }
}

void OutputFile::flush() {
  write_all(descriptor_, buffer_.data(), buffer_.size(), path_);
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  if (::fsync(descriptor_) != 0) fail(path_, "cannot sync");
  for (int attempt = 0; temporary_name_.empty(); ++attempt) {
    // A nameless file can only be linked to a new name; the rename after it replaces an old file at once.
    const std::string name = hidden_name(path_, attempt);
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_name_ = name;
    } else if (errno != EEXIST) {
      fail(path_, "cannot create");
    }
  }
  if (::rename(temporary_name_.c_str(), path_.c_str()) != 0) fail(path_, "cannot create");
  temporary_name_.clear();
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0) fail(path_, "cannot close");
}

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot open");
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    const int error_number = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    ::close(descriptor);
    throw IoError(path, "cannot map", error_number);
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED) {
      const int error_number = errno;
      ::close(descriptor);
      throw IoError(path, "cannot map", error_number);
    }
    data_ = static_cast<const std::byte*>(address);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace firth::base
