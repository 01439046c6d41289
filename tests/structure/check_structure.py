#!/usr/bin/env python3
"""Checks the rules that ARCHITECTURE.md states: who may include whom, that the library is silent, and sizes.

Usage: check_structure.py PROJECT_FOLDER. Prints every breach as file:line: message; exit 1 if there is one.
"""
import pathlib
import re
import sys

# What each folder of src/ may include besides itself and base. A folder brings in only itself, not what is below it.
MAY_INCLUDE = {
    "base": set(),
    "corpus": set(),
    "linalg": set(),
    "cluster": {"corpus"},
    "cluster/brown": {"corpus", "cluster"},
    "cluster/exchange": {"corpus", "cluster", "cluster/brown"},
    "cluster/spectral": {"corpus", "cluster", "linalg", "cluster/exchange"},
    "cluster/svd2": {"corpus", "cluster", "linalg", "cluster/exchange", "cluster/spectral"},
    "cluster/pos": {"corpus", "cluster", "cluster/exchange"},
    "sample": {"corpus", "cluster", "treebank", "grammar"},
    "lm": {"corpus", "cluster"},
    "hmm": {"corpus", "cluster"},
    "tagger": {"corpus", "cluster", "cluster/spectral"},  # of spectral: the vectors in embed.hpp
    "treebank": {"corpus"},
    "grammar": {"corpus", "cluster", "linalg", "treebank"},
    "parser": {"corpus", "treebank", "grammar"},
}
EVERYTHING = {"evaluate", "report"}  # these may include every folder

# The folder that each public header belongs to.
HEADER_FOLDER = {
    "error": "base", "types": "base", "progress": "base", "build_info": "base", "version": "base",
    "corpus": "corpus", "counts": "corpus", "sample": "sample",
    "clustering": "cluster", "cluster": "cluster", "brown": "cluster/brown", "exchange": "cluster/exchange",
    "constraints": "cluster/exchange", "search": "cluster/exchange", "tree": "cluster/exchange", "assign": "cluster/exchange",
    "spectral": "cluster/spectral", "embed": "cluster/spectral", "svd2": "cluster/svd2", "pos": "cluster/pos",
    "class_lm": "lm", "hmm": "hmm", "tagger": "tagger", "features": "tagger", "tag_score": "tagger", "treebank": "treebank", "lpcfg": "grammar", "latent": "grammar", "parser": "parser",
    "evaluate": "evaluate", "tagging": "evaluate", "parseval": "evaluate", "report": "report",
}

SILENCE = re.compile(r"std::cout|std::cerr|std::clog|\bprintf\(|fprintf\(|\bf?puts\(|\babort\(|[^_a-z]exit\(|getenv")
STANDARD = re.compile(r"^[a-z0-9_/]+(\.h)?$")
MOST_LINES = 600


def included(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#include ([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


def edge_problem(folder, target):
    if folder == target or folder in EVERYTHING or target == "base":
        return None
    if folder not in MAY_INCLUDE:
        return f"folder '{folder}' has no include rule: add it here and to ARCHITECTURE.md"
    if target in MAY_INCLUDE[folder]:
        return None
    return f"'{folder}' may not include '{target}'"


def include_problem(path, folder, kind, name):
    if kind == '"' and name.startswith("firth/"):
        header = name[len("firth/"):-len(".hpp")]
        if header not in HEADER_FOLDER:
            return f"public header '{name}' belongs to no folder: add it here"
        return edge_problem(folder, HEADER_FOLDER[header])
    if kind == '"':
        return edge_problem(folder, pathlib.PurePosixPath(name).parent.as_posix())
    if name.startswith("tbb/") and path.stem not in {"tasks", "build_info"}:
        return "only base/tasks knows the threading library"
    if name.startswith("Eigen/") and path.suffix == ".hpp" and folder != "linalg":
        return "Eigen stays in .cpp files and in linalg"
    return None


def check_source(path, source, problems):
    folder = path.parent.relative_to(source).as_posix()
    for number, kind, name in included(path):
        problem = include_problem(path, folder, kind, name)
        if problem:
            problems.append(f"{path}:{number}: {problem}")


def check_silence(path, problems):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if SILENCE.search(line.split("//")[0]):
            problems.append(f"{path}:{number}: the library must not print, exit or read the environment")


def check_public_header(path, problems):
    for number, kind, name in included(path):
        if kind == "<" and not STANDARD.match(name):
            problems.append(f"{path}:{number}: public headers use standard types only")
        if kind == '"' and not name.startswith("firth/"):
            problems.append(f"{path}:{number}: public headers include public headers only")


def check_user(path, source, problems):
    folders = tuple(f"{folder.name}/" for folder in source.iterdir() if folder.is_dir())
    for number, _, name in included(path):
        if name.startswith(folders):
            problems.append(f"{path}:{number}: commands and examples include only <firth/...>")


def check_text(path, problems):
    data = path.read_bytes()
    if any(byte > 126 for byte in data):
        problems.append(f"{path}: sources are ASCII")
    lines = data.count(b"\n")
    if lines > MOST_LINES:
        problems.append(f"{path}: {lines} lines, more than {MOST_LINES}: is it one idea?")


def code_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in {".cpp", ".hpp"})


def main():
    project = pathlib.Path(sys.argv[1])
    source = project / "src"
    problems = []
    for path in code_files(source):
        check_source(path, source, problems)
        check_silence(path, problems)
    for path in code_files(project / "include"):
        check_public_header(path, problems)
        check_silence(path, problems)
    for folder in ("tools", "examples"):
        for path in code_files(project / folder):
            check_user(path, source, problems)
    places = ("src", "include", "tools", "tests", "bench", "examples")
    checked = [path for folder in places for path in code_files(project / folder)]
    for path in checked:
        check_text(path, problems)
    print("\n".join(problems) if problems else f"{len(checked)} files keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
