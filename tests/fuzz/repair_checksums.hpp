// Hostile files of sections: the bytes as they are, and bytes whose checksums were made right, so that the
// checks behind them are reached.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "firth/error.hpp"
#include "scratch.hpp"

namespace firth::fuzz {

inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kRowBytes = 32;

template <typename T>
T load(const std::string& file, std::size_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

inline void store(std::string& file, std::size_t offset, std::uint64_t value) {
  std::memcpy(file.data() + offset, &value, sizeof(value));
}

// Offsets as in base/section_file.hpp: size at 16, number of sections at 24, checksum of the table at 32; in
// a row of the table, offset at 8, size at 16, checksum at 24.
inline void repair_checksums(std::string& file) {
  if (file.size() < kHeaderBytes) return;
  store(file, 16, file.size());
  const auto sections = load<std::uint64_t>(file, 24);
  if (sections > (file.size() - kHeaderBytes) / kRowBytes) return;
  for (std::uint64_t i = 0; i < sections; ++i) {
    const std::size_t row = kHeaderBytes + i * kRowBytes;
    const auto offset = load<std::uint64_t>(file, row + 8);
    const auto bytes = load<std::uint64_t>(file, row + 16);
    if (offset > file.size() || bytes > file.size() - offset) continue;
    store(file, row + 24, XXH3_64bits(file.data() + offset, bytes));
  }
  store(file, 32, XXH3_64bits(file.data() + kHeaderBytes, sections * kRowBytes));
}

/// Calls use(path) on a file with these bytes, whose first byte chooses whether checksums are repaired; Firth's
/// own errors are the right answer to a damaged file.
template <typename Use>
int try_file(const std::uint8_t* data, std::size_t size, const Use& use) {
  static const Scratch scratch;
  if (size == 0) return 0;
  std::string file(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) repair_checksums(file);
  try {
    use(scratch.write(file));
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

/// A good file with some bytes changed, three bytes of the input for each, and right checksums.
inline std::string damaged_copy(std::string file, const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i + 2 < size && !file.empty(); i += 3) {
    const std::size_t place = (data[i] + 256U * data[i + 1]) % file.size();
    file[place] = static_cast<char>(file[place] ^ data[i + 2]);
  }
  repair_checksums(file);
  return file;
}

}  // namespace firth::fuzz
