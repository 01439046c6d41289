#!/usr/bin/env bash
# Builds the Debian packages of the present commit and looks at them with lintian.
#
#   packaging/build_deb.sh [FOLDER]     default: dist. Needs './setup.sh packaging'.
#
# The sources are those of the release tarball, so what is not committed is not in the package. DEB_BUILD_OPTIONS is passed on
# (parallel=N: that many compilers at once; as many as there are processors if it is not set).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:-dist}"
folder=$(cd "${1:-dist}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/firth
git archive --prefix=firth/ HEAD | tar -x -C "$work"
cp -r "$tree/packaging/debian" "$tree/debian"
log=$folder/build.log
if ! (cd "$tree" && DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS:-parallel=$(nproc)} dpkg-buildpackage -b -uc -us) > "$log" 2>&1; then
  tail -50 "$log" >&2
  exit 1
fi
cp "$work"/*.deb "$folder"
if command -v lintian >/dev/null; then
  # A package that is not in Debian has no bug number to close.
  lintian --suppress-tags initial-upload-closes-no-bugs --fail-on error,warning "$work"/*.changes
else
  echo "SKIPPED: lintian is not installed"
fi
ls -l "$folder"/*.deb
