#include "text_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::count_bytes({.format = firth::InputFormat::conllu}, data, size);
}
