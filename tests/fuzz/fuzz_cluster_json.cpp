#include "fuzz/cluster_harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return firth::fuzz::check_reader(data, size, firth::ClusterFormat::json);
}
