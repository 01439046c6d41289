// A file for bytes that only a path can be given for.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace firth::fuzz {

/// A file for all runs of this process, in memory where the system allows.
class Scratch {
 public:
  Scratch() : file_(::mkstemp(path_.data())) {}
  ~Scratch() {
    ::close(file_);
    ::unlink(path_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& write(std::string_view bytes) const {
    // The file stays open, since to open it takes longer than to read most inputs; unless it was replaced.
    struct stat status = {};
    if (::fstat(file_, &status) != 0 || status.st_nlink == 0) {
      open_again();
      ::fstat(file_, &status);
    }
    const auto size = static_cast<off_t>(bytes.size());
    const bool written =
        ::pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
        (status.st_size <= size || ::ftruncate(file_, size) == 0);
    if (!written) std::abort();
    return path_;
  }
  const std::string& path() const { return path_; }

 private:
  void open_again() const {
    ::close(file_);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  }

  std::string path_ =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + std::string("/firth-fuzz-XXXXXX");
  mutable int file_;
};

/// A folder for all runs of this process.
class ScratchFolder {
 public:
  ScratchFolder() { std::filesystem::create_directory(path_); }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  void write(std::string_view name, std::string_view bytes) const {
    const std::string file = path_ + '/' + std::string(name);
    const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (::write(out, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
    ::close(out);
  }
  const std::string& path() const { return path_; }

 private:
  Scratch file_;  // whose name nobody else has
  std::string path_ = file_.path() + ".folder";
};

}  // namespace firth::fuzz
