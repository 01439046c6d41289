#include "base/large_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace firth::base {

std::shared_ptr<void> large_memory(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  void* const address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(address, size, MADV_HUGEPAGE);
#endif
  return {address, [size](void* memory) { ::munmap(memory, size); }};
}

}  // namespace firth::base
