#!/usr/bin/env python3
"""Checks names and English: no private metaphors, `max` and `min` for limits, `per` for rates, real places in traces.

Usage: check_words.py PROJECT. Prints every breach as file:line: message; exit 1 if there is one. Files that are excused
are in exceptions.py, OLD_WORDS, each with the rules that it may break.
"""
import pathlib
import re
import sys

import exceptions

# Parts of identifiers, and what to say instead.
BANNED = {
    r"\bkMost\w*|\bmost_\w*": "a limit is a maximum: kMax..., max_...",
    r"\bkLeast\w*|\bleast_\w+|\bkFewest\w*": "a limit is a minimum: kMin..., min_...",
    r"(?i)\w*pastime\w*": "idle task",
    r"(?i)\bscouts?\b|\w+_scouts?\b|\w*[a-z]Scouts?\b": "lookahead",
    r"(?i)\bbreath(e|es|ing|s)?\b|\bBreath\w+|\bexhaled\b": "split-merge cycle",
    r"\bstory_?\b": "history, log",
    r"\bWorkbench\b|\bGround\b": "SearchContext, SearchProblem",
    r"\bsees_change\b|\bhand_over\b|\btake_back\b|\bgive_back\b": "wait_for_change, publish, collect, return_to_pool",
    r"\bbare_\w+|\bvoters_?\b": "unannotated_..., models_with_parse",
    r"\btag_text\b|\bEffort::standard\b|\bpart_of\(": "decode_text, SearchEffort::normal, sample_sentences",
    r"\b(enum class|struct|class) (Coverage|Boundaries|Branching|Effort|Merge|Hierarchy|Marginals|Leaves|Where)\b":
        "a name that says what it is of: TextCoverage, TextBoundaries, TreeBranching, SearchEffort, TreeMerge",
}

# Rates. The first noun is what is counted, the second what it is counted by; "gives a word a class" is a sentence of another
# kind, so verbs that take two objects are let through.
COUNTED = ("word|line|token|state|leaf|leave|sentence|verse|tree|class|addition|number|byte|bit|second|pair|count|feature|"
           "tag|column|item|entry|program|score|row|vector|record|thread|step|merge|value|parameter|test|constraint")
BY = ("line|class|word|symbol|lane|second|token|file|thread|node|sentence|state|row|tag|pass|verse|tree|pair|step|merge|"
      "section|column|folder|group|vector|slot|command|format|method|feature|phrase|place")
RATE = re.compile(rf"\b(?:(?:{COUNTED})(?:s|es)?|one|entries) an? (?:{BY})\b(?! of)")
TWO_OBJECTS = re.compile(r"\b(give|gives|giving|gave|given|make|makes|call|calls|assign|assigns|tell|tells|show|shows|lend|"
                         r"lends|buy|buys|cost|costs|is|are|was|becomes?)\b[^.;:]*$")
PHRASES = {
    r"\b[Ss]o many\b(?! that)": "name the number: N words, this many words",
    r"\b(is|are|was|were|be|being|not) looked at\b": "examined, used, tried",
    r"\b(?<!what )(stand|stands|stood) (in (a|it|the|them|rows|order)|at (a|its|the)|before the)\b": "is, comes",
    r"\b(good|valid) until the next call\b(?<!valid until the next call)": "valid until",
    r"\bStart of all random numbers\b": "random seed",
}
NOT_OURS = {"find_package"}
TEXT_SUFFIXES = {".md", ".cpp", ".hpp", ".py", ".sh", ".cmake", ".case", ".in"}
HERE = "tests/structure/"


def checked_files(project):
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if path.suffix in TEXT_SUFFIXES and not name.startswith(("build/", "dist/", "sample/", "out/", ".git/", HERE)) and "node_modules/" not in name:
            yield name, path


def line_problems(line):
    """Pairs of the kind of a breach and what to say about it."""
    for pattern, instead in BANNED.items():
        if match := re.search(pattern, line):
            yield "names", f"'{match[0]}': {instead}"
    for match in RATE.finditer(line):
        if not TWO_OBJECTS.search(line[:match.start()]):
            yield "rates", f"'{match[0]}': per"
    for pattern, instead in PHRASES.items():
        if match := re.search(pattern, line):
            yield "phrases", f"'{match[0]}': {instead}"


def check_words(project, problems, notes):
    needed = set()
    for name, path in checked_files(project):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for kind, message in line_problems(line):
                needed.add((name, kind))
                if kind not in exceptions.OLD_WORDS.get(name, ""):
                    problems.append(f"{name}:{number}: {message}")
    for name, kinds in exceptions.OLD_WORDS.items():
        for kind in kinds.split():
            if (name, kind) not in needed:
                notes.append(f"tests/structure/exceptions.py: '{name}' is free of old {kind}: take the exception away")


def mentioned(page):
    """Files and functions that ARCHITECTURE.md names in back quotes: line number and name."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for name in re.findall(r"`([^`]+)`", line):
            yield number, name


def check_traces(project, problems):
    """Every file that ARCHITECTURE.md names exists, and every function is somewhere in the sources."""
    sources = [path for folder in ("src", "include", "tools") for path in (project / folder).rglob("*.?pp")]
    tests = [path for path in (project / "tests").rglob("*.?pp")]
    names = {path.name for path in sources + tests}
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for number, name in mentioned(project / "ARCHITECTURE.md"):
        if re.fullmatch(r"[\w/]+\.(cpp|hpp|py|md)", name):
            found = name in names or any((project / folder / name).exists() for folder in ("", "src", "include/firth"))
        elif re.fullmatch(r"\w+::run|[a-z]+_[a-z_]+|[A-Z][a-z]+[A-Z]\w+", name):
            found = re.search(rf"\b{re.escape(name.split('::')[0])}\b", text) is not None
        else:
            continue
        if not found and name not in NOT_OURS:
            problems.append(f"ARCHITECTURE.md:{number}: there is no {name}")


def main():
    project = pathlib.Path(sys.argv[1])
    problems, notes = [], []
    check_words(project, problems, notes)
    check_traces(project, problems)
    print("\n".join(notes + problems) if notes or problems else "names and words keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
