// One binary for every x86-64: hot functions are compiled for several instruction sets and the right one is
// chosen when the program starts.
#pragma once

// FIRTH_CLONES in front of a function definition. Levels, not names of processors: a name stands for one
// maker's processors only, and everyone else's would get the slowest clone. Off where the compiler has no
// clones (other processors, clang) and under sanitizers, whose run-time is not ready when the choice is made.
// Plain loops inside are vectorised by the compiler; floating-point results are the same for every clone
// (-ffp-contract=off and no reassociation), integer results anyway.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(FIRTH_NO_CLONES)
#define FIRTH_HAS_CLONES
#define FIRTH_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// For loops over a dozen floats: the widest vectors would be used for none of them.
#define FIRTH_CLONES_SHORT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FIRTH_CLONES
#define FIRTH_CLONES_SHORT
#endif

namespace firth::base {

/// The instruction set in use: "avx512", "avx2", "baseline".
const char* simd_level();

}  // namespace firth::base
