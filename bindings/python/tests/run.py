#!/usr/bin/env python3
"""Runs the tests of the Python package, or says by name what is missing and returns 77, which ctest takes for skipped.

Usage: run.py package|types PACKAGE_FOLDER [ARGUMENTS of pytest]
       run.py missing WHY
"""
import importlib.util
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
NEEDED = {"package": {"numpy": "python3-numpy", "pytest": "python3-pytest"},
          "types": {"numpy": "python3-numpy", "mypy": "mypy"}}
SKIPPED = 77


def missing(what):
    absent = [package for module, package in NEEDED[what].items() if importlib.util.find_spec(module) is None]
    return ", ".join(absent)


def commands(what, package, arguments):
    python = sys.executable
    if what == "package":
        yield [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(HERE), "-c", str(PROJECT / "pyproject.toml"),
               str(HERE), *arguments]
        return
    settings = ["--config-file", str(PROJECT / "pyproject.toml")]
    yield [python, "-m", "mypy", *settings, "--cache-dir", str(package.parent / "mypy"), str(package / "firth")]
    yield [python, "-m", "mypy.stubtest", "--mypy-config-file", str(PROJECT / "pyproject.toml"), "--allowlist",
           str(HERE / "stubtest_allowlist.txt"), "--ignore-unused-allowlist", "firth._firth"]


def main():
    what = sys.argv[1]
    if what == "missing":
        print(f"SKIPPED: the Python package is not built: {sys.argv[2]}")
        return SKIPPED
    absent = missing(what)
    if absent:
        print(f"SKIPPED: {absent} is missing; ./setup.sh python installs what the Python package needs")
        return SKIPPED
    package = pathlib.Path(sys.argv[2])
    environment = {**os.environ, "PYTHONPATH": str(package), "MYPYPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    for command in commands(what, package, sys.argv[3:]):
        done = subprocess.run(command, env=environment, cwd=package, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
