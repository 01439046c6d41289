// The files of page/, as they were when the library was built.
#pragma once

#include <string_view>

namespace firth::report {

std::string_view page_markup();
std::string_view page_style();
std::string_view page_script();

/// SHA-256 in base64, for the policy that lets the browser run this style and this script and no other.
std::string_view page_style_hash();
std::string_view page_script_hash();

}  // namespace firth::report
