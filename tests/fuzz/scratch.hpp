// A file for bytes that only a path can be given for.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace firth::fuzz {

/// A file for all runs of this process, in memory where the system allows.
class Scratch {
 public:
  Scratch() { ::close(::mkstemp(path_.data())); }
  ~Scratch() { ::unlink(path_.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_ =
      (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + std::string("/firth-fuzz-XXXXXX");
};

}  // namespace firth::fuzz
