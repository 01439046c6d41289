// The bytes of a file, decompressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "text/inputs.hpp"

namespace firth::text {

/// Bytes in order. read() gives up to `size` of them and 0 at the end; it throws IoError, or InputError for
/// damaged compressed data.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(char* data, std::size_t size) = 0;
};

/// A file as it is on disk, or a pipe. Reading throws Cancelled when the file's stop token says so.
class RawFile final : public ByteSource {
 public:
  explicit RawFile(const InputFile& file);
  ~RawFile() override;
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  std::size_t read(char* data, std::size_t size) override;
  const std::string& path() const noexcept { return path_; }
  /// Bytes read so far.
  std::uint64_t position() const noexcept { return position_; }

 private:
  void wait_for_bytes() const;

  std::string path_;
  std::shared_ptr<base::TempFile> spool_;
  std::stop_token stop_;
  bool may_wait_ = false;  // a pipe or a terminal
  int descriptor_ = -1;
  std::uint64_t position_ = 0;
};

/// What a file is wrapped in.
enum class Compression { none, gzip, zstd, xz };

/// Tells by the first bytes (6 are enough).
Compression detect_compression(const char* data, std::size_t size);

/// Opens a file and unwraps it if its content says that it is compressed.
class InputStream {
 public:
  explicit InputStream(const InputFile& file);

  /// As ByteSource::read.
  std::size_t read(char* data, std::size_t size) { return source_->read(data, size); }
  /// Bytes of the file on disk that were used so far.
  std::uint64_t position() const noexcept { return raw_->position(); }

 private:
  std::unique_ptr<RawFile> raw_;
  std::unique_ptr<ByteSource> source_;
};

/// Unwraps what `raw` gives; `begin` are bytes already taken from it. `compression` is not `none`.
std::unique_ptr<ByteSource> make_decompressor(Compression compression, RawFile& raw, std::string begin);

}  // namespace firth::text
