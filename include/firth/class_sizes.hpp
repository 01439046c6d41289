// How large classes may become.
//
//   firth::ExchangeOptions options{.classes = 200};
//   options.sizes = firth::parse_class_sizes("max=500");
#pragma once

#include <cstdint>
#include <string_view>

namespace firth {

/// What the size of a class is.
enum class SizeUnit {
  words,   ///< the number of its words
  tokens,  ///< how often its words occur, all together
};

/// A limit on the sizes of classes.
struct ClassSizes {
  /// Largest size of a class; 0 = any size.
  std::uint64_t max = 0;
  /// Sizes differ by one at most. In tokens, a word that is more frequent than the average class has a class of its own,
  /// and the others are alike.
  bool equal = false;
  SizeUnit unit = SizeUnit::words;

  /// Whether there is a limit at all.
  [[nodiscard]] bool limited() const { return max > 0 || equal; }
};

/// Throws UsageError if the limits exclude each other.
void validate(const ClassSizes& sizes);

/// "max=500", "equal", "max-tokens=20000" or "equal-tokens". Throws UsageError.
[[nodiscard]] ClassSizes parse_class_sizes(std::string_view text);

}  // namespace firth
