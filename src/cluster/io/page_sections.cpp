#include "cluster/io/page_sections.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "firth/error.hpp"

namespace firth::clusters {
namespace {

constexpr std::string_view kMagic = "firthpg1";
constexpr std::size_t kNameBytes = 4;
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr std::size_t kChunkBytes = std::size_t{1} << 18;
// As for files (text/whole_file.cpp): what shrinks more than this says the same again and again.
constexpr std::size_t kSmallBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxGrowth = 200;

std::string gzip(std::string_view bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string result;
  std::string buffer(kChunkBytes, '\0');
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::size_t piece = std::min(bytes.size(), kChunkBytes);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = deflate(&stream, piece == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    bytes.remove_prefix(piece - stream.avail_in);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

std::string gunzip(std::string_view bytes, const std::string& name) {
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::bad_alloc();
  const std::size_t max_bytes = std::max(kSmallBytes, kMaxGrowth * bytes.size());
  std::string result;
  std::string buffer(kChunkBytes, '\0');
  int status = Z_OK;
  while (status == Z_OK && result.size() <= max_bytes) {
    const std::size_t piece = std::min(bytes.size(), kChunkBytes);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.remove_prefix(piece - stream.avail_in);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (result.size() > max_bytes)
    damaged_page(name, "its compressed data unpacks to more than 200 times its size");
  if (status != Z_STREAM_END) damaged_page(name, "its compressed data is damaged");
  return result;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text, const std::string& name) {
  std::array<int, 256> value;
  value.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    value[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  int bits = 0;
  for (const char digit : text) {
    if (digit == '=' || digit == '\n' || digit == '\r') continue;
    const int number = value[static_cast<unsigned char>(digit)];
    if (number < 0) damaged_page(name, "its data is not base64");
    group = group << 6 | static_cast<std::uint32_t>(number);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 255);
  }
  return bytes;
}

std::vector<PageSection> split_sections(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(kMagic)) damaged_page(name, "its data is of another version");
  bytes.remove_prefix(kMagic.size());
  std::vector<PageSection> sections;
  while (!bytes.empty()) {
    if (bytes.size() < kNameBytes) damaged_page(name, "its data ends too early");
    const std::string section(bytes.substr(0, kNameBytes));
    bytes.remove_prefix(kNameBytes);
    VarintReader size_reader(bytes, name);
    const std::uint64_t size = size_reader.next();
    if (size > size_reader.left()) damaged_page(name, "its data ends too early");
    bytes.remove_prefix(bytes.size() - size_reader.left());
    sections.push_back({section, std::string(bytes.substr(0, size))});
    bytes.remove_prefix(size);
  }
  return sections;
}

}  // namespace

void damaged_page(const std::string& name, std::string_view problem) {
  throw InputError({name}, std::string("the report page cannot be read: ") + std::string(problem),
                   "make the page again with build_report()");
}

void put_varint(std::string& bytes, std::uint64_t value) {
  while (value >= 128) {
    bytes += static_cast<char>(value % 128 + 128);
    value /= 128;
  }
  bytes += static_cast<char>(value);
}

std::uint64_t VarintReader::next() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (at_end()) damaged_page(file_, "a section ends too early");
    const auto byte = static_cast<unsigned char>(bytes_[place_++]);
    value |= static_cast<std::uint64_t>(byte % 128) << shift;
    if (byte < 128) return value;
  }
  damaged_page(file_, "a number is too large");
}

std::string encode_sections(std::span<const PageSection> sections) {
  std::string bytes(kMagic);
  for (const PageSection& section : sections) {
    bytes += section.name;
    put_varint(bytes, section.bytes.size());
    bytes += section.bytes;
  }
  return to_base64(gzip(bytes));
}

bool looks_like_page(std::string_view text) {
  return text.starts_with("<!DOCTYPE html>") && text.find(kPageDataBegin) != std::string_view::npos;
}

std::vector<PageSection> read_page_sections(std::string_view page, const std::string& name) {
  const std::size_t begin = page.find(kPageDataBegin);
  if (begin == std::string_view::npos) damaged_page(name, "it holds no data");
  page.remove_prefix(begin + kPageDataBegin.size());
  const std::size_t end = page.find(kPageDataEnd);
  if (end == std::string_view::npos) damaged_page(name, "its data ends too early");
  return split_sections(gunzip(from_base64(page.substr(0, end), name), name), name);
}

}  // namespace firth::clusters
