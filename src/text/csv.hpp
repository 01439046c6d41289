// Records of CSV and TSV, with quotes as in RFC 4180.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "firth/error.hpp"

namespace firth::text {

/// A field as it is in the file.
struct CsvField {
  std::string_view raw;  ///< without the quotes around it
  bool quoted = false;   ///< "" stands for a quote

  /// What it means: a view of `raw` or of `buffer`.
  std::string_view value(std::string& buffer) const;
};

/// The place of a byte, for messages.
using PlaceOf = std::function<SourceLocation(const char* byte)>;

/// The quote that ends the field which the quote at `begin` starts; npos if there is none.
std::size_t closing_quote(std::string_view text, std::size_t begin) noexcept;

/// Takes the first record off the front of `text`. A field that starts with a quote ends with one: separators
/// and line ends may be between them, and a quote is doubled. In other fields quotes are characters like all
/// others. Throws InputError if the end of a quote is missing or not the end of its field.
void take_record(std::string_view& text, char separator, const PlaceOf& place, std::vector<CsvField>& fields);

}  // namespace firth::text
