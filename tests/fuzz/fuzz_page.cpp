// Report pages as archives. The first byte chooses: the bytes as the base64 in the page, or as sections that are
// packed first (a byte for the name, two for the size, the content), so that what stands behind gzip is reached.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/io/page_sections.hpp"
#include "cluster_harness.hpp"

namespace {

std::vector<firth::clusters::PageSection> sections_of(std::string_view bytes) {
  static constexpr std::array<std::string_view, 8> kNames = {"HEAD", "WORD", "CNTS", "SIZE",
                                                             "GAPS", "AMIX", "AMIR", "MORE"};
  constexpr std::size_t kHead = 3;
  std::vector<firth::clusters::PageSection> sections;
  while (bytes.size() >= kHead) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    const std::size_t size = std::min<std::size_t>(byte(1) + 256U * byte(2), bytes.size() - kHead);
    sections.push_back(
        {std::string(kNames[byte(0) % kNames.size()]), std::string(bytes.substr(kHead, size))});
    bytes.remove_prefix(kHead + size);
  }
  return sections;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string page = "<!DOCTYPE html>\n";
  page += firth::clusters::kPageDataBegin;
  page += (data[0] & 1) != 0 ? firth::clusters::encode_sections(sections_of(bytes)) : std::string(bytes);
  page += firth::clusters::kPageDataEnd;
  return firth::fuzz::check_reader(reinterpret_cast<const std::uint8_t*>(page.data()), page.size(),
                                   firth::ClusterFormat::automatic);
}
