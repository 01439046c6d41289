// One fuzz target as a program for libFuzzer, for long campaigns: libFuzzer looks at the counters of the whole program
// after every input, and here they are those of what the target needs.
#include <cstddef>
#include <cstdint>

extern "C" int FIRTH_FUZZ_TARGET(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return FIRTH_FUZZ_TARGET(data, size);
}
