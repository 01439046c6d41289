#!/usr/bin/env python3
"""clang-format and clang-tidy as tests.

Usage: lint.py format PROJECT
       lint.py tidy PROJECT --build FOLDER [--all] [--seconds N]

`format` looks at every source file. `tidy` takes ten seconds per file alone, and one for many as one, but without the analyzer.
So it looks at the files that differ from the last commit but one, each alone, then at folders in an order that changes with every
commit, until its time is over (two processors need four minutes for all). --all (or FIRTH_TIDY=all) looks at each file alone, with
no end of time. Any finding fails. A missing tool skips the test, by name.
"""
import argparse
import collections
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


def own_flags(entry):
    """The compile command without the names of this file."""
    return re.sub(r" -o \S+| -c \S+", "", entry["command"])


def rooms(project, entries):
    """Files of one folder that are compiled alike, at most 25 together: most of the time goes into what they all include."""
    groups = collections.defaultdict(list)
    for entry in entries:
        folder = pathlib.Path(entry["file"]).relative_to(project).parts[:-1]
        groups[(folder[:3], own_flags(entry))].append(entry)
    return [group[i:i + 25] for group in groups.values() for i in range(0, len(group), 25)]


def write_rooms(folder, groups):
    """A file per room that includes its files; their compile commands."""
    commands = []
    for number, group in enumerate(groups):
        path = pathlib.Path(folder) / f"room_{number}.cpp"
        path.write_text("".join(f'#include "{entry["file"]}"\n' for entry in group), encoding="utf-8")
        commands.append({"directory": group[0]["directory"], "file": str(path), "command": f"{own_flags(group[0])} -c {path}"})
    return commands


class Tidy:
    """Runs clang-tidy on files until the time is over."""

    def __init__(self, arguments, commands, folder):
        self.checker, self.folder = tool("clang-tidy"), folder
        self.config = f"--config-file={arguments.project / '.clang-tidy'}"
        self.end = float("inf") if arguments.all else time.monotonic() + arguments.seconds
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")

    def run(self, job):
        """What clang-tidy says of a file or of a room (files that are read together); None if it was too late."""
        path, together = job
        if time.monotonic() > self.end:
            return None
        command = [self.checker, "-p", self.folder, "--quiet", self.config, "--extra-arg=-Wno-unknown-warning-option"]
        if together:  # the analyzer looks at the functions of the main file only
            command += ["--checks=-clang-analyzer-*,-bugprone-suspicious-include", "--extra-arg=-Wno-error"]
        done = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        if together and "clang-diagnostic-error" in done.stdout:
            return "".join(self.run((file, False)) or "" for file in together)  # two of them use a name of their own twice
        return done.stdout if done.returncode != 0 else ""


def check_tidy(arguments):
    folders = tuple(f"{arguments.project / folder}/" for folder in ("src", "tools"))
    entries = [without_precompiled(entry) for entry in
               json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
               if entry["file"].startswith(folders)]
    commit = "".join(git(arguments.project, "rev-parse", "HEAD"))
    changed = {str(arguments.project / name) for name in git(arguments.project, "diff", "--name-only", "HEAD~1") if name}
    alone = [entry["file"] for entry in entries if arguments.all or entry["file"] in changed]
    groups = [] if arguments.all else sorted(rooms(arguments.project, entries),
                                             key=lambda group: hashlib.sha256((commit + group[0]["file"]).encode()).digest())
    seen, complaints = set(), set()
    with tempfile.TemporaryDirectory() as folder:
        commands = write_rooms(folder, groups)
        tidy = Tidy(arguments, entries + commands, folder)
        jobs = [(file, []) for file in alone]
        jobs += [(command["file"], [entry["file"] for entry in group]) for command, group in zip(commands, groups)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, said in zip(jobs, pool.map(tidy.run, jobs)):
                if said is not None:
                    seen.update(job[1] or [job[0]])
                if said:
                    print(said)
                    complaints.update(re.findall(r"^(/[^:\n]+):\d+:\d+: error:", said, re.MULTILINE) or [job[0]])
    files = {entry["file"] for entry in entries}
    print(f"clang-tidy: {len(seen)} of {len(files)} files looked at, {len(complaints)} with complaints")
    return 1 if complaints else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["format", "tidy"])
    parser.add_argument("project", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=360)
    parser.add_argument("--all", action="store_true", default=os.environ.get("FIRTH_TIDY") == "all")
    arguments = parser.parse_args()
    return check_format(arguments) if arguments.what == "format" else check_tidy(arguments)


if __name__ == "__main__":
    sys.exit(main())
