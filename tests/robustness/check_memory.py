#!/usr/bin/env python3
"""The memory that --dry-run tells beforehand is what clustering takes at its peak.

check_memory.py --command FIRTH
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

WORDS = 4000
TOKENS = 250000
CLASSES = {"effort": 700, "method": 2000}  # Brown clustering takes less
# Peak less what the command takes without any work, against what was told: told too little is worse than too much.
MOST = 1.05
LEAST = 0.5


def write_text(path):
    """Words with frequencies like those of a language, in lines of ten."""
    rng = random.Random(1)
    words = [f"w{rank}" for rank in range(WORDS)]
    weights = [1 / (rank + 3) for rank in range(WORDS)]
    tokens = rng.choices(words, weights, k=TOKENS)
    path.write_text("\n".join(" ".join(tokens[i:i + 10]) for i in range(0, TOKENS, 10)) + "\n")


def peak_megabytes(arguments, folder):
    process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    messages = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)} failed: {messages}")
    return used.ru_maxrss / 1024


def told_megabytes(arguments, folder):
    text = subprocess.run([*arguments, "--dry-run"], cwd=folder, check=True, capture_output=True, text=True).stdout
    number, unit = re.search("about ([0-9.]+) ([KMG]B)", text).groups()
    return float(number) * {"KB": 1 / 1024, "MB": 1, "GB": 1024}[unit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    command = os.path.abspath(parser.parse_args().command)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_text(folder / "text.txt")
        subprocess.run([command, "count", "text.txt", "-o", "counts"], cwd=folder, check=True, capture_output=True)
        nothing = peak_megabytes([command, "--version"], folder)
        for kind in ["effort fast", "effort normal", "effort high", "method brown"]:
            for threads in ["1", "2"]:
                option, value = kind.split()
                search = [command, "cluster", "counts", "-c", str(CLASSES[option]), f"--{option}", value, "--threads", threads, "-o", f"{value}{threads}"]
                told = told_megabytes(search, folder)
                peak = peak_megabytes(search, folder) - nothing
                good = LEAST * told <= peak <= MOST * told
                failures += not good
                print(f"{'' if good else 'FAILED: '}{kind}, {threads} threads: {told:.0f} MB told, {peak:.0f} MB taken")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
