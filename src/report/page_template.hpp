// The page around the data: markup, style and script come from the files in page/.
#pragma once

#include <string>
#include <string_view>

#include "firth/clustering.hpp"

namespace firth::report {

/// What changes from page to page.
struct PageParts {
  std::string title;
  std::string summary;  ///< the line below the title
  std::string plain;    ///< HTML for browsers without JavaScript
  std::string data;     ///< base64
};

std::string fill_template(const PageParts& parts);

/// The commonest words by class, as HTML.
std::string plain_list(const Clustering& clustering, std::size_t max_words);

/// The word, or its first whole characters within the given bytes and three dots.
std::string shortened(std::string_view word, std::size_t max_bytes);

/// Text for HTML: markup escaped, control characters and broken UTF-8 shown as U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace firth::report
