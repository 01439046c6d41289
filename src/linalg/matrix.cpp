#include "linalg/matrix.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace firth::linalg {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
  const std::size_t unit = bytes >= kLargePage ? kLargePage : 64;
  void* memory = std::aligned_alloc(unit, rounded(std::max<std::size_t>(bytes, 1), unit));
  if (memory == nullptr) throw std::bad_alloc();
    // Advice only: rows far apart then need far fewer address translations.
#ifdef MADV_HUGEPAGE
  if (bytes >= kLargePage) madvise(memory, rounded(bytes, unit), MADV_HUGEPAGE);
#endif
  return memory;
}

void free_pages(void* memory) noexcept {
  std::free(memory);
}

}  // namespace firth::linalg
