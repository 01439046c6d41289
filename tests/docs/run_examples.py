#!/usr/bin/env python3
"""The scripts in examples/ run, at a small size, and say what they are supposed to say.

Usage: run_examples.py --command FIRTH --examples FOLDER
"""
import argparse
import pathlib
import subprocess
import sys

RUNS = {
    "token_classes.py": (["--vocabulary", "300", "--tokens", "20000", "--classes", "12"], "recall@4"),
    "session_codes.py": (["--items", "400", "--groups", "16", "--tokens", "30000"], "unique: True"),
    "speech_units.py": (["--units", "100", "--sounds", "12", "--tokens", "20000"], "redundancy"),
    "embeddings.py": (["--vectors", "1500", "--dimensions", "8", "--centres", "30", "--classes", "30", "--libraries", "0"], "firth ward"),
    "log_lines.py": (["--lines", "2000", "--classes", "20"], "precision"),
}


def problems(command, folder):
    for path in sorted(folder.glob("*.py")):
        if path.name == "common.py":
            continue
        if path.name not in RUNS:
            yield f"{path.name} is not run by this test"
            continue
        options, expected = RUNS[path.name]
        done = subprocess.run([sys.executable, path, "--firth", command, *options], capture_output=True, text=True, timeout=300)
        if done.returncode != 0 or expected not in done.stdout:
            yield f"{path.name}: exit {done.returncode}, no '{expected}' in\n{done.stdout}{done.stderr}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--examples", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    found = list(problems(str(pathlib.Path(arguments.command).resolve()), arguments.examples))
    print("\n".join(found) or f"{len(RUNS)} examples run")
    sys.exit(1 if found else 0)


main()
