#include <bit>
#include <cstring>

#include "text/characters.hpp"
#include "text/parse_block.hpp"

namespace firth::text {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101u;
constexpr std::uint64_t kHighBits = 0x8080808080808080u;
constexpr std::uint64_t kFirstPrintable = 0x21;

std::uint64_t load(const char* data) noexcept {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, data, sizeof(bytes));
  return bytes;
}

// The first white space at or after `at`. The padding of the block makes sure that there is one.
const char* word_end(const char* at) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    for (;; at += sizeof(std::uint64_t)) {
      const std::uint64_t bytes = load(at);
      // Marks bytes below 0x21; marks above the lowest one may be wrong (borrow), so they are taken in
      // turn.
      std::uint64_t low = (bytes - kOnes * kFirstPrintable) & ~bytes & kHighBits;
      for (; low != 0; low &= low - 1) {
        const char* found = at + std::countr_zero(low) / 8;
        if (is_space(*found)) return found;
      }
    }
  }
  while (!is_space(*at)) ++at;
  return at;
}

ShortWord short_word(const char* data, std::size_t size) noexcept {
  ShortWord key;
  if constexpr (std::endian::native == std::endian::little) {
    // Reads beyond the word, up to into the padding, and masks it away.
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    const bool one = size <= 8;
    const std::size_t rest = one ? size : size - 8;
    const std::uint64_t mask = kAll >> (64 - 8 * rest);
    key.low = load(data) & (one ? mask : kAll);
    key.high = load(data + 8) & (one ? 0 : mask);
  } else {
    std::memcpy(&key, data, size);
  }
  return key;
}

/// Adds all words, and calls end_line() at every line feed.
template <class EndLine>
void add_block_words(const Block& block, const TextOptions& options, WordSink& sink,
                     const EndLine& end_line) {
  const bool as_is = !options.lowercase && !options.tokenize && options.normalize == Normalization::none;
  const char* const end = block.data() + block.size;
  for (const char* at = block.data(); at < end;) {
    if (is_space(*at)) {
      if (*at == '\n') end_line();
      ++at;
      continue;
    }
    const char* const stop = word_end(at);
    const auto size = static_cast<std::size_t>(stop - at);
    if (!as_is) {
      sink.add_piece({at, size});
    } else if (size <= kShortWordBytes) {
      sink.add_short(short_word(at, size), size);
    } else {
      sink.add_word({at, size});
    }
    at = stop;
  }
}

}  // namespace

void parse_text(const Block& block, const TextOptions& options, WordSink& sink) {
  const bool lines = options.boundaries == TextBoundaries::lines;
  add_block_words(block, options, sink, [&] {
    if (lines) sink.words.end_sequence();
  });
}

void parse_lines(const Block& block, const TextOptions& options, WordSink& sink) {
  const auto end_line = [&] { sink.words.ends.push_back(sink.words.ids.size()); };
  add_block_words(block, options, sink, end_line);
  if (!block.text().empty() && !block.text().ends_with('\n')) end_line();
}

}  // namespace firth::text
