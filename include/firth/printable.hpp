// Text from files and command lines made fit for people: words and names may hold anything, and be of any length.
//
//   std::fputs((firth::printable("\x1b[2J") + "\n").c_str(), stdout);  // shows \x1b[2J
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace firth {

/// Control characters (U+0000 to U+001F except for line end and tab, U+007F to U+009F) and bytes that are not
/// UTF-8 become \x1b, \u009b and the like: a terminal shows them instead of obeying.
[[nodiscard]] std::string printable(std::string_view text);

/// A piece of somebody's data to be quoted in a message: printable, at most some 60 characters, on one line.
[[nodiscard]] std::string shown(std::string_view text);

/// A message: printable, what is quoted in it ('...') shortened as by shown().
[[nodiscard]] std::string message_text(std::string_view text);

/// Memory for people to read: "12 KB", "1.5 MB", "512 MB", "3.10 GB". Rounded up; a megabyte is 2^20 bytes.
[[nodiscard]] std::string memory_text(std::uint64_t bytes);

}  // namespace firth
