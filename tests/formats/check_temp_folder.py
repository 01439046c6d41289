#!/usr/bin/env python3
"""Temporary files go where --temp-folder says, or else $TMPDIR, in every command that makes any.

Usage: check_temp_folder.py --command FIRTH. A folder that is not there is named by the command that wanted to use it.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MEMORY = ["--memory", "16M", "--threads", "1"]  # less than the words and pairs below take
SPILLING = [
    ["count", "text", "-o", "out"], ["phrases", "text", "-o", "out"], ["cluster", "text", "-c", "2", "-o", "out"], ["choose", "text"],
    ["compare", "text", "-c", "2", "-o", "out"], ["tree", "paths", "text", "-o", "out"], ["assign", "paths", "text", "-o", "out"],
    ["evaluate", "paths", "--text", "text"], ["embed", "text", "-d", "2", "-o", "out"], ["lm", "count", "text", "-o", "out"],
    ["lm", "train", "--words", "text", "-o", "out"], ["pipeline", "text", "--labelled", "tags", "-o", "out"],
    ["count", "text", "--vocab", "few", "--rare", "unk", "-o", "out"],
]
# Read standard input twice, and so copy it first.
COPYING = [
    ["prototypes", "paths", "-", "-o", "out"], ["phrases", "-", "--max-words", "3", "-o", "out"], ["lm", "count", "-", "-o", "out"],
    ["lm", "train", "--words", "-", "-o", "out"], ["count", "-", "--min-count", "2", "--rare", "drop", "-o", "out"],
]
# Have the option with --memory, but keep what they make in memory or refuse.
NEVER = ["hmm train", "lm export", "tag train", "tag compare", "parse train", "parse run", "parse score", "sample brown", "sample lpcfg"]
SMALL = [["count", "text", "-o", "out"], ["lm", "count", "text", "-o", "out"]]


def with_option(command):
    """Commands whose help has --temp-folder."""
    page = subprocess.run([command, "--reference"], capture_output=True, text=True, check=True).stdout
    sections = re.split(r"\n## `firth ([a-z -]+)`\n", page)
    return {name for name, text in zip(sections[1::2], sections[2::2]) if "--temp-folder" in text}


class Folder:
    def __init__(self, command, path):
        self.command, self.path = command, path
        (path / "text").write_text("".join(f"number-{i} the of-{i % 7}\n" for i in range(200_000)))
        (path / "few").write_text("".join(f"number-{i}\n" for i in range(0, 200_000, 2)))
        (path / "paths").write_text("00\tthe\t3\n01\tof-1\t1\n")
        (path / "tags").write_text("the\tX\n\n" * 20)
        (path / "here").mkdir()

    def run(self, arguments, tmpdir):
        with open(self.path / "text", "rb") as text:
            done = subprocess.run([self.command, *arguments], cwd=self.path, stdin=text, capture_output=True, text=True,
                                  timeout=300, env=dict(os.environ, TMPDIR=tmpdir))
        return done.returncode, done.stderr

    def problems_of(self, arguments, limits):
        """A folder that is missing is asked for by its name, whoever names it."""
        for tmpdir, option in (("missing", []), ("here", ["--temp-folder", "missing"])):
            code, error = self.run([*arguments, *limits, *option], tmpdir)
            if code != 1 or "missing: cannot create a temporary file" not in error:
                yield f"firth {' '.join(arguments)} with $TMPDIR={tmpdir} {' '.join(option)}: exit code {code}, {error.strip()}"

    def problems_of_success(self, arguments):
        """The option is stronger than the variable; nothing is left in the folder."""
        for tmpdir, option in (("here", []), ("missing", ["--temp-folder", "here"])):
            code, error = self.run([*arguments, *MEMORY, *option], tmpdir)
            left = [path.name for path in (self.path / "here").iterdir()]
            if code != 0 or left:
                yield f"firth {' '.join(arguments)} with $TMPDIR={tmpdir} {' '.join(option)}: exit code {code}, left {left}, {error.strip()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    command = str(pathlib.Path(parser.parse_args().command).resolve())
    tried = {" ".join(word for word in case[:2] if not word.startswith("-") and word not in {"text", "paths", "-"}) for case in SPILLING + COPYING}
    problems = [f"firth {name} has --temp-folder, but is not tried here" for name in sorted(with_option(command) - tried - set(NEVER))]
    with tempfile.TemporaryDirectory(prefix="firth-temp-") as path:
        folder = Folder(command, pathlib.Path(path))
        problems += [problem for case in SPILLING for problem in folder.problems_of(case, MEMORY)]
        problems += [problem for case in COPYING for problem in folder.problems_of(case, [])]
        problems += [problem for case in SMALL for problem in folder.problems_of_success(case)]
    print("\n".join(problems) or f"{len(SPILLING) + len(COPYING)} command lines put their temporary files where they are told")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
