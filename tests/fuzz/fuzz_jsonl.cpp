#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::count_bytes(
      {.format = firth::InputFormat::jsonl, .field = firth::fuzz::other_way(data, size) ? "a.b" : "text"},
      data, size);
}
