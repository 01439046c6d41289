#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firth::TextOptions options{.format = firth::InputFormat::ids};
  if (firth::fuzz::other_way(data, size)) options.sequence_end = 0;
  return firth::fuzz::count_bytes(options, data, size);
}
