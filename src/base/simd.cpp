#include "base/simd.hpp"

namespace firth::base {

// One function for each level, chosen as clones are: what is reported is what runs.
#ifdef FIRTH_HAS_CLONES
namespace {

__attribute__((target("default"))) const char* chosen_level() {
  return "baseline";
}
__attribute__((target("arch=x86-64-v3"))) const char* chosen_level() {
  return "avx2";
}
__attribute__((target("arch=x86-64-v4"))) const char* chosen_level() {
  return "avx512";
}

}  // namespace

const char* simd_level() {
  return chosen_level();
}
#else
const char* simd_level() {
  return "baseline";
}
#endif

}  // namespace firth::base
