// The count file: header, table of sections, sections that can be mapped into memory.
//
//   bytes 0..63    Header
//   then           Section[section_count]
//   then           the sections, in the order of the table, each at a multiple of 64 bytes, gaps filled
//                  with zeros
//
// All numbers are in the byte order of the machine that wrote the file; Header::byte_order tells.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "firth/counts.hpp"

namespace firth::counts {

/// Starts with a byte that is not text, ends with line ends that careless copying changes.
inline constexpr std::array<char, 8> kCountMagic = {'\x89', 'F', 'C', 'N', 'T', '\r', '\n', '\x1a'};
inline constexpr std::uint32_t kCountVersion = 1;
inline constexpr std::uint32_t kByteOrder = 0x01020304;
inline constexpr std::uint64_t kSectionAlign = 64;

struct Header {
  std::array<char, 8> magic = kCountMagic;
  std::uint32_t version = kCountVersion;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t file_bytes = 0;
  std::uint64_t section_count = 0;
  std::uint64_t table_checksum = 0;  ///< XXH3 of the table of sections
  std::array<std::uint64_t, 3> reserved = {};
};
static_assert(sizeof(Header) == 64);

enum class SectionKind : std::uint32_t {
  meta = 1,          ///< JSON: CountsInfo and distances
  word_offsets = 2,  ///< 64 bits each, one more than words
  word_bytes = 3,    ///< all words, one after the other
  word_counts = 4,   ///< 64 bits each
  row_offsets = 5,   ///< of the pairs at `distance`; 64 bits each, one more than words
  rights = 6,        ///< 32 bits each
  pair_counts = 7,   ///< 64 bits each
};

struct Section {
  SectionKind kind = SectionKind::meta;
  std::uint32_t distance = 0;  ///< 0 for sections that are not of pairs
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;  ///< XXH3 of the bytes
};
static_assert(sizeof(Section) == 32);

/// The contents of a file, unchecked.
struct RawCounts {
  std::span<const std::uint64_t> word_offsets;
  std::string_view word_bytes;
  std::span<const Count> word_counts;
  struct Pairs {
    std::span<const std::uint64_t> offsets;
    std::span<const WordId> rights;
    std::span<const Count> counts;
  };
  std::vector<Pairs> pairs;
};

/// Throws FormatError unless the arrays are what Vocabulary and PairCounts promise: offsets that fit, words
/// in order and distinct, columns rising within their rows, no zero counts, sums within 64 bits.
void check_contents(const std::string& path, const RawCounts& raw);

/// "the file is damaged: `details`".
[[noreturn]] void throw_damaged(const std::string& path, const std::string& details);

}  // namespace firth::counts
