#include <fmt/format.h>

#include <bit>

#include "base/files.hpp"
#include "base/mark_before.hpp"
#include "base/npy_header.hpp"
#include "base/transaction.hpp"
#include "firth/codes.hpp"
#include "firth/files.hpp"

namespace firth {
namespace codes {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

std::size_t digit_bytes(std::uint32_t branch) {
  if (branch <= 1u << 8) return 1;
  return branch <= 1u << 16 ? 2 : 4;
}

std::string header_of(const Codes& codes) {
  const std::size_t bytes = digit_bytes(codes.branch);
  return base::npy_header(fmt::format("{}u{}", bytes == 1 ? '|' : '<', bytes),
                          fmt::format("({}, {})", codes.vocabulary.size(), codes.depth));
}

void save_npy(const std::string& path, const Codes& codes) {
  base::Transaction files;
  files.claim(base::folder_of(path));
  base::OutputFile matrix(path + ".npy");
  matrix.write(header_of(codes));
  const std::size_t size = digit_bytes(codes.branch);
  for (const std::uint32_t digit : codes.digits)
    matrix.write(std::string_view(reinterpret_cast<const char*>(&digit), size));
  base::OutputFile words(path + ".vocab");
  if (!codes.vocabulary.empty()) words.write(base::mark_before(codes.vocabulary.word(0)));
  for (WordId word = 0; word < codes.vocabulary.size(); ++word)
    words.write(fmt::format("{}\t{}\n", codes.vocabulary.word(word), codes.vocabulary.count(word)));
  words.commit();
  matrix.commit();
  files.commit();
}

}  // namespace
}  // namespace codes

std::string format_codes(const Codes& codes) {
  std::string text;
  for (WordId word = 0; word < codes.vocabulary.size(); ++word) {
    text += codes.vocabulary.word(word);
    for (const std::uint32_t digit : codes.of(word)) text += fmt::format("\t{}", digit);
    text += '\n';
  }
  return text;
}

void save_codes(const std::string& path, const Codes& codes, CodeFormat format) {
  return format == CodeFormat::npy ? codes::save_npy(path, codes) : save_text(path, format_codes(codes));
}

}  // namespace firth
