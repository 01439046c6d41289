#include "base/simd.hpp"

namespace firth::base {

const char* simd_level() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(FIRTH_NO_CLONES)
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0) {
    return "avx512";
  }
  if (__builtin_cpu_supports("avx2") != 0) return "avx2";
#endif
  return "baseline";
}

}  // namespace firth::base
