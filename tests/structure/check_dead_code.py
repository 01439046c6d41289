#!/usr/bin/env python3
"""Every function of the library that is not part of its public headers is used by the library itself, a command, firth-mpi or the
Python package: what only a test calls belongs to tests/reference, what nobody calls goes.

Usage: check_dead_code.py SOURCE BUILD

Reads the object files of a finished build: code that may be part of a shared library refers to every function of another name by a
relocation, also within one file. Where one is missing it cannot judge: exit 77.
"""
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
HIDDEN_SECTIONS = ("eh_frame", "debug", "init_array")


def objects(build, folder):
    """Those of today's files: an old build folder has more."""
    rules = (build / "build.ninja").read_text()
    paths = re.findall(rf"^build ({re.escape(folder)}\S+\.o)\b", rules, re.MULTILINE)
    return [str(build / path) for path in paths]


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def defined(objects):
    names = set()
    for line in output("nm", "--defined-only", "-g", *objects).splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[1] == "T" and "." not in fields[2]:
            names.add(fields[2])
    return names


def used(objects):
    names, section = set(), ""
    for line in output("readelf", "-rW", *objects).splitlines():
        if line.startswith("Relocation section"):
            section = line
        fields = line.split()
        if len(fields) >= 5 and fields[2].startswith("R_") and not any(name in section for name in HIDDEN_SECTIONS):
            names.add(re.split("[.@]", fields[4])[0])
    return names


def demangled(names):
    names = sorted(names)
    return dict(zip(names, output("c++filt", text="\n".join(names)).splitlines()))


def own_name(function):
    """The last part of a::b<c>::name(...)."""
    plain = re.sub(r"\(.*", "", function.replace("(anonymous namespace)::", ""))
    while "<" in plain and "operator" not in plain:
        shorter = re.sub(r"<[^<>]*>", "", plain)
        if shorter == plain:
            break
        plain = shorter
    return re.search(r"\w*\W*$", plain.rsplit("::", 1)[-1]).group().strip("~ ")


def main():
    source, build = map(pathlib.Path, sys.argv[1:])
    library = objects(build, "src/")
    product = library + objects(build, "tools/") + objects(build, "bindings/") + objects(build, "CMakeFiles/")
    missing = [path for path in product if not pathlib.Path(path).exists()]
    if missing:
        print(f"skipped: {len(missing)} of {len(product)} object files are missing ({missing[0]}): build everything first")
        sys.exit(SKIPPED)
    if not library or len(product) == len(library):
        sys.exit("build.ninja names no object files of the library or of the command")
    public = set(re.findall(r"\w+", "".join(path.read_text() for path in (source / "include/firth").glob("*.hpp"))))
    names = demangled(defined(library))
    wanted = {names.get(name) for name in used(product)}
    dead = sorted({function for function in names.values() if function.startswith("firth::") and function not in wanted
                   and own_name(function).rstrip("=") not in public})
    for function in dead:
        print(f"nobody calls {function}: take it away, or move it to tests/reference")
    print(f"{len(set(names.values()))} functions, {len(dead)} of them without a caller")
    sys.exit(1 if dead else 0)


if __name__ == "__main__":
    main()
