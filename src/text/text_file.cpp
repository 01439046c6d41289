#include "text/text_file.hpp"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <new>

#include "firth/files.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kOutputBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxDeflateBytes = std::size_t{1} << 30;  // zlib counts in 32 bits
using Buffer = std::array<char, kOutputBytes>;

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kWindowBits = 15 + 16;  // with a gzip header, which has no time in it
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindowBits, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  void add(std::string_view bytes, bool last, base::OutputFile& file) override {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      file.write(std::string_view(buffer_.data(), buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  Buffer buffer_{};
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    if (!context_) throw std::bad_alloc();
  }

  void add(std::string_view bytes, bool last, base::OutputFile& file) override {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // the only fault that is left
      file.write(std::string_view(buffer_.data(), out.pos));
      done = last ? left == 0 : in.pos == in.size;
    }
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_;
  Buffer buffer_{};
};

class XzCompressor final : public Compressor {
 public:
  XzCompressor() {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzCompressor() override { lzma_end(&stream_); }
  XzCompressor(const XzCompressor&) = delete;
  XzCompressor& operator=(const XzCompressor&) = delete;

  void add(std::string_view bytes, bool last, base::OutputFile& file) override {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    do {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer_.data());
      stream_.avail_out = buffer_.size();
      if (lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN) == LZMA_MEM_ERROR) throw std::bad_alloc();
      file.write(std::string_view(buffer_.data(), buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  Buffer buffer_{};
};

std::unique_ptr<Compressor> compressor_for(std::string_view path) {
  const std::string_view ending = compressed_ending(path);
  if (ending == ".gz") return std::make_unique<GzipCompressor>();
  if (ending == ".zst") return std::make_unique<ZstdCompressor>();
  if (ending == ".xz") return std::make_unique<XzCompressor>();
  return nullptr;
}

}  // namespace

TextFile::TextFile(const std::string& path) : file_(path), compressor_(compressor_for(path)) {}

void TextFile::write(std::string_view text) {
  if (!compressor_) return file_.write(text);
  while (!text.empty()) {
    const std::size_t size = std::min(text.size(), kMaxDeflateBytes);
    compressor_->add(text.substr(0, size), false, file_);
    text.remove_prefix(size);
  }
}

void TextFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void TextFile::commit() {
  if (compressor_) compressor_->add({}, true, file_);
  file_.commit();
}

}  // namespace firth::text

namespace firth {

void save_text(const std::string& path, std::string_view text) {
  text::TextFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace firth
