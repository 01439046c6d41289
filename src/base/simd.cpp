#include "base/simd.hpp"

namespace firth::base {

const char* simd_level() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(FIRTH_NO_CLONES)
  if (__builtin_cpu_supports("x86-64-v4") != 0) return "avx512";
  if (__builtin_cpu_supports("x86-64-v3") != 0) return "avx2";
#endif
  return "baseline";
}

}  // namespace firth::base
