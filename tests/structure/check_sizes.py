#!/usr/bin/env python3
"""Checks the sizes that CONTRIBUTING.md promises: functions, parameters, classes, files.

Usage: check_sizes.py PROJECT. Prints every breach as file:line: message; exit 1 if there is one. Exceptions stand
in exceptions.py.
"""
import pathlib
import sys

import exceptions
from cpp_outline import outline

MAX_FUNCTION = 60
P90_FUNCTION = 20
MAX_PARAMETERS = 5
MAX_CLASS_SPAN = 150
MAX_MEMBERS = 12
MAX_FILE = 400
REASON = "Large because"
HEAD = 12  # lines above a class in which its reason may stand


class Checker:
    def __init__(self, project):
        self.project = project
        self.problems, self.notes, self.used, self.lengths = [], [], set(), []

    def excused(self, allowed, key):
        if key in allowed:
            self.used.add(key)
        return key in allowed

    def complain(self, file, line, message):
        self.problems.append(f"{file}:{line}: {message}")

    def check_function(self, file, function):
        key = f"{file}::{function.name}"
        if function.length > MAX_FUNCTION and not self.excused(exceptions.LONG_FUNCTIONS, key):
            self.complain(file, function.line, f"{function.name} has {function.length} lines, more than {MAX_FUNCTION}")
        if function.parameters > MAX_PARAMETERS and not self.excused(exceptions.MANY_PARAMETERS, key):
            self.complain(file, function.line,
                          f"{function.name} has {function.parameters} parameters, more than {MAX_PARAMETERS}")

    def check_class(self, file, item, lines):
        if item.span <= MAX_CLASS_SPAN and item.members <= MAX_MEMBERS:
            return
        above = lines[max(0, item.line - 1 - HEAD):item.line - 1]
        if any(REASON in line for line in above) or self.excused(exceptions.LARGE_CLASSES, f"{file}::{item.name}"):
            return
        self.complain(file, item.line, f"{item.name} has {item.span} lines and {item.members} data members, more than "
                      f"{MAX_CLASS_SPAN} or {MAX_MEMBERS}: take it apart, or say '{REASON} ...' at its head")

    def check_file(self, path):
        file = path.relative_to(self.project).as_posix()
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_FILE and not self.excused(exceptions.LONG_FILES, file):
            self.complain(file, 1, f"{len(lines)} lines, more than {MAX_FILE}: is it one idea?")
        if file.startswith("tests/"):
            return  # a test may tell a long story
        functions, classes = outline("\n".join(lines))
        self.lengths += [function.length for function in functions]
        for function in functions:
            self.check_function(file, function)
        for item in classes:
            self.check_class(file, item, lines)

    def check_totals(self):
        """A tenth of all functions may be longer than P90_FUNCTION, and an exception that is left over is mentioned."""
        long = sum(length > P90_FUNCTION for length in self.lengths)
        if long * 10 > len(self.lengths):
            self.complain("CONTRIBUTING.md", 1, f"{long} of {len(self.lengths)} functions have over {P90_FUNCTION} lines")
        tables = (exceptions.LONG_FUNCTIONS, exceptions.MANY_PARAMETERS, exceptions.LARGE_CLASSES, exceptions.LONG_FILES)
        for key in (key for table in tables for key in table):
            if key not in self.used:
                self.notes.append(f"tests/structure/exceptions.py: '{key}' needs no exception any more: take it away")


def main():
    checker = Checker(pathlib.Path(sys.argv[1]))
    folders = ("src", "include", "tools", "bindings", "tests", "bench", "examples")
    paths = [path for folder in folders for path in sorted((checker.project / folder).rglob("*"))]
    for path in paths:
        if path.suffix in {".cpp", ".hpp"}:
            checker.check_file(path)
    checker.check_totals()
    summary = [] if checker.problems else [f"{len(checker.lengths)} functions keep their sizes"]
    print("\n".join(checker.notes + checker.problems + summary))
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
