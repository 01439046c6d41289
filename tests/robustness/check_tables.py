#!/usr/bin/env python3
"""The tables of the runners against the reference page: a command, an output or an input that nobody tries is an error, so that a
new one cannot be forgotten.

check_tables.py --command FIRTH
"""
import argparse
import re
import subprocess
import sys

import campaign
import command_lines
import damage
import resource_limits

FILES = re.compile(r"(?:FILE|DIR|DIR\|FILE|MODEL|TEXT|TAGGED|START)$")  # values that are names of files
WRITTEN = {"--arpa", "--checkpoint", "--expanded-arpa", "--firth", "--map-text", "--mkcls", "--output", "--srilm-classes", "--svg", "--trace",
           "--word2vec", "--word2vec-binary"}
NO_FILES = {"--title", "--temp-folder"}
OTHER_NAMES = {"-o": "--output", "--model": "--firth", "--order": "--word-order"}  # by which the tables call options


def reference(command):
    """The options of every command that name files: {command: {option}}."""
    page = subprocess.run([command, "--reference"], capture_output=True, text=True, check=True).stdout
    options, name = {}, None
    for line in page.splitlines():
        if found := re.match(r"#+ `?firth ([a-z -]+?)`?$", line):
            name = found.group(1)
            options[name] = set()
        elif name and (found := re.match(r"\| `(?:-\w, )?(--[a-z0-9-]+) ([^`]+)`", line)) and FILES.match(found.group(2).replace("\\", "")):
            options[name].add(found.group(1))
    return options


def lines_of(name, table):
    words = name.split()
    return [line for line in table if line[:len(words)] == words]


def used(lines):
    words = {word for line in lines for word in line}
    return words | {OTHER_NAMES.get(word, word) for word in words}


def gaps(commands):
    jobs = [job.words for job in campaign.JOBS]
    damaged = used(kind.read for kind in damage.KINDS)
    tables = {"resource_limits.py": jobs + resource_limits.READERS, "outputs_on_a_terminal": command_lines.ON_A_TERMINAL,
              "ctrl_c_everywhere": command_lines.WAITING + command_lines.ENDLESS}
    for name, options in commands.items():
        for table, lines in tables.items():
            if not lines_of(name, lines):
                yield f"'firth {name}' is not in the table of {table}"
        for option in sorted(options - NO_FILES):
            if option in WRITTEN and option not in used(lines_of(name, jobs)):
                yield f"no job of campaign.py writes 'firth {name} {option}'"
            if option not in WRITTEN | damaged:
                yield f"no kind of damage.py is read by {option} (of 'firth {name}'); if it is written, say so in WRITTEN"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    commands = reference(parser.parse_args().command)
    found = list(gaps(commands))
    if len(commands) < 30 or not all(commands[name] for name in ("cluster", "lm export", "tag train")):
        found.append("the reference page could not be read")
    print("\n".join(found + [f"{len(commands)} commands, {len(found)} gaps"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
