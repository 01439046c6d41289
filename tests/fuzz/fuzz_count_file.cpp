// Two ways into the reader of count files: the bytes as they are, and bytes whose checksums were made right
// so that the checks behind the checksums are reached.
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "counts/file/count_file.hpp"
#include "text_harness.hpp"

namespace {

using firth::counts::Header;
using firth::counts::Section;

void mend_checksums(std::vector<std::uint8_t>& file) {
  if (file.size() < sizeof(Header)) return;
  Header header;
  header.file_bytes = file.size();
  Header given;
  std::memcpy(&given, file.data(), sizeof(Header));
  header.section_count = given.section_count % 16;
  if (sizeof(Header) + header.section_count * sizeof(Section) > file.size()) return;
  std::uint8_t* table = file.data() + sizeof(Header);
  for (std::size_t i = 0; i < header.section_count; ++i) {
    Section section;
    std::memcpy(&section, table + i * sizeof(Section), sizeof(Section));
    if (section.offset > file.size() || section.bytes > file.size() - section.offset) continue;
    section.checksum = XXH3_64bits(file.data() + section.offset, section.bytes);
    std::memcpy(table + i * sizeof(Section), &section, sizeof(Section));
  }
  header.table_checksum = XXH3_64bits(table, header.section_count * sizeof(Section));
  std::memcpy(file.data(), &header, sizeof(Header));
}

// Touches everything: a wrong size or offset would be caught by the sanitizer.
void walk(const firth::Counts& counts) {
  std::uint64_t sum = 0;
  for (firth::WordId w = 0; w < counts.vocabulary().size(); ++w) {
    for (const char c : counts.vocabulary().word(w)) sum += static_cast<unsigned char>(c);
    for (const int distance : counts.distances()) {
      for (const firth::WordId right : counts.pairs_at(distance).right_words(w))
        sum += counts.vocabulary().count(right);
    }
  }
  for (const int distance : counts.distances()) sum += counts.pairs_at(distance).transposed().total();
  if (sum == 0 && !counts.vocabulary().empty() && counts.vocabulary().word(0).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::vector<std::uint8_t> file(data + 1, data + size);
  if ((data[0] & 1) != 0) mend_checksums(file);
  firth::fuzz::write_scratch(file.data(), file.size());
  try {
    walk(firth::load_counts(firth::fuzz::scratch_path()));
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
