#include "tagger/packed_file.hpp"

#include <zstd.h>

#include <cstring>

#include "firth/error.hpp"

namespace firth::tagger {
namespace {

constexpr int kLevel = 19;
/// No small model is larger: what says so is damaged.
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 32U;

}  // namespace

bool is_packed(std::span<const std::byte> file) {
  return file.size() >= kPackedFile.magic.size() &&
         std::memcmp(file.data(), kPackedFile.magic.data(), kPackedFile.magic.size()) == 0;
}

std::string compressed(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0)
    throw ResourceError("a small tagger cannot be compressed", "train a larger one");
  packed.resize(size);
  return packed;
}

std::string unpack(const std::string& path, std::span<const std::byte> file) {
  base::SectionReader sections(path, file, kPackedFile);
  const auto size = sections.take<std::uint64_t>(kPackedSize);
  const auto packed = sections.take<char>(kPackedBytes);
  sections.finish();
  const bool fits = size.size() == 1 && size[0] <= kMaxSize &&
                    ZSTD_getFrameContentSize(packed.data(), packed.size()) == size[0];
  if (!fits) sections.damaged("its size makes no sense");
  std::string bytes(size[0], '\0');
  if (ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size()) != size[0]) {
    sections.damaged("it cannot be decompressed");
  }
  return bytes;
}

}  // namespace firth::tagger
