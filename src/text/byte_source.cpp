#include "text/byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "firth/error.hpp"
#include "text/decoder.hpp"
#include "text/first_lines.hpp"
#include "text/line_walk.hpp"
#include "text/memory_input.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kMagicBytes = 6;

// Bytes that were read for detection, then the rest of the file.
class Prefixed final : public ByteSource {
 public:
  Prefixed(std::string begin, RawSource& raw) : begin_(std::move(begin)), raw_(raw) {}

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
  RawSource& raw_;
};

// A file with a name, standard input, or a pipe.
class FileSource final : public RawSource {
 public:
  explicit FileSource(const InputFile& file)
      : RawSource(display_name(file.path)), stop_(file.stop), may_wait_(!file.rereadable) {
    const bool standard_input = file.path == kStandardInput;
    descriptor_ = standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                 : ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw IoError(name(), "cannot open", errno);
    if (file.is_part()) {
      left_ = file.size;
      if (::lseek(descriptor_, static_cast<off_t>(file.begin), SEEK_SET) < 0) {
        throw IoError(name(), "cannot read", errno);
      }
    }
#ifdef POSIX_FADV_SEQUENTIAL
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
  }
  ~FileSource() override {
    ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  bool would_wait() const override {
    pollfd waiting{descriptor_, POLLIN, 0};
    return may_wait_ && ::poll(&waiting, 1, 0) == 0;
  }

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    if (may_wait_) wait_for_bytes();
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
    for (;;) {
      const ssize_t got = ::read(descriptor_, data, size);
      if (got >= 0) {
        left_ -= static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) throw IoError(name(), "cannot read", errno);
    }
  }

 private:
  // A blocked read cannot be stopped, so pipes are asked first. The signal that asks us to stop may end the
  // poll before the stop token says so: it is asked again.
  void wait_for_bytes() const {
    constexpr int kMilliseconds = 100;
    pollfd waiting{descriptor_, POLLIN, 0};
    for (;;) {
      const int ready = ::poll(&waiting, 1, kMilliseconds);
      if (stop_.stop_requested()) throw Cancelled();
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    }
  }

  std::stop_token stop_;
  bool may_wait_ = false;  // a pipe or a terminal
  int descriptor_ = -1;
  std::uint64_t left_ = std::numeric_limits<std::uint64_t>::max();  // bytes to read, at most
};

// A copy of what could be read only once.
class SpooledSource final : public RawSource {
 public:
  explicit SpooledSource(const InputFile& file) : RawSource(display_name(file.path)), spool_(file.spool) {}

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::pread(spool_->descriptor(), data, size, static_cast<off_t>(position()));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw IoError(name(), "cannot read", errno);
    }
  }

 private:
  std::shared_ptr<base::TempFile> spool_;
};

// Standard input and other pipes that were read ahead. They are kept open, because they cannot be opened again.
class PipesAhead {
 public:
  struct Pipe {
    std::unique_ptr<RawSource> rest;
    std::string bytes;
  };

  static PipesAhead& all() {
    static PipesAhead pipes;
    return pipes;
  }

  std::optional<Pipe> take(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto found = pipes_.find(path);
    if (found == pipes_.end()) return std::nullopt;
    Pipe pipe = std::move(found->second);
    pipes_.erase(found);
    return pipe;
  }

  void keep(const std::string& path, Pipe pipe) {
    const std::lock_guard lock(mutex_);
    pipes_[path] = std::move(pipe);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Pipe> pipes_;
};

// What was read ahead, then the rest of the pipe.
class PipeSource final : public RawSource {
 public:
  PipeSource(const InputFile& file, PipesAhead::Pipe pipe)
      : RawSource(display_name(file.path)), pipe_(std::move(pipe)) {}

  bool would_wait() const override { return position() >= pipe_.bytes.size() && pipe_.rest->would_wait(); }

 protected:
  std::size_t read_some(char* data, std::size_t size) override {
    if (position() >= pipe_.bytes.size()) return pipe_.rest->read(data, size);
    return pipe_.bytes.copy(data, size, static_cast<std::size_t>(position()));
  }

 private:
  PipesAhead::Pipe pipe_;
};

std::unique_ptr<RawSource> open_file(const InputFile& file) {
  if (!file.rereadable) {
    if (auto pipe = PipesAhead::all().take(file.path)) {
      pipe->rest->stop_with(file.stop);
      return std::make_unique<PipeSource>(file, *std::move(pipe));
    }
  }
  return std::make_unique<FileSource>(file);
}

/// Fewer than `size` bytes at the end of the file, or if that is a line which somebody wants an answer to.
std::string take_begin(RawSource& source, std::size_t size) {
  std::string begin(size, '\0');
  std::size_t filled = 0;
  const auto is_line = [&] { return filled > 0 && begin[filled - 1] == '\n'; };
  while (filled < size && !(is_line() && source.would_wait())) {
    const std::size_t got = source.read(begin.data() + filled, size - filled);
    if (got == 0) break;
    filled += got;
  }
  begin.resize(filled);
  return begin;
}

}  // namespace

std::unique_ptr<RawSource> open_raw(const InputFile& file) {
  std::unique_ptr<RawSource> source;
  if (file.spool != nullptr) {
    source = std::make_unique<SpooledSource>(file);
  } else if (file.memory != nullptr) {
    source = file.memory->open();
  } else {
    source = open_file(file);
  }
  source->stop_with(file.stop);
  return source;
}

Compression detect_compression(const char* data, std::size_t size) {
  const std::string_view begin(data, size);
  if (begin.starts_with("\x1f\x8b")) return Compression::gzip;
  if (begin.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  // A frame of zstd to be skipped, which parallel compressors put first.
  const bool skippable =
      begin.size() >= 4 && (begin[0] & '\xf0') == '\x50' && begin.substr(1, 3) == "\x2a\x4d\x18";
  if (skippable) return Compression::zstd;
  if (begin.starts_with(std::string_view("\xfd"
                                         "7zXZ\0",
                                         kMagicBytes)))
    return Compression::xz;
  return Compression::none;
}

std::string read_ahead(const InputFile& file, std::size_t size,
                       const std::function<bool(std::string_view)>& is_enough) {
  std::unique_ptr<RawSource> rest = open_raw(file);
  std::string bytes;
  const auto is_done = [&] {
    return bytes.size() >= kMagicBytes &&
           detect_compression(bytes.data(), bytes.size()) == Compression::none && is_enough(bytes);
  };
  while (bytes.size() < size && !is_done()) {
    const std::size_t before = bytes.size();
    bytes.resize(size);
    bytes.resize(before + rest->read(bytes.data() + before, size - before));
    if (bytes.size() == before) break;
  }
  PipesAhead::Pipe pipe{std::move(rest), bytes};
  if (file.memory != nullptr)
    file.memory->put_back(std::make_unique<PipeSource>(file, std::move(pipe)));
  else
    PipesAhead::all().keep(file.path, std::move(pipe));
  return bytes;
}

std::string first_bytes(const std::string& path, std::size_t size) {
  InputFile file;
  file.path = path;
  return take_begin(*open_raw(file), size);
}

InputStream::InputStream(const InputFile& file) : raw_(open_raw(file)) {
  std::string begin = take_begin(*raw_, kMagicBytes);
  const Compression compression =
      file.is_tokens() || file.is_part() ? Compression::none : detect_compression(begin.data(), begin.size());
  if (compression == Compression::none) {
    source_ = std::make_unique<Prefixed>(std::move(begin), *raw_);
  } else {
    source_ = make_decompressor(compression, *raw_, std::move(begin));
  }
  if (!file.encoding.empty()) source_ = make_decoder(file.encoding, std::move(source_));
}

}  // namespace firth::text
