#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bool tabs = firth::fuzz::other_way(data, size);
  return firth::fuzz::count_bytes(
      {.format = tabs ? firth::InputFormat::tsv : firth::InputFormat::csv, .column = tabs ? "2" : ""}, data,
      size);
}
