#!/usr/bin/env python3
"""Checks every command line of README.md, docs/ and the READMEs of the rooms: the command exists, and so do its options.

Usage: check_commands.py PROJECT. What exists is read from docs/cli.md, which another test holds against the command.
Command lines are looked for in code blocks, fenced or indented. Brackets, which mark what may be left out, are ignored; so
is what follows three spaces, a column of explanations.
"""
import pathlib
import re
import shlex
import sys

EVERYWHERE = {"-h", "--help", "--help-all"}
OF_FIRTH_ITSELF = {"--help", "-h", "--version", "-V", "--reference", "--man", "--complete", "help"}
OPERATORS = {"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", ")", "..."}
HEADING = re.compile(r"^## `firth ([a-z -]+)`$")
ROW = re.compile(r"^\| `((?:-[A-Za-z], )?-[^ `]*)(?: ([^`]*))?` \|")


def known_options(page):
    """For each command its options, each with the words that it accepts, or None if it takes anything."""
    commands, options = {}, {}
    for line in page.read_text(encoding="utf-8").splitlines():
        if match := HEADING.match(line):
            options = commands.setdefault(match[1], {})
        elif match := ROW.match(line):
            value = (match[2] or "").replace("\\|", "|")
            words = set(value.split("|")) if re.fullmatch(r"[a-z0-9-]+(\|[a-z0-9-]+)+", value) else None
            for name in match[1].split(", "):
                options[name] = words
    return commands


def code_lines(path):
    fence, waiting, first = None, "", 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fence = None if fence is not None else line.strip()[3:]
            continue
        if fence in {"", "sh", "bash", "console"} or (fence is None and line.startswith("    ")):
            text = (waiting + " " + line.strip()) if waiting else line.strip()
            first = first if waiting else number
            waiting = text[:-1] if text.endswith("\\") else ""
            if not waiting:
                yield first, text


def command_lines(text):
    """The words after each `firth` of a line that stands where a command may stand."""
    text = re.sub(r"(?<=\S)\|(?=\S)", "/", text)  # a choice, not a pipe
    text = re.sub(r"   .*", "", text).replace("[", " ").replace("]", " ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:
        return
    starts = {"firth", "./firth", "build/release/firth"}
    for at, word in enumerate(words):
        if word in starts and (at == 0 or words[at - 1] in {"|", "||", "&&", ";", "(", "$", "time", "do"}):
            rest = words[at + 1:]
            end = next((i for i, item in enumerate(rest) if item in OPERATORS), len(rest))
            yield rest[:end]


def problem_of(words, commands):
    if not words or words[0] in OF_FIRTH_ITSELF:
        return None
    name = next((" ".join(words[:size]) for size in (2, 1) if " ".join(words[:size]) in commands), None)
    if name is None:
        return None if words[0].isupper() else f"there is no command 'firth {words[0]}'"
    options = commands[name]
    for word, following in zip(words, words[1:] + [""]):
        if not re.match(r"--?[A-Za-z]", word) or word in EVERYWHERE:
            continue
        option, _, value = word.partition("=")
        if option not in options:
            return f"'firth {name}' has no option {option}"
        value = value or following
        if options[option] and re.fullmatch(r"[a-z0-9-]+", value) and value not in options[option]:
            return f"'firth {name} {option}' does not take '{value}'"
    return None


def main():
    project = pathlib.Path(sys.argv[1])
    commands = known_options(project / "docs" / "cli.md")
    problems, checked = [], 0
    pages = [project / "README.md", *sorted((project / "docs").rglob("*.md")), *sorted((project / "src").rglob("README.md"))]
    for path in pages:
        for number, text in code_lines(path):
            for words in command_lines(text):
                checked += 1
                if problem := problem_of(words, commands):
                    problems.append(f"{path}:{number}: {problem}")
    print("\n".join(problems) if problems else f"{checked} command lines are right")
    return 1 if problems or checked < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
