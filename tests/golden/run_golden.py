#!/usr/bin/env python3
"""Golden tests of the command: each case is a file of commands with the expected exit code and output.

A case file has blocks:

    $ firth count missing.txt -o out
    ? 1
    stdout or stderr lines, exactly

Lines before the first `$` make files: `@ NAME` starts a file, the lines after it are its content. Each case
runs in its own empty folder; stdout comes first, then stderr. `~` at the start of an expected line: a regular
expression. A `$` line is given to the shell, with `firth` being the command under test.

run_golden.py --command FIRTH CASES [--update]   (--update rewrites the expectations)
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def parse(path):
    files, blocks, current = {}, [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@ ") and not blocks:
            current = files.setdefault(line[2:], [])
        elif line.startswith("$ "):
            current = []
            blocks.append({"command": line[2:], "code": 0, "expected": current})
        elif line.startswith("? ") and blocks and not blocks[-1]["expected"]:
            blocks[-1]["code"] = int(line[2:])
        elif line.startswith("#") and current is None:
            continue
        elif current is not None:
            current.append(line)
    for block in blocks:
        while block["expected"] and not block["expected"][-1]:
            block["expected"].pop()
    return files, blocks


def run(command, folder, environment):
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, executable="/bin/bash")
    text = (done.stdout + done.stderr).decode("utf-8", errors="backslashreplace")
    lines = text.splitlines()
    while lines and not lines[-1]:
        lines.pop()
    return done.returncode, lines


def matches(expected, lines):
    if len(expected) != len(lines):
        return False
    return all(re.fullmatch(e[1:], l) if e.startswith("~") else e == l for e, l in zip(expected, lines))


def check_case(path, environment, update):
    files, blocks = parse(path)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in files.items():
            target = pathlib.Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        for block in blocks:
            code, lines = run(block["command"], folder, environment)
            if code != block["code"] or not matches(block["expected"], lines):
                failures.append((block, code, lines))
                if update:
                    block["code"], block["expected"] = code, lines
    if failures and update:
        head = path.read_text(encoding="utf-8").split("\n$ ")[0]
        body = "".join("\n$ {}\n? {}\n{}".format(b["command"], b["code"], "".join(l + "\n" for l in b["expected"])) for b in blocks)
        path.write_text(head.rstrip("\n") + "\n" + body, encoding="utf-8")
    return len(blocks), failures


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("cases", type=pathlib.Path)
    arguments.add_argument("--command", type=pathlib.Path, required=True)
    arguments.add_argument("--update", action="store_true")
    options = arguments.parse_args()
    # OpenBLAS chooses its kernels by processor, and their last bits differ; in the tiny texts here such a bit decides between ties. One kernel
    # that every x86-64 has makes the expected output the same on every machine.
    environment = dict(os.environ, PATH=f"{options.command.resolve().parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8", OPENBLAS_CORETYPE="Prescott")
    total, failed = 0, 0
    for path in sorted(options.cases.glob("*.case")):
        count, failures = check_case(path, environment, options.update)
        total += count
        failed += len(failures)
        for block, code, lines in failures:
            print(f"{path.name}: $ {block['command']}\n  expected exit {block['code']}, got {code}; printed:")
            print("\n".join("  | " + line for line in lines))
    if total == 0:
        print(f"no cases in {options.cases}")
        return 1
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
