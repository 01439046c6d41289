#!/usr/bin/env bash
# Sets up Firth on Debian 12: installs the packages, builds Release, and clusters a sample corpus.
#
#   ./setup.sh               everything
#   ./setup.sh packages      the Debian packages only
#   ./setup.sh build         packages and build
#   ./setup.sh lint          also what ./check.sh lint and the fuzzers need (clang 14)
#   ./setup.sh packaging     also what packaging/build_deb.sh needs
#   ./setup.sh mpi           also what more tests of firth-mpi need: MPICH beside Open MPI, and SLEPc
#   ./setup.sh browser       also Chromium and what the tests of the report page need
#   ./setup.sh python        also builds and tries the Python package, with packages of Debian alone
set -euo pipefail
cd "$(dirname "$0")"

PACKAGES=(
  g++ cmake ninja-build pkg-config python3            # building
  libtbb-dev libfmt-dev nlohmann-json3-dev libcli11-dev libicu-dev libxxhash-dev
  zlib1g-dev libzstd-dev liblzma-dev                  # compressed text
  libeigen3-dev libopenblas-dev libspectra-dev        # linear algebra; Eigen and Spectra in the tests
  libopenmpi-dev openmpi-bin                          # firth-mpi
  libgtest-dev libgmock-dev zstd xz-utils iproute2 nftables  # tests
  bible-kjv                                           # the sample corpus: public domain, in Debian
)
LINT_PACKAGES=(clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 doxygen)
MPI_PACKAGES=(mpich libmpich-dev slepc-dev)
PYTHON_PACKAGES=(python3-dev pybind11-dev python3-numpy python3-scipy python3-pandas python3-sklearn python3-tqdm python3-pytest mypy python3-venv)
PACKAGING_PACKAGES=(debhelper dpkg-dev fakeroot lintian lowdown man-db mandoc zsh fish debootstrap)

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

install_packages() {
  local missing sudo=()
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "setup: installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# playwright-core from npm, pinned by tests/page/package-lock.json, drives Debian's Chromium.
install_browser() {
  local packages=(chromium)
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
  install_packages "${PACKAGES[@]}" "${packages[@]}"
  (cd tests/page && npm ci --no-audit --no-fund --silent)
}

build() {
  cmake --preset release -DFIRTH_BUILD_TESTS=OFF >/dev/null
  cmake --build --preset release
}

# The King James Bible, one verse per line, without the verse numbers.
write_sample() {
  mkdir -p sample
  bible -f gen1:1-rev22:21 | cut -d' ' -f2- > sample/bible.txt
}

cluster_sample() {
  write_sample
  build/release/firth cluster sample/bible.txt --tokenize --min-count 3 -c 100 -o sample/classes
}

try_python() {
  cmake --preset release -DFIRTH_BUILD_TESTS=OFF -DFIRTH_BUILD_PYTHON=ON >/dev/null
  cmake --build --preset release
  write_sample
  PYTHONPATH=build/release/bindings/python/package /usr/bin/python3 - <<'END'
import firth
classes = firth.cluster("sample/bible.txt", 100, tokenize=True, min_count=3)
print(classes)
for number, words in classes.top(5):
    print(number, " ".join(words))
END
  echo "setup: to use it, set PYTHONPATH=$PWD/build/release/bindings/python/package, or 'cmake --install build/release --component python'"
}

what=${1:-all}
case "$what" in
  all|packages|build) install_packages "${PACKAGES[@]}" ;;
  lint) install_packages "${PACKAGES[@]}" "${LINT_PACKAGES[@]}" ;;
  packaging) install_packages "${PACKAGES[@]}" "${PACKAGING_PACKAGES[@]}" ;;
  browser) install_browser ;;
  mpi) install_packages "${PACKAGES[@]}" "${MPI_PACKAGES[@]}" ;;
  python|python-packages) install_packages "${PACKAGES[@]}" "${PYTHON_PACKAGES[@]}" ;;
  *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
case "$what" in
  build) build ;;
  python) try_python ;;
  all) build; cluster_sample ;;
esac
