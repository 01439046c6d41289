#include "firth/class_sizes.hpp"

#include <fmt/format.h>

#include "base/parse_number.hpp"
#include "firth/error.hpp"

namespace firth {

void validate(const ClassSizes& sizes) {
  if (sizes.max > 0 && sizes.equal) {
    throw UsageError("classes of equal size and of a largest size", "give one of the two", "ClassSizes::max");
  }
}

ClassSizes parse_class_sizes(std::string_view text) {
  constexpr std::string_view kMax = "max=";
  constexpr std::string_view kMaxTokens = "max-tokens=";
  if (text == "equal") return {0, true, SizeUnit::words};
  if (text == "equal-tokens") return {0, true, SizeUnit::tokens};
  ClassSizes sizes;
  std::string_view number;
  if (text.starts_with(kMax)) number = text.substr(kMax.size());
  if (text.starts_with(kMaxTokens)) {
    number = text.substr(kMaxTokens.size());
    sizes.unit = SizeUnit::tokens;
  }
  if (base::parse_number(number, sizes.max) != std::errc() || sizes.max == 0) {
    throw UsageError(fmt::format("'{}' is not a size of classes", text),
                     "write max=N, equal, max-tokens=N or equal-tokens", "ClassSizes::max");
  }
  return sizes;
}

}  // namespace firth
