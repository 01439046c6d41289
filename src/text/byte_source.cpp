#include "text/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "firth/error.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kMagicBytes = 6;

// Bytes that were read for detection, then the rest of the file.
class Prefixed final : public ByteSource {
 public:
  Prefixed(std::string begin, RawFile& raw) : begin_(std::move(begin)), raw_(raw) {}

  std::size_t read(char* data, std::size_t size) override {
    if (used_ == begin_.size()) return raw_.read(data, size);
    const std::size_t got = std::min(size, begin_.size() - used_);
    std::memcpy(data, begin_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  std::string begin_;
  std::size_t used_ = 0;
  RawFile& raw_;
};

}  // namespace

RawFile::RawFile(const InputFile& file)
    : path_(display_name(file.path)), spool_(file.spool), stop_(file.stop), may_wait_(!file.regular) {
  if (spool_ != nullptr) return;
  const bool standard_input = file.path == kStandardInput;
  descriptor_ = standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw IoError(path_, "cannot open", errno);
#ifdef POSIX_FADV_SEQUENTIAL
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

RawFile::~RawFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A blocked read cannot be stopped, so pipes are asked first. The signal that asks us to stop may end the
// poll before the stop token says so: it is asked again.
void RawFile::wait_for_bytes() const {
  constexpr int kMilliseconds = 100;
  pollfd waiting{descriptor_, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&waiting, 1, kMilliseconds);
    if (stop_.stop_requested()) throw Cancelled();
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

std::size_t RawFile::read(char* data, std::size_t size) {
  if (may_wait_ && spool_ == nullptr) wait_for_bytes();
  for (;;) {
    const ssize_t got = spool_ != nullptr
                            ? ::pread(spool_->descriptor(), data, size, static_cast<off_t>(position_))
                            : ::read(descriptor_, data, size);
    if (got >= 0) {
      position_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) throw IoError(path_, "cannot read", errno);
  }
}

Compression detect_compression(const char* data, std::size_t size) {
  const std::string_view begin(data, size);
  if (begin.starts_with("\x1f\x8b")) return Compression::gzip;
  if (begin.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  if (begin.starts_with(std::string_view("\xfd"
                                         "7zXZ\0",
                                         kMagicBytes)))
    return Compression::xz;
  return Compression::none;
}

InputStream::InputStream(const InputFile& file) : raw_(std::make_unique<RawFile>(file)) {
  std::string begin(kMagicBytes, '\0');
  std::size_t filled = 0;
  while (filled < kMagicBytes) {
    const std::size_t got = raw_->read(begin.data() + filled, kMagicBytes - filled);
    if (got == 0) break;
    filled += got;
  }
  begin.resize(filled);
  const Compression compression = detect_compression(begin.data(), begin.size());
  if (compression == Compression::none) {
    source_ = std::make_unique<Prefixed>(std::move(begin), *raw_);
  } else {
    source_ = make_decompressor(compression, *raw_, std::move(begin));
  }
}

}  // namespace firth::text
