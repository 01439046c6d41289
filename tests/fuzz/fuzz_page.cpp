// Report pages as archives. The first byte chooses: the bytes as the base64 in the page, as the archive that is packed, or as
// sections (a byte for the name, two for the size, the content), so that what stands behind gzip is reached. What is packed is
// stored in the gzip file as it is: to compress it would take longer than everything else.
#include <zlib.h>

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

void put_number(std::string& file, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) file += static_cast<char>(number >> (8 * i) & 255);
}

/// A gzip file in which the bytes are stored as they are.
std::string stored(std::string_view bytes) {
  std::string file("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11);  // the head, and a last block that is stored
  put_number(file, bytes.size(), 2);
  put_number(file, ~bytes.size(), 2);
  file += bytes;
  put_number(file, ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())),
             4);
  put_number(file, bytes.size(), 4);
  return file;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    group = group << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) text += kDigits[group >> (bits - 6) & 63];
  }
  if (bits > 0) text += kDigits[group << (6 - bits) & 63];
  return text;
}

std::string archive_of(std::string_view bytes) {
  std::string archive;
  for (const firth::clusters::PageSection& section : sections_of(bytes)) {
    archive += section.name;
    firth::clusters::put_varint(archive, section.bytes.size());
    archive += section.bytes;
  }
  return archive;
}

std::string page_data(std::string_view bytes, unsigned choice) {
  if ((choice & 1) == 0) return std::string(bytes);
  return base64(stored("firthpg1" + ((choice & 2) != 0 ? std::string(bytes) : archive_of(bytes))));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string page = "<!DOCTYPE html>\n";
  page += firth::clusters::kPageDataBegin;
  page += page_data(bytes, data[0]);
  page += firth::clusters::kPageDataEnd;
  return firth::fuzz::check_reader(reinterpret_cast<const std::uint8_t*>(page.data()), page.size(),
                                   firth::ClusterFormat::automatic);
}
