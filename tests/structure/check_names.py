#!/usr/bin/env python3
"""A name that a source file keeps to itself is nobody else's: no header and no other source file of its room declares it.

Usage: check_names.py PROJECT. Prints every breach as file:line: message; exit 1 if there is one.

A first build compiles many files of a room as one (cmake/unity.cmake). There, a name of one file's anonymous namespace would be
found before the name of a header, in every file that follows, and the compiler has nothing to say about it.
"""
import collections
import pathlib
import sys

from cpp_names import declared

SHARED = {"main"}


def room_of(path, project):
    """The first folder below src; the command is one room."""
    parts = path.relative_to(project).parts
    return parts[1] if parts[0] == "src" else parts[0]


def header_names(project):
    """Names of all headers: where each is declared, by name and namespace."""
    where = collections.defaultdict(dict)
    for folder in ("include", "src", "tools/firth"):
        for path in sorted((project / folder).rglob("*.hpp")):
            for name in declared(path.read_text(encoding="utf-8")):
                where[name.name].setdefault(name.space, path.relative_to(project))
    return where


def is_around(outer, inner):
    return inner[:len(outer)] == outer


def hidden_file(name, file, public, room):
    """A file whose name of the same spelling this one hides, or is hidden by, if all of a room is compiled as one."""
    for space, other in public[name.name].items():
        if is_around(space, name.space):
            return other
    for other_name, other in room[name.name]:
        meet = is_around(other_name.space, name.space) or is_around(name.space, other_name.space)
        if other != file and meet and not (name.alias and name.alias == other_name.alias):
            return other
    return None


def check(project):
    public = header_names(project)
    rooms = collections.defaultdict(lambda: collections.defaultdict(list))
    problems = []
    for path in sorted(path for folder in ("src", "tools/firth") for path in (project / folder).rglob("*.cpp")):
        file, room = path.relative_to(project), rooms[room_of(path, project)]
        for name in declared(path.read_text(encoding="utf-8")):
            if name.private and name.name not in SHARED:
                if other := hidden_file(name, file, public, room):
                    problems.append(f"{file}:{name.line}: {name.name} is a name of {other}, too: compiled as one, one of them would hide the other")
                room[name.name].append((name, file))
    return problems, sum(map(len, rooms.values()))


def main():
    problems, names = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or f"{names} names belong to one file each")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
