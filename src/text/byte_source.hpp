// The bytes of a file, decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "firth/error.hpp"
#include "text/inputs.hpp"

namespace firth::text {

/// Bytes in order. read() gives up to `size` of them and 0 at the end; it throws IoError, or InputError for
/// damaged compressed data.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(char* data, std::size_t size) = 0;
};

/// Bytes before they are decompressed.
class RawSource : public ByteSource {
 public:
  explicit RawSource(std::string name) : name_(std::move(name)) {}

  /// Throws Cancelled after a stop was requested.
  std::size_t read(char* data, std::size_t size) final {
    if (stop_.stop_requested()) throw Cancelled();
    const std::size_t got = read_some(data, size);
    position_ += got;
    return got;
  }
  void stop_with(std::stop_token stop) { stop_ = std::move(stop); }
  /// How messages name it.
  const std::string& name() const noexcept { return name_; }
  /// Bytes read so far.
  std::uint64_t position() const noexcept { return position_; }
  /// Whether the next read would wait for somebody to write: a pipe or a terminal that has nothing right now.
  virtual bool would_wait() const { return false; }

 protected:
  virtual std::size_t read_some(char* data, std::size_t size) = 0;

 private:
  std::string name_;
  std::stop_token stop_;
  std::uint64_t position_ = 0;
};

/// The file, pipe or piece of memory itself; it stops with the file's stop token.
std::unique_ptr<RawSource> open_raw(const InputFile& file);

/// The first `size` bytes of a file as it is on disk, fewer if it is shorter.
std::string first_bytes(const std::string& path, std::size_t size);

/// What a file is wrapped in.
enum class Compression { none, gzip, zstd, xz };

/// Tells by the first bytes (6 are enough).
Compression detect_compression(const char* data, std::size_t size);

/// Opens a file and unwraps it if its content says that it is compressed; tokens from memory are not. Text in
/// another encoding becomes UTF-8.
class InputStream {
 public:
  explicit InputStream(const InputFile& file);

  /// As ByteSource::read.
  std::size_t read(char* data, std::size_t size) { return source_->read(data, size); }
  /// Bytes of the file on disk that were used so far.
  std::uint64_t position() const noexcept { return raw_->position(); }
  /// As RawSource::would_wait(); something may still be on its way through a decompressor.
  bool would_wait() const { return raw_->would_wait(); }

 private:
  std::unique_ptr<RawSource> raw_;
  std::unique_ptr<ByteSource> source_;
};

/// Unwraps what `raw` gives; `begin` are bytes already taken from it. `compression` is not `none`.
std::unique_ptr<ByteSource> make_decompressor(Compression compression, RawSource& raw, std::string begin);

}  // namespace firth::text
