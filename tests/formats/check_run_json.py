#!/usr/bin/env python3
"""run.json is what docs/formats.md says: every key is in the table there, has the type that the table gives, and every row of
the table is met by at least one run.

Usage: check_run_json.py --command FIRTH --page docs/formats.md
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TYPES = {
    "text": lambda value: isinstance(value, str),
    "whole number": lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
    "number": lambda value: value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)),
    "list of numbers": lambda value: isinstance(value, list) and all(TYPES["number"](item) for item in value),
}
TEXT = "the cat sees the dog\nthe dog sees the cat\na cat saw a dog\na dog saw a cat\n" * 5
RUNS = [
    ["cluster", "text.txt", "-c", "3"],
    ["cluster", "text.txt", "-c", "3", "--method", "exchange"],
    ["cluster", "text.txt", "-c", "3", "--method", "brown"],
    ["cluster", "text.txt", "-c", "3", "--method", "spectral", "--dim", "2"],
    ["cluster", "text.txt", "-c", "3", "--method", "pos"],
    ["embed", "text.txt", "-d", "2"],
]


def table(page):
    """The rows `key | type | meaning` of the section on run.json."""
    section = page.read_text(encoding="utf-8").split("### run.json", 1)[1].split("\n#", 1)[0]
    return dict(re.findall(r"^\| `([^`]+)` \| ([a-z ]+) \|", section, re.MULTILINE))


def values(item, path=""):
    """Pairs of a key as the table writes it (inputs[].path) and a value."""
    if isinstance(item, dict):
        for key, value in item.items():
            yield from values(value, f"{path}.{key}" if path else key)
    elif isinstance(item, list) and any(isinstance(value, dict) for value in item):
        for value in item:
            yield from values(value, path + "[]")
    elif item != []:
        yield path, item


def row_of(key, rows):
    return key if key in rows else next((row for row in rows if row.endswith(".*") and key.startswith(row[:-1])), None)


def without_times(item):
    if isinstance(item, dict):
        return {key: without_times(value) for key, value in item.items() if key not in {"seconds", "peak_memory_bytes"}}
    return [without_times(value) for value in item] if isinstance(item, list) else item


def record_of(command, words, folder, threads):
    output = folder / "out"
    line = [command, *words, "-o", str(output), "--threads", threads, "--progress", "never"]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)
    record = json.loads((output / "run.json").read_text(encoding="utf-8"))
    record["options"].pop("--threads", None)
    return record


def check_run(command, words, folder, rows, met):
    record = record_of(command, words, folder, "1")
    for key, value in values(record):
        row = row_of(key, rows)
        if row is None:
            yield f"'{key}' is not in the table"
        elif not TYPES[rows[row]](value):
            yield f"'{key}' is no {rows[row]}: {value!r}"
        else:
            met.add(row)
    if record["inputs"][0]["bytes"] != len(TEXT):
        yield "the size of the input is wrong"
    if without_times(record) != without_times(record_of(command, words, folder, "2")):
        yield "two threads give another record"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    rows = table(arguments.page)
    problems, met = [], set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "text.txt").write_text(TEXT, encoding="utf-8")
        for words in RUNS:
            found = check_run(str(pathlib.Path(arguments.command).resolve()), words, folder, rows, met)
            problems += [f"firth {' '.join(words)}: {problem}" for problem in found]
    problems += [f"{arguments.page}: no run has '{row}'" for row in sorted(set(rows) - met)]
    print("\n".join(problems) if problems else f"{len(rows)} keys are as described")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
