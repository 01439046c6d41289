// The beginning of a file in NumPy's .npy format.
#pragma once

#include <string>
#include <string_view>

namespace firth::base {

/// Version 1.0 for numbers of `type` (such as "<f4") by rows; `shape` as NumPy writes it: "(3, 4)" or "(5,)". The
/// numbers then start at a multiple of 64 bytes.
inline std::string npy_header(std::string_view type, std::string_view shape) {
  std::string dictionary = "{'descr': '";
  dictionary.append(type).append("', 'fortran_order': False, 'shape': ").append(shape).append(", }");
  constexpr std::size_t kBefore = 10;
  constexpr std::size_t kAlignment = 64;
  dictionary.append(kAlignment - (kBefore + dictionary.size() + 1) % kAlignment, ' ').push_back('\n');
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace firth::base
