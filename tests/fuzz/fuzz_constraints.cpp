// Files of constraints.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "firth/constraints.hpp"
#include "firth/error.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const firth::fuzz::Scratch scratch;
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const firth::Constraints constraints = firth::load_constraints(scratch.write(bytes));
    if (constraints.items.size() > size) std::abort();
  } catch (const firth::Error&) {
    return 0;
  }
  return 0;
}
