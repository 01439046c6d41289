#!/usr/bin/env bash
# Installs the packages with apt on a fresh Debian 12 and uses them there as a user would: the tests of the package
# (autopkgtest's, without its machinery), the manual, the completion, a program by pkg-config and one by CMake.
#
#   packaging/check_root.sh [FOLDER]     the folder of build_deb.sh; default: dist. Needs root, debootstrap, a mirror
#
# DEBIAN_MIRROR names the mirror (default: http://deb.debian.org/debian); FIRTH_ROOT keeps the fresh system in that folder,
# so that the next check starts from it.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(cd "${1:-dist}" && pwd)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
root=$work/root
finish() {
  umount "$root/proc" "$root/dev" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap finish EXIT

fresh=${FIRTH_ROOT:-$work/fresh}
[ -e "$fresh/bin/sh" ] || debootstrap --variant=minbase bookworm "$fresh" "$mirror" > "$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
cp -a "$fresh" "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir "$root/packages"
for package in "$folder"/*.deb; do
  case $package in *-dbgsym_*) ;; *) cp "$package" "$root/packages" ;; esac
done
cp -r packaging/debian/tests "$root/packages"

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
inside sh -c 'apt-get update && apt-get install -y --no-install-recommends /packages/*.deb man-db g++ pkgconf cmake ninja-build' > "$work/apt.log" 2>&1 ||
  { tail -20 "$work/apt.log"; exit 1; }
inside useradd -m tester
for name in command consumer; do
  inside su tester -c "cd && AUTOPKGTEST_TMP=\$(mktemp -d) sh /packages/tests/$name"
  echo "debian/tests/$name: passed"
done
inside su tester -c 'cd && mkdir consumer && cat > consumer/CMakeLists.txt' <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(firth REQUIRED)
add_executable(by_cmake /usr/share/doc/firth/examples/cluster.cpp)
target_link_libraries(by_cmake PRIVATE firth::firth)
END
inside su tester -c 'cd && cd consumer && cmake -G Ninja -B build > log && cmake --build build >> log &&
  printf "the cat sees the dog\nthe dog sees the cat\n" > text.txt && build/by_cmake text.txt 2 out && test -s out/classes.tsv'
inside apt-get purge -y firth libfirth0.1 libfirth-dev firth-doc > /dev/null 2>&1
if inside sh -c 'command -v firth || ls -d /usr/share/doc/firth /usr/include/firth 2>/dev/null'; then
  echo "the packages leave files behind" >&2
  exit 1
fi
echo "the packages install, work and go on a fresh Debian 12"
