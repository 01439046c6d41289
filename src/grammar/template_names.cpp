#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "firth/error.hpp"
#include "firth/latent.hpp"
#include "grammar/features.hpp"

namespace firth {
namespace {

std::uint32_t bits_of(std::string_view names, std::span<const std::string_view> known) {
  if (names == "all") return ~0U;
  std::uint32_t bits = 0;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) {
      throw UsageError(fmt::format("there is no template of features '{}'", name),
                       fmt::format("all, or some of {}", fmt::join(known, ", ")));
    }
    bits |= 1U << (at - known.begin());
  }
  if (bits == 0) throw UsageError("no template of features is named", "use all, or name some");
  return bits;
}

}  // namespace

std::uint32_t inside_templates(std::string_view names) {
  return bits_of(names, grammar::kInsideTemplates);
}

std::uint32_t outside_templates(std::string_view names) {
  return bits_of(names, grammar::kOutsideTemplates);
}

}  // namespace firth
