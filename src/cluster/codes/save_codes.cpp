#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/files.hpp"
#include "base/transaction.hpp"
#include "firth/codes.hpp"

namespace firth {
namespace codes {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

std::size_t digit_bytes(std::uint32_t branch) {
  if (branch <= 1u << 8) return 1;
  return branch <= 1u << 16 ? 2 : 4;
}

/// The header of NumPy's format 1.0, whose length is a multiple of 64.
std::string npy_header(const Codes& codes) {
  std::string dictionary = fmt::format("{{'descr': '{}u{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                                       digit_bytes(codes.branch) == 1 ? '|' : '<', digit_bytes(codes.branch),
                                       codes.vocabulary.size(), codes.depth);
  constexpr std::size_t kBefore = 10;
  dictionary.append(63 - (kBefore + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

void save_npy(const std::string& path, const Codes& codes) {
  base::Transaction files;
  files.claim(base::folder_of(path));
  base::OutputFile matrix(path + ".npy");
  matrix.write(npy_header(codes));
  const std::size_t size = digit_bytes(codes.branch);
  for (const std::uint32_t digit : codes.digits)
    matrix.write(std::string_view(reinterpret_cast<const char*>(&digit), size));
  base::OutputFile words(path + ".vocab");
  for (WordId word = 0; word < codes.vocabulary.size(); ++word)
    words.write(fmt::format("{}\t{}\n", codes.vocabulary.word(word), codes.vocabulary.count(word)));
  words.commit();
  matrix.commit();
  files.commit();
}

void save_tsv(const std::string& path, const Codes& codes) {
  base::OutputFile file(path);
  for (WordId word = 0; word < codes.vocabulary.size(); ++word) {
    std::string line(codes.vocabulary.word(word));
    for (const std::uint32_t digit : codes.of(word)) line += fmt::format("\t{}", digit);
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace
}  // namespace codes

void save_codes(const std::string& path, const Codes& codes, CodeFormat format) {
  return format == CodeFormat::npy ? codes::save_npy(path, codes) : codes::save_tsv(path, codes);
}

}  // namespace firth
