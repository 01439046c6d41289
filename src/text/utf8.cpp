#include "text/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/simd.hpp"

namespace firth::text {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::size_t kStride = 64;

// True if all bytes are 1..127: by far the most frequent case, and vectorised by the compiler.
inline bool plain_stride(const char* data) noexcept {
  unsigned char high = 0;
  unsigned char zero = 0;
  for (std::size_t i = 0; i < kStride; ++i) {
    const auto byte = static_cast<unsigned char>(data[i]);
    high = static_cast<unsigned char>(high | byte);
    zero = static_cast<unsigned char>(zero | (byte == 0 ? 1 : 0));
  }
  return high < 0x80 && zero == 0;
}

FIRTH_CLONES
std::size_t skip_plain(const char* data, std::size_t begin, std::size_t size) noexcept {
  while (begin + kStride <= size && plain_stride(data + begin)) begin += kStride;
  return begin;
}

struct Sequence {
  std::size_t length;  // bytes of the sequence, or of its ill-formed part
  bool valid;
};

bool continues(std::string_view text, std::size_t at, unsigned low, unsigned high) noexcept {
  if (at >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  return byte >= low && byte <= high;
}

// Table 3-7 of the Unicode standard. `at` holds a byte >= 0x80.
Sequence read_sequence(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0xc2 || lead > 0xf4) return {1, false};
  const std::size_t more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
  unsigned low = 0x80;
  unsigned high = 0xbf;
  if (lead == 0xe0) low = 0xa0;
  if (lead == 0xed) high = 0x9f;
  if (lead == 0xf0) low = 0x90;
  if (lead == 0xf4) high = 0x8f;
  for (std::size_t i = 1; i <= more; ++i) {
    if (!continues(text, at + i, low, high)) return {i, false};
    low = 0x80;
    high = 0xbf;
  }
  return {more + 1, true};
}

}  // namespace

FoundFault check_text(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    at = skip_plain(text.data(), at, text.size());
    const std::size_t stop = std::min(text.size(), at + kStride);
    while (at < stop) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if (byte == 0) return {TextFault::nul, at};
      if (byte < 0x80) {
        ++at;
        continue;
      }
      const Sequence sequence = read_sequence(text, at);
      if (!sequence.valid) return {TextFault::utf8, at};
      at += sequence.length;
    }
  }
  return {};
}

std::string replace_invalid(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      if (text[at] == '\0')
        repaired += kReplacement;
      else
        repaired += text[at];
      ++at;
      continue;
    }
    const Sequence sequence = read_sequence(text, at);
    repaired += sequence.valid ? text.substr(at, sequence.length) : kReplacement;
    at += sequence.length;
  }
  return repaired;
}

}  // namespace firth::text
