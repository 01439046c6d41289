#!/usr/bin/env bash
# Makes the release tarball of a commit, the same bytes wherever it is made.
#
#   packaging/release.sh [FOLDER [COMMIT]]     firth-VERSION.tar.gz, .tar.zst and SHA256SUMS; default: dist, HEAD
#
# It is made twice and compared. The date of all files is that of the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-dist} commit=${2:-HEAD}
version=$(git show "$commit:CMakeLists.txt" | sed -n 's/^project(firth VERSION \([0-9.]*\).*/\1/p')
name=firth-$version
mkdir -p "$folder"

archive() { git archive --format=tar --prefix="$name/" "$commit"; }

archive | gzip -n -9 > "$folder/$name.tar.gz"
archive | gzip -n -9 | cmp - "$folder/$name.tar.gz"
if command -v zstd >/dev/null; then archive | zstd -q -19 -f -o "$folder/$name.tar.zst"; fi
(cd "$folder" && sha256sum "$name".tar.* > SHA256SUMS && cat SHA256SUMS)
