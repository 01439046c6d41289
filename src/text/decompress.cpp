#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "firth/error.hpp"
#include "text/byte_source.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kCompressedBytes = std::size_t{1} << 17;
// xz files made with the usual presets need at most 65 MiB; a hostile one may ask for 4 GiB.
constexpr std::uint64_t kXzMemoryBytes = std::uint64_t{1} << 30;

// Compressed bytes, refilled from the file.
class Feed {
 public:
  Feed(RawSource& raw, std::string begin) : raw_(raw), buffer_(std::move(begin)), size_(buffer_.size()) {
    buffer_.resize(std::max(kCompressedBytes, buffer_.size()));
  }

  /// Makes sure that there are bytes unless the file is at its end.
  void refill() {
    if (used_ < size_ || at_end_) return;
    used_ = 0;
    size_ = raw_.read(buffer_.data(), buffer_.size());
    at_end_ = size_ == 0;
  }

  char* data() { return buffer_.data() + used_; }
  std::size_t size() const { return size_ - used_; }
  void use(std::size_t bytes) { used_ += bytes; }
  bool at_end() const { return at_end_; }

  [[noreturn]] void truncated(const char* format) const {
    throw InputError({raw_.name()}, std::string("the ") + format + " data ends too early",
                     "the file is truncated; copy or make it again");
  }

  [[noreturn]] void damaged(const char* format, const std::string& details) const {
    throw InputError({raw_.name()}, std::string("damaged ") + format + " data (" + details + ")",
                     "copy or make the file again");
  }

 private:
  RawSource& raw_;
  std::string buffer_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;
  bool at_end_ = false;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(RawSource& raw, std::string begin) : feed_(raw, std::move(begin)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* data, std::size_t size) override {
    const std::size_t wanted = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(data);
    stream_.avail_out = static_cast<uInt>(wanted);
    while (stream_.avail_out > 0) {
      feed_.refill();
      if (between_members_ && !start_member()) break;
      if (feed_.at_end()) feed_.truncated("gzip");
      step();
    }
    return wanted - stream_.avail_out;
  }

 private:
  // Zeros after the last member are padding (tapes, some tools); anything else must be a new member.
  bool start_member() {
    while (!feed_.at_end() && *feed_.data() == '\0') {
      feed_.use(1);
      feed_.refill();
    }
    if (feed_.at_end()) return false;
    inflateReset(&stream_);
    between_members_ = false;
    return true;
  }

  void step() {
    const std::size_t offered = feed_.size();
    stream_.next_in = reinterpret_cast<Bytef*>(feed_.data());
    stream_.avail_in = static_cast<uInt>(offered);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    feed_.use(offered - stream_.avail_in);
    if (status == Z_STREAM_END) {
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      feed_.damaged("gzip", stream_.msg != nullptr ? stream_.msg : "not gzip");
    }
  }

  Feed feed_;
  z_stream stream_ = {};
  bool between_members_ = false;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(RawSource& raw, std::string begin)
      : feed_(raw, std::move(begin)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  std::size_t read(char* data, std::size_t size) override {
    ZSTD_outBuffer out{data, size, 0};
    while (out.pos < out.size) {
      feed_.refill();
      if (feed_.at_end() && frame_done_) break;
      ZSTD_inBuffer in{feed_.data(), feed_.size(), 0};
      const std::size_t before = out.pos;
      const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
      feed_.use(in.pos);
      if (ZSTD_isError(status) != 0) feed_.damaged("zstd", ZSTD_getErrorName(status));
      // A new frame begins with the first byte after the old one.
      if (in.pos > 0 || out.pos > before) frame_done_ = status == 0;
      if (feed_.at_end() && out.pos == before && !frame_done_) feed_.truncated("zstd");
    }
    return out.pos;
  }

 private:
  Feed feed_;
  ZSTD_DStream* stream_;
  bool frame_done_ = false;
};

class XzSource final : public ByteSource {
 public:
  XzSource(RawSource& raw, std::string begin) : feed_(raw, std::move(begin)) {
    if (lzma_stream_decoder(&stream_, kXzMemoryBytes, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(char* data, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(data);
    stream_.avail_out = size;
    while (stream_.avail_out > 0 && !done_) {
      feed_.refill();
      const std::size_t offered = feed_.size();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(feed_.data());
      stream_.avail_in = offered;
      const lzma_ret status = lzma_code(&stream_, feed_.at_end() ? LZMA_FINISH : LZMA_RUN);
      feed_.use(offered - stream_.avail_in);
      check(status);
    }
    return size - stream_.avail_out;
  }

 private:
  void check(lzma_ret status) {
    if (status == LZMA_OK) return;
    if (status == LZMA_STREAM_END) {
      done_ = true;
    } else if (status == LZMA_BUF_ERROR) {
      feed_.truncated("xz");
    } else if (status == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status == LZMA_MEMLIMIT_ERROR) {
      feed_.damaged("xz", "its dictionary is beyond 1 GiB");
    } else {
      feed_.damaged("xz", "the checks do not fit");
    }
  }

  Feed feed_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> make_decompressor(Compression compression, RawSource& raw, std::string begin) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipSource>(raw, std::move(begin));
    case Compression::zstd:
      return std::make_unique<ZstdSource>(raw, std::move(begin));
    case Compression::xz:
    case Compression::none:
      break;
  }
  return std::make_unique<XzSource>(raw, std::move(begin));
}

}  // namespace firth::text
