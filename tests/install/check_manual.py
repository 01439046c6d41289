#!/usr/bin/env python3
"""Manual pages and completions say what the command can do, and the programs that read them have no complaint.

Usage: check_manual.py --command FIRTH --manual FOLDER --page docs/cli.md

FOLDER is what cmake/write_manual.cmake made. What needs man, mandoc, zsh or fish is skipped, by name, without it.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "structure"))
from check_commands import known_options  # pylint: disable=wrong-import-position


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


def check_pages(folder, commands):
    """A page per command; each names all of its options; man and mandoc read it without a warning."""
    for name, options in commands.items():
        page = folder / "man1" / f"firth-{name.replace(' ', '-')}.1"
        if not page.exists():
            yield f"there is no {page.name}"
            continue
        text = page.read_text(encoding="utf-8").replace("\\-", "-")
        yield from (f"{page.name} does not explain {option}" for option in options if option not in text)
    for page in sorted(folder.rglob("*.[15]")):
        if shutil.which("man"):
            for width in "80", "100":
                warnings = run(["man", "--warnings", "-E", "UTF-8", "-l", str(page)], env={"MANWIDTH": width, "PATH": "/usr/bin:/bin"}).stderr
                yield from (f"{page.name}: {line}" for line in warnings.splitlines() if "cannot adjust line" not in line)
        if shutil.which("mandoc"):
            yield from run(["mandoc", "-T", "lint", "-W", "error", str(page)]).stdout.splitlines()


BASH = r"""
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_firth 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
"""

# What is typed, and what must (or must not) be among the answers.
CASES = [
    (["firth", "clu"], {"cluster"}, {"count"}),
    (["firth", ""], {"cluster", "count", "lm", "tag"}, {"train", "lm train"}),
    (["firth", "lm", "tr"], {"train"}, {"score"}),
    (["firth", "cluster", "--me"], {"--method", "--memory"}, {"--min-count"}),
    (["firth", "cluster", "--method", ""], {"auto", "brown", "exchange", "spectral"}, {"--method"}),
    (["firth", "cluster", "te"], {"text.txt"}, {"--method"}),
    (["firth", "cluster", "--min-count", ""], set(), {"text.txt", "--method"}),
    (["firth", "lm", "train", "--cl"], {"--classes"}, {"--method"}),
]


def answers_of_bash(script, typed, folder):
    return set(run(["bash", "-c", BASH, "bash", str(script), *typed], cwd=folder).stdout.split("\n")) - {""}


def answers_of_fish(script, typed, folder):
    line = " ".join(typed)
    done = run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], cwd=folder, env={"HOME": folder, "PATH": "/usr/bin:/bin"})
    return {answer.split("\t")[0] for answer in done.stdout.split("\n")} - {""}


def check_shell(name, script, answers_of):
    if not shutil.which(name):
        print(f"SKIPPED: {name} is not installed")
        return
    if (done := run([name, "-n", str(script)])).returncode or done.stderr:
        yield f"{name} cannot read {script.name}: {done.stderr}"
    if answers_of is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "text.txt").write_text("a b\n", encoding="utf-8")
        for typed, wanted, unwanted in CASES:
            answers = answers_of(script, typed, folder)
            if not wanted <= answers or unwanted & answers:
                yield f"{name} answers {' '.join(typed)!r} with {sorted(answers)}, not with {sorted(wanted)}"


def check_command(command):
    if run([command, "--man", "no such command"]).returncode != 2 or run([command, "--complete", "csh"]).returncode != 2:
        yield "a page or shell that does not exist is wrong usage, exit code 2"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--manual", type=pathlib.Path, required=True)
    parser.add_argument("--page", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    folder = arguments.manual
    problems = list(check_command(arguments.command))
    problems += check_pages(folder, known_options(arguments.page))
    problems += check_shell("bash", folder / "bash" / "firth", answers_of_bash)
    problems += check_shell("zsh", folder / "zsh" / "_firth", None)
    problems += check_shell("fish", folder / "fish" / "firth.fish", answers_of_fish)
    pages = len(list(folder.rglob("*.[15]")))
    print("\n".join(problems) if problems else f"{pages} pages and the completions are right")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
