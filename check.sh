#!/usr/bin/env bash
# Runs the tests: builds Release with tests and runs the whole suite.
#
#   ./check.sh               the release suite
#   ./check.sh rules         names, sizes, words, layout: seconds, without a build
#   ./check.sh clang-asan    the suite compiled by clang, under ASan and UBSan, and a minute of fuzzing
#   ./check.sh PRESET        the suite of another preset: dev, asan-ubsan (by gcc), tsan
#   ./check.sh threads       the tests that start threads, under TSan
#   ./check.sh lint          clang-format and clang-tidy; FIRTH_TIDY=all looks at every file
#   ./check.sh fuzz [N]      every fuzz target for a share of N seconds (60)
#   ./check.sh package       the Debian packages: built, looked at by lintian, unpacked and used
#   ./check.sh interop       the Python package as a wheel, with packages of PyPI
set -euo pipefail
cd "$(dirname "$0")"

rules() {
  local script
  for script in check_structure check_names check_sizes check_words check_commands check_versions outline_test; do
    python3 "tests/structure/$script.py" .
  done
  python3 tests/lint/lint.py format . || [ $? -eq 77 ]
}

# The whole suite of a preset. FIRTH_UNITY=ON compiles the files of a folder as one: less time for the first build, more for the next.
suite() {
  ./setup.sh packages
  ./setup.sh python-packages || echo "check: tests of the Python package that lack a package are skipped" >&2
  cmake --preset "$1" -DFIRTH_BUILD_TESTS=ON -DFIRTH_BUILD_PYTHON=AUTO ${FIRTH_UNITY:+"-DFIRTH_UNITY=$FIRTH_UNITY"} >/dev/null
  cmake --build --preset "$1"
  ctest --preset "$1"
}

smoke() {
  python3 tests/fuzz/smoke.py --programs "build/$1/fuzz" --seeds tests/fuzz/seeds --seconds "$2"
}

# What no thread touches TSan need not see, and what a slow twin does least of all.
threads() {
  ./setup.sh packages
  cmake --preset tsan -DFIRTH_BUILD_TESTS=ON -DFIRTH_TEST_WORDS='threads|World' >/dev/null
  cmake --build --preset tsan --target firth_tests
  ctest --preset tsan -L fast -E '^(structure|golden|robustness|formats|docs|fuzz|page|install)\.|SlowTwin|WithoutAWindow|AutoIsThatOfOneProcess|ManyClassesShareTheLosses|RandomTextsAndSizes|GiveTheModels|SpectralEstimate|MoreEffort|CountsOfAnySize|AgreesWithSpectra|IsQuick|NaiveTwin|AContinued.*GivesTheSame(Grammars|Result)'
}

# In a folder of its own: clang-tidy asks how every file is compiled alone.
lint() {
  ./setup.sh lint
  cmake --preset release -B build/lint -DFIRTH_BUILD_TESTS=ON -DFIRTH_LINT=ON -DFIRTH_UNITY=OFF >/dev/null
  ctest --test-dir build/lint -L lint --output-on-failure
}

fuzz() {
  ./setup.sh lint
  cmake --preset fuzz >/dev/null
  cmake --build --preset fuzz
  smoke fuzz "$1"
}

# Looked at and used, not measured: -O1 takes half the time of a release.
package() {
  ./setup.sh packaging
  DEB_CXXFLAGS_APPEND=${DEB_CXXFLAGS_APPEND:--O1} packaging/build_deb.sh dist
  packaging/check_deb.sh dist
}

case ${1:-release} in
  rules | threads | lint | package) "$1" ;;
  clang-asan) ./setup.sh lint; suite "$1"; smoke "$1" 60 ;;
  fuzz) fuzz "${2:-60}" ;;
  interop) ./setup.sh python-packages; bindings/python/tests/interop.sh "${@:2}" ;;
  *) suite "${1:-release}" ;;
esac
