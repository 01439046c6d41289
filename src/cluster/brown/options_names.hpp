// The names of firth/brown.hpp, for headers that only hand them on: who changes an option compiles the files again that
// read it, and no others.
#pragma once

namespace firth {

enum class BrownMarginals;
enum class ResortBy;
struct BrownEvent;
struct BrownOptions;

}  // namespace firth
