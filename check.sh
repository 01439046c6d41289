#!/usr/bin/env bash
# Runs the tests: builds Release with tests and runs the whole suite.
#
#   ./check.sh               the release suite
#   ./check.sh asan-ubsan    the suite under a sanitizer (also: tsan), or of another preset
set -euo pipefail
cd "$(dirname "$0")"
preset=${1:-release}
./setup.sh packages
cmake --preset "$preset" -DFIRTH_BUILD_TESTS=ON >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset"
