// The data inside a report page: named sections, compressed, in base64, so that no byte of it can end the element
// that holds it. docs/report.md describes the layout.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace firth::clusters {

/// A part of the data. Names have four letters.
struct PageSection {
  std::string name;
  std::string bytes;
};

/// What comes before and after the data in the page.
inline constexpr std::string_view kPageDataBegin =
    "<script type=\"application/octet-stream;base64\" id=\"firth-data\">";
inline constexpr std::string_view kPageDataEnd = "</script>";

/// The sections as base64 of gzip: the same bytes for the same sections.
std::string encode_sections(std::span<const PageSection> sections);

/// Whether the text is a report page.
bool looks_like_page(std::string_view text);

/// The sections of a report page. Throws InputError (in the file `name`) if the data is missing or damaged.
std::vector<PageSection> read_page_sections(std::string_view page, const std::string& name);

/// Appends a number, seven bits per byte, lowest first; the top bit says that more follow.
void put_varint(std::string& bytes, std::uint64_t value);

/// Takes numbers from a section, in order.
class VarintReader {
 public:
  VarintReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  /// Throws InputError at the end of the section, or for a number of more than 64 bits.
  std::uint64_t next();
  bool at_end() const noexcept { return place_ == bytes_.size(); }
  std::size_t left() const noexcept { return bytes_.size() - place_; }

 private:
  std::string_view bytes_;
  std::string file_;
  std::size_t place_ = 0;
};

/// InputError: the data of the page cannot be read.
[[noreturn]] void damaged_page(const std::string& name, std::string_view problem);

}  // namespace firth::clusters
