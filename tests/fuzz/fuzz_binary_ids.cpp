#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bool wide = firth::fuzz::other_way(data, size);
  return firth::fuzz::count_bytes(
      {.format = wide ? firth::InputFormat::ids32 : firth::InputFormat::ids16, .sequence_end = 0}, data,
      size);
}
