#!/usr/bin/env python3
"""clang-format and clang-tidy as tests.

Usage: lint.py format PROJECT
       lint.py tidy PROJECT --build FOLDER [--all] [--seconds N]

`format` looks at every source file. `tidy` takes minutes per hundred files, so it looks at the files that differ from the last
commit but one, then at others in an order that changes with every commit, until its time is over; --all (or FIRTH_TIDY=all)
has no end of time. A missing tool skips the test, by name.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
VERSION = "14"  # another version formats in another way


def tool(name):
    found = shutil.which(f"{name}-{VERSION}") or shutil.which(name)
    if found and f"version {VERSION}" in subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout:
        return found
    print(f"SKIPPED: {name} {VERSION} is not installed; './setup.sh lint' installs it")
    sys.exit(SKIPPED)


def git(project, *words):
    done = subprocess.run(["git", "-C", str(project), *words], capture_output=True, text=True, check=False)
    return done.stdout.split("\n") if done.returncode == 0 else []


def check_format(arguments):
    formatter = tool("clang-format")
    folders = ("src", "include", "tools", "bindings", "tests", "bench", "examples")
    files = [str(path) for folder in folders for path in sorted((arguments.project / folder).rglob("*.?pp"))]
    done = subprocess.run([formatter, "--dry-run", "-Werror", *files], capture_output=True, text=True, check=False)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "error: code should be clang-formatted" in line})
    for file in wrong:
        print(f"{file}: run {formatter} -i on it")
    print(f"{len(files)} files, {len(wrong)} not formatted")
    return 1 if wrong or done.returncode else 0


def without_precompiled(entry):
    """The compile command without the header that another compiler has precompiled, and without the launcher."""
    command = re.sub(r"-Winvalid-pch|-include \S*cmake_pch\.hxx", "", entry["command"])
    return {**entry, "command": re.sub(r"^\S*ccache ", "", command)}


def sources_in_order(arguments, entries):
    """Changed files first, then all others in an order of this commit's own."""
    ours = [entry["file"] for entry in entries if "/src/" in entry["file"] or "/tools/" in entry["file"]]
    commit = "".join(git(arguments.project, "rev-parse", "HEAD"))
    changed = {str(arguments.project / name) for name in git(arguments.project, "diff", "--name-only", "HEAD~1") if name}
    shuffled = sorted(ours, key=lambda file: hashlib.sha256((commit + file).encode()).digest())
    return sorted(shuffled, key=lambda file: file not in changed)


def check_tidy(arguments):
    checker = tool("clang-tidy")
    entries = [without_precompiled(entry) for entry in
               json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))]
    files = sources_in_order(arguments, entries)
    everything = arguments.all or os.environ.get("FIRTH_TIDY") == "all"
    end = float("inf") if everything else time.monotonic() + arguments.seconds
    failed, looked_at = [], 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")

        def check(file):
            if time.monotonic() > end:
                return None
            command = [checker, "-p", folder, "--quiet", "--extra-arg=-Wno-unknown-warning-option", file]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for file, done in zip(files, pool.map(check, files)):
                looked_at += done is not None
                if done is not None and done.returncode != 0:
                    failed.append(file)
                    print(done.stdout)
    print(f"clang-tidy: {looked_at} of {len(files)} files looked at, {len(failed)} with complaints")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["format", "tidy"])
    parser.add_argument("project", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    return check_format(arguments) if arguments.what == "format" else check_tidy(arguments)


if __name__ == "__main__":
    sys.exit(main())
