#!/usr/bin/env bash
# Runs the tests: builds Release with tests and runs the whole suite.
#
#   ./check.sh               the release suite
#   ./check.sh asan-ubsan    the suite under a sanitizer (also: tsan), or of another preset
#   ./check.sh lint          clang-format and clang-tidy; FIRTH_TIDY=all looks at every file
#   ./check.sh fuzz [N]      every fuzz target for a share of N seconds (60)
#   ./check.sh interop       the Python package as a wheel, with packages of PyPI
set -euo pipefail
cd "$(dirname "$0")"
preset=${1:-release}

lint() {
  ./setup.sh lint
  cmake --preset release -DFIRTH_BUILD_TESTS=ON -DFIRTH_LINT=ON >/dev/null
  ctest --preset release -L lint
}

fuzz() {
  ./setup.sh lint
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz
  python3 tests/fuzz/smoke.py --programs build/fuzz/fuzz --seeds tests/fuzz/seeds --seconds "${1:-60}"
}

case "$preset" in
  lint) lint; exit ;;
  fuzz) fuzz "${2:-60}"; exit ;;
  interop) ./setup.sh python-packages; bindings/python/tests/interop.sh "${@:2}"; exit ;;
esac
./setup.sh packages
./setup.sh python-packages || echo "check: tests of the Python package that lack a package are skipped" >&2
cmake --preset "$preset" -DFIRTH_BUILD_TESTS=ON -DFIRTH_BUILD_PYTHON=AUTO >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset"
