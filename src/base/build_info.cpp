#include "firth/build_info.hpp"

#include <fmt/format.h>
#include <lzma.h>
#include <tbb/version.h>
#include <unicode/uvernum.h>
#include <zlib.h>
#include <zstd.h>

#include "base/simd.hpp"
#include "firth/version.hpp"

namespace firth {
namespace {

std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

}  // namespace

BuildInfo build_info() {
  return {.version = kVersion,
          .compiler = compiler_text(),
          .simd = base::simd_level(),
          .features = fmt::format("gzip (zlib {}), zstd {}, xz {}, ICU {}, oneTBB {}.{}", ZLIB_VERSION,
                                  ZSTD_versionString(), lzma_version_string(), U_ICU_VERSION,
                                  TBB_VERSION_MAJOR, TBB_VERSION_MINOR)};
}

}  // namespace firth
