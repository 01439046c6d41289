#include "text/whole_file.hpp"

#include <fmt/format.h>

#include "firth/error.hpp"
#include "firth/printable.hpp"
#include "text/block_reader.hpp"
#include "text/byte_source.hpp"

namespace firth::text {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
// Text and numbers shrink to a tenth or a fiftieth; what shrinks more says the same again and again.
constexpr std::uint64_t kSmallBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxGrowth = 200;

void check_size(const InputFile& file, std::uint64_t bytes, std::uint64_t bytes_on_disk,
                const RunOptions& run) {
  if (run.memory_bytes > 0 && bytes > run.memory_bytes / 2) {
    throw ResourceError(fmt::format("{} does not fit the memory limit", display_name(file.path)),
                        "allow more memory, or give the file without compression");
  }
  if (bytes > kSmallBytes && bytes / kMaxGrowth > bytes_on_disk) {
    throw InputError(
        {display_name(file.path)},
        fmt::format("more than {} in {} of compressed data", memory_text(bytes), memory_text(bytes_on_disk)),
        "if this is meant to be so, give the file without compression");
  }
}

}  // namespace

std::string read_whole(const InputFile& file, const RunOptions& run) {
  InputStream stream(file);
  std::string bytes;
  for (;;) {
    run.check_stop();
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunkBytes);
    const std::size_t got = stream.read(bytes.data() + before, kChunkBytes);
    bytes.resize(before + got);
    if (got == 0) return bytes;
    check_size(file, bytes.size(), stream.position(), run);
  }
}

std::string read_whole_text(const InputFile& file, const RunOptions& run) {
  BlockReader reader({file}, {.cut = CutAt::line, .invalid_utf8 = InvalidUtf8::replace});
  std::string bytes;
  for (Block block; reader.next(block);) {
    run.check_stop();
    refuse_nul_bytes(block);
    bytes += block.text();
    check_size(file, bytes.size(), reader.bytes_done(), run);
  }
  return bytes;
}

}  // namespace firth::text
