// Hands bytes to the readers of input. The first byte chooses the options, the rest is the file.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "counts/count/counting.hpp"
#include "firth/count.hpp"
#include "firth/error.hpp"

namespace firth::fuzz {

/// One file for all runs of this process, in memory where the system allows.
inline const std::string& scratch_path() {
  static const std::string path = [] {
    std::string name =
        (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") + std::string("/firth-fuzz-XXXXXX");
    ::close(::mkstemp(name.data()));
    std::atexit([] { ::unlink(scratch_path().c_str()); });
    return name;
  }();
  return path;
}

inline void write_scratch(const std::uint8_t* data, std::size_t size) {
  std::ofstream(scratch_path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
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
  write_scratch(data + 1, size - 1);
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
    text::InputFile file;
    file.path = scratch_path();
    file.rereadable = true;
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
