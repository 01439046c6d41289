#include "text/read_whole.hpp"

#include "text/block_reader.hpp"

namespace firth::text {

std::string read_whole(const InputFile& file) {
  BlockReader reader({file}, {.cut = CutAt::line, .invalid_utf8 = InvalidUtf8::replace});
  std::string bytes;
  for (Block block; reader.next(block);) {
    refuse_nul_bytes(block);
    bytes += block.text();
  }
  return bytes;
}

}  // namespace firth::text
