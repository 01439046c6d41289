#!/usr/bin/env python3
"""One version everywhere: what CMakeLists.txt says is what the citation and every recipe say.

Usage: check_versions.py PROJECT
"""
import pathlib
import re
import sys

PLACES = {
    "CITATION.cff": r"^version: (\S+)$",
    "packaging/debian/changelog": r"^firth \(([0-9.]+)-\d+\)",
    "packaging/conda/meta.yaml": r'set version = "([^"]+)"',
    "packaging/vcpkg/vcpkg.json": r'"version": "([^"]+)"',
    "packaging/homebrew/firth.rb": r"firth-([0-9.]+)\.tar\.gz",
    "packaging/firth.spec": r"^Version:\s+(\S+)$",
}


def found(path, pattern):
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else None


def main():
    project = pathlib.Path(sys.argv[1])
    version = found(project / "CMakeLists.txt", r"project\(firth VERSION ([0-9.]+)")
    wrong = {place: found(project / place, pattern) for place, pattern in PLACES.items()}
    wrong = {place: other for place, other in wrong.items() if other != version}
    for place, other in wrong.items():
        print(f"{place}: version {other}, but CMakeLists.txt has {version}")
    print(f"{len(PLACES) - len(wrong)} places have version {version}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
