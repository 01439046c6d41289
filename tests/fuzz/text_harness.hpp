// Hands bytes to the readers of input. The first byte chooses the options, the rest is the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"
#include "text/inputs.hpp"

namespace firth::fuzz {

/// The bytes as an input: from memory: no file is opened.
inline text::InputFile input_of(std::string bytes) {
  return text::expand_inputs(Inputs::from_text(std::move(bytes), "fuzz"), {}).front();
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// The bit of the first byte that is left to the target.
inline bool other_way(const std::uint8_t* data, std::size_t size) {
  return size > 0 && (data[0] & 128) != 0;
}

/// Everything that the bytes may do is give counts that hold together, or throw an Error.
inline int count_bytes(const TextOptions& text, const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const InputFormat format = text.format;
  CountOptions options;
  options.text = text;
  options.text.boundaries = (choice & 1) != 0 ? TextBoundaries::stream : TextBoundaries::lines;
  options.text.lowercase = (choice & 2) != 0;
  options.text.tokenize = (choice & 4) != 0 && format == InputFormat::text;
  options.text.invalid_utf8 = (choice & 8) != 0 ? InvalidUtf8::replace : InvalidUtf8::error;
  if (format != InputFormat::counts && (choice & 16) != 0) options.distances = {1, 2, 5};
  counts::CountTuning tuning;
  tuning.block_bytes = (choice & 32) != 0 ? 16 : 4096;
  tuning.recent_bits = 3;
  if ((choice & 64) != 0) tuning.table_bytes = 1;
  try {
    const text::InputFile file = input_of(text_of(data + 1, size - 1));
    const Counts counts = counts::count_files({file}, options, tuning, {.threads = 1});
    Count words = 0;
    for (const Count count : counts.vocabulary().counts()) words += count;
    if (words != counts.info().tokens) std::abort();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

}  // namespace firth::fuzz
