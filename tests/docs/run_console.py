#!/usr/bin/env python3
"""Runs the ```console blocks of pages and compares what the commands print with what the page shows.

In a block, a line that begins with `$ ` is given to the shell and the lines after it are what it prints (standard output
first, then standard error). A line `...` stands for any number of lines; times (`1.2 s`) may differ. All blocks of a page run
in one folder, one after the other.

run_console.py --command FIRTH PAGE... [--update]   (--update rewrites the pages)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
TIME = re.compile(r"\d+(\.\d+)? s\b")


def split_page(text):
    """The page as a list of (is_command, command or text, shown lines)."""
    parts, in_block = [], False
    for line in text.splitlines():
        if line == "```console":
            in_block = True
            parts.append((False, line, []))
        elif line.startswith("```"):
            in_block = False
            parts.append((False, line, []))
        elif in_block and line.startswith("$ "):
            parts.append((True, line[2:], []))
        elif in_block and parts[-1][0]:
            parts[-1][2].append(line)
        else:
            parts.append((False, line, []))
    return parts


def run(command, folder, environment):
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, timeout=300,
                          executable="/bin/bash")
    return (done.stdout + done.stderr).decode("utf-8", errors="backslashreplace").splitlines()


def same(shown, printed):
    shown = [TIME.sub("N s", line.rstrip()) for line in shown]
    printed = [TIME.sub("N s", line.rstrip()) for line in printed]
    if "..." not in shown:
        return shown == printed
    gap = shown.index("...")
    head, tail = shown[:gap], shown[gap + 1:]
    return (len(printed) >= len(head) + len(tail) and printed[:gap] == head
            and (not tail or printed[-len(tail):] == tail))


def updated(shown, printed):
    if "..." not in shown:
        return printed
    gap = shown.index("...")
    tail = len(shown) - gap - 1
    return printed[:gap] + ["..."] + (printed[-tail:] if tail else [])


def check_page(page, environment, update):
    parts = split_page(page.read_text(encoding="utf-8"))
    wrong, lines = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for is_command, text, shown in parts:
            lines.append("$ " + text if is_command else text)
            if not is_command:
                continue
            printed = run(text, folder, environment)
            if not same(shown, printed):
                wrong += 1
                print(f"{page.name}: $ {text}\n  printed:", *("  | " + line for line in printed), sep="\n")
                shown = updated(shown, printed)
            lines += shown
    if update and wrong:
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return wrong, sum(1 for part in parts if part[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if not shutil.which("bible"):
        print("skipped: the pages use the King James Bible; install the package bible-kjv")
        return SKIPPED
    environment = {**os.environ, "PATH": f"{arguments.command.resolve().parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                   "OPENBLAS_CORETYPE": "Prescott"}
    wrong = 0
    for page in arguments.pages:
        bad, count = check_page(page, environment, arguments.update)
        wrong += bad
        print(f"{page.name}: {count} commands, {bad} of them print something else")
    return 1 if wrong and not arguments.update else 0


if __name__ == "__main__":
    sys.exit(main())
