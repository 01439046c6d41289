#!/usr/bin/env bash
# Unpacks the Debian packages into a temporary root and uses them there: the command, its manual and completions, a program by
# pkg-config and one by CMake.
#
#   packaging/check_deb.sh [FOLDER]     the folder of build_deb.sh; default: dist
set -euo pipefail  # so that grep must read to the end: with -q what writes to it would end by SIGPIPE now and then
cd "$(dirname "$0")/.."
folder=${1:-dist}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
for package in "$folder"/*.deb; do
  case $package in *-dbgsym_*) continue ;; esac
  dpkg-deb -x "$package" "$root"
done
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
dpkg-deb -f "$folder"/libfirth0.1_*.deb Depends | grep libopenblas0 > /dev/null
export LD_LIBRARY_PATH=$root/usr/lib/$multiarch PATH=$root/usr/bin:$PATH

cd "$root"
printf 'the cat sees the dog\nthe dog sees the cat\na cat saw a dog\na dog saw a cat\n' > text.txt
[ "$(command -v firth)" = "$root/usr/bin/firth" ]
firth cluster text.txt -c 3 -o out --progress never
firth cluster text.txt -c 2 --method spectral --dim 2 -o spectral --progress never
test -s out/classes.tsv
man -l usr/share/man/man1/firth-cluster.1.gz | grep -e --method > /dev/null
man -l usr/share/man/man5/firth-formats.5.gz | grep run.json > /dev/null
bash -c 'source usr/share/bash-completion/completions/firth
  COMP_WORDS=(firth cluster --me) COMP_CWORD=2; _firth 2>/dev/null
  printf "%s\n" "${COMPREPLY[@]}"' | grep -x -e --method > /dev/null

example=usr/share/doc/firth/examples/cluster.cpp
# A program that uses the shared library needs no other -dev package.
if grep Requires "usr/lib/$multiarch/pkgconfig/firth.pc"; then
  echo "firth.pc asks for -dev packages that libfirth-dev does not depend on" >&2
  exit 1
fi
flags=$(PKG_CONFIG_PATH=usr/lib/$multiarch/pkgconfig pkg-config --cflags --libs firth)
g++ -std=c++20 "$example" -o by_pkg_config $flags
./by_pkg_config text.txt 3 by_pkg_config.out
mkdir consumer
cat > consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(firth REQUIRED)
add_executable(by_cmake $root/$example)
target_link_libraries(by_cmake PRIVATE firth::firth)
END
cmake -S consumer -B consumer/build -G Ninja -DCMAKE_PREFIX_PATH="$root/usr" > /dev/null
cmake --build consumer/build > /dev/null
consumer/build/by_cmake text.txt 3 by_cmake.out
cmp by_pkg_config.out/classes.tsv by_cmake.out/classes.tsv
echo "the Debian packages work"
