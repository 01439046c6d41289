#!/usr/bin/env python3
"""Over the table of commands: what reads text takes --encoding, and gives the same for any encoding; what prints figures takes
--json, and prints JSON; --invalid-utf8 is obeyed in every file that is read.

Usage: check_every_command.py --command FIRTH

A command without a line below is an error, so that a new one cannot be forgotten.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

WORDS = ["le", "café", "noir", "été", "garçon", "naïve", "über", "Ö", "straße", "où", "cœur", "plus", "et", "là"]

# {T} is text, {C} has words and tags in columns, {M} has trees; `out` (if it is there) is compared.
LINES = {
    "count": "{T} -o out",
    "phrases": "{T} --min-count 1 --threshold -1",
    "cluster": "{T} -c 3 --method brown -o out",
    "pipeline": "{T} --labelled {C} -c 3 --passes 1 -o out",
    "choose": "{T} --max-classes 4",
    "compare": "{T} --methods brown --classes 3",
    "tree": "known/classes.tsv {T} -o out",
    "assign": "known {T}",
    "evaluate": "known --text {T}",
    "report": "known --text {T} -o out",
    "embed": "{T} -d 2 -o out",
    "hmm train": "{T} --states 2 --iterations 2 -o out",
    "hmm tag": "known.hmm {T}",
    "lm count": "{T} -o out",
    "lm train": "--words {T} -o out",
    "lm score": "known.lm {T}",
    "lm mix": "known.lm known.lm --held-out {T} -o out",
    "lm export": "known.lm --expanded-arpa out --held-out {T}",
    "features": "known {C}",
    "prototypes": "known {T} -o out",
    "tag train": "{C} --passes 1 -o out",
    "tag run": "known.tagger {C}",
    "tag score": "--model known.tagger {C}",
    "tag compare": "{C} --test {C} --passes 1 --bootstrap 10",
    "tag apply": "known.prototypes known {T}",
    "parse train": "{M} --algorithm pcfg -o out",
    "parse run": "known.grammar {T}",
    "parse score": "{M} --model known.grammar",
    "parse probability": "known.grammar {M}",
    "show": "known", "nearest": "known.vectors où", "convert": "known - --to classes", "lm predict": "known.lm", "lm sample": "known.lm",
    "lm rescore": "known.lm known.nbest",
    "lm add-words": "known.lm new.txt -o out", "sample brown": "-c 2 --vocabulary 4 --words 10", "sample lpcfg": "-o out",
}
# Other ways in which these commands read text.
MORE_LINES = {
    "choose": ["{T} --held-out {T} --max-classes 4", "{T} --gold {C} --max-classes 4", "{T} --train {C} --dev {C} --max-classes 2"],
    "compare": ["known known --text {T} --held-out {T} --gold {C}"],
    "evaluate": ["{C} --tagged --gold {C}", "known --gold {C}"],
    "report": ["known --text {T} --gold {C} -o out"],
    "tag train": ["{C} --dev {C} --passes 1 -o out"],
    "parse train": ["{C} --sequences --algorithm pcfg -o out"],
}
# Commands whose output is text for other programs, not figures.
NO_FIGURES = {"convert", "report", "lm sample", "features", "tag run", "tag apply", "parse run", "sample brown", "sample lpcfg"}
# A line of JSON for each word.
JSON_LINES = {"hmm tag", "assign", "nearest"}
# Figures that a clock or a path gives differ from run to run.
VOLATILE = re.compile(r"\d+(\.\d+)? (CPU )?(s|MB|seconds)\b|\| +[\d.]+ \| +\d+ \|$|(text|tags|trees)\.(utf8|other)", re.M)


class Failure(Exception):
    pass


def table(command):
    """The options of every command, from the reference page."""
    options, name = {}, None
    for line in subprocess.run([command, "--reference"], capture_output=True, text=True, check=True).stdout.splitlines():
        if found := re.match(r"#+ `?firth ([a-z -]+?)`?$", line):
            name = found.group(1)
            options[name] = set()
        elif name and line.startswith("|"):
            options[name].update(re.findall(r"--[a-z0-9-]+", line.split("|")[1]))
    return options


class Folder:
    def __init__(self, command, root):
        self.command, self.path = command, root

    def run(self, *arguments, ok=(0,)):
        done = subprocess.run([self.command, *arguments], cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        if done.returncode not in ok:
            raise Failure(f"{' '.join(arguments)}: {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def write(self, name, text, encoding="utf-8"):
        (self.path / name).write_bytes(text.encode(encoding) if isinstance(text, str) else text)


def prepare(folder):
    draw = random.Random(7)
    lines = [[draw.choice(WORDS) for _ in range(6)] for _ in range(60)]
    texts = {
        "text": "".join(" ".join(line) + "\n" for line in lines),
        "tags": "".join("".join(f"{word}\tT{WORDS.index(word) % 3}\n" for word in line) + "\n" for line in lines[:20]),
        "trees": "".join("(S (NP (D {}) (N {})) (VP (V {}) (N {})))\n".format(*line[:4]) for line in lines[:30]),
    }
    for name, text in texts.items():
        folder.write(f"{name}.utf8", text)
    folder.run("cluster", "text.utf8", "-c", "3", "--method", "brown", "--max-vocab", "9", "-o", "known")
    folder.run("hmm", "train", "text.utf8", "--states", "2", "--iterations", "2", "-o", "known.hmm")
    folder.run("lm", "train", "--classes", "known", "text.utf8", "-o", "known.lm")
    folder.run("tag", "train", "tags.utf8", "--passes", "1", "-o", "known.tagger")
    folder.run("parse", "train", "trees.utf8", "--algorithm", "pcfg", "-o", "known.grammar")
    folder.run("prototypes", "known", "text.utf8", "-o", "known.prototypes")
    listed = (folder.path / "known.prototypes").read_text(encoding="utf-8")
    folder.write("known.prototypes", listed.replace("?", "T"))
    folder.run("embed", "text.utf8", "-d", "2", "-o", "known.vectors")
    folder.write("new.txt", "neuf où\n")
    folder.write("known.nbest", "1 ||| le café noir ||| -2\n1 ||| le garçon ||| -1\n")
    return texts


def filled_in(name, line, kind):
    files = {"{T}": f"text.{kind}", "{C}": f"tags.{kind}", "{M}": f"trees.{kind}"}
    return name.split(" ") + [files.get(part, part) for part in line.split(" ")]


def outcome(folder, name, line, kind, *options):
    """What a command prints and writes."""
    arguments = filled_in(name, line, kind)
    out = folder.path / f"out.{name.replace(' ', '-')}"
    done = folder.run(*[out.name if part == "out" else part for part in arguments], "--progress", "never", *options)
    files = sorted(out.rglob("*")) if out.is_dir() else [out] if out.exists() else []
    written = {str(file.relative_to(folder.path)): file.read_bytes() for file in files
               if file.is_file() and file.name != "run.json" and file.suffix != ".html"}
    if out.exists():
        shutil.rmtree(out) if out.is_dir() else out.unlink()
    return VOLATILE.sub("", done.stdout.decode()), written


def check_encodings(folder, texts, name, line):
    wanted = outcome(folder, name, line, "utf8")
    for encoding, option in (("iso8859-15", "ISO-8859-15"), ("utf-16", "utf_16"), ("cp1252", "windows-1252")):
        for text, content in texts.items():
            folder.write(f"{text}.other", content, encoding)
        got = outcome(folder, name, line, "other", "--encoding", option)
        if got != wanted:
            raise Failure(f"{name} {line} --encoding {option}: not the result of the same text in UTF-8\n{wanted}\n{got}")


def check_repairs(folder, texts, name, line):
    """What is read of broken text with --invalid-utf8 replace is read of all of its inputs."""
    for text, content in texts.items():
        folder.write(f"{text}.broken", content.encode().replace(b"noir", b"no\xff\xc3ir"))
    outcome(folder, name, line, "broken", "--invalid-utf8", "replace")


def check_json(folder, name):
    text, _ = outcome(folder, name, LINES[name], "utf8", "--json")
    if name == "lm predict":  # no lines in, no lines out
        return
    try:
        lines = text.splitlines() if name in JSON_LINES else [text]
        if not lines or not all(isinstance(json.loads(line), (dict, list)) for line in lines):
            raise Failure(f"{name} --json prints no object")
    except json.JSONDecodeError as error:
        raise Failure(f"{name} --json prints no JSON: {error}: {text[:200]}") from error


def check_bad(folder):
    """Names that are not known, text that is not what it is said to be."""
    done = folder.run("count", "text.utf8", "-o", "x", "--encoding", "klingon", ok=(2,))
    if b"klingon" not in done.stderr or b"ISO-8859-1" not in done.stderr or b"Shift_JIS" not in done.stderr:
        raise Failure(f"a bad name is not answered with a list: {done.stderr}")
    folder.write("half", b"\xff\xfea\0 \0b\0\n\0c\0 \0\0\xdcd\0\n\0")
    done = folder.run("count", "half", "-o", "x", "--encoding", "utf-16", ok=(1,))
    if b"half:2:3" not in done.stderr or b"UTF-16" not in done.stderr:
        raise Failure(f"half a character: {done.stderr}")
    done = folder.run("count", "half", "-o", "x", "--encoding", "utf-16", "--invalid-utf8", "replace")
    if b"1 part of the text that could not be decoded was replaced" not in done.stderr:
        raise Failure(f"repairs are not counted: {done.stderr}")
    for mark in (b"\xff\xfea\0\n\0", b"\xfe\xff\0a\0\n"):
        folder.write("marked", mark)
        done = folder.run("count", "marked", "-o", "x", ok=(1,))
        if b"UTF-16" not in done.stderr or b"--encoding" not in done.stderr:
            raise Failure(f"UTF-16 is not recognised: {done.stderr}")


def check_names(folder):
    """Names of files are values of JSON, never keys, which they could take from others."""
    models = ["perplexity", "file", "models"]
    for name in models:
        shutil.copy(folder.path / "known.lm", folder.path / name)
    found = json.loads(folder.run("lm", "mix", *models, "--held-out", "text.utf8", "-o", "mixed.lm", "--json").stdout)
    if found["file"] != "mixed.lm" or not found["perplexity"] > 1 or [row["model"] for row in found["models"]] != models:
        raise Failure(f"lm mix --json: {found}")


def check(folder, texts, name, options):
    if name not in LINES:
        raise Failure(f"{name}: no line in this test")
    reads_text = "--invalid-utf8" in options or any(part in LINES[name] for part in ("{T}", "{C}", "{M}"))
    if reads_text != ("--encoding" in options):
        raise Failure(f"{name}: --encoding and what it reads do not fit")
    if (name in NO_FIGURES) == ("--json" in options):
        raise Failure(f"{name}: --json and what it prints do not fit")
    if reads_text:
        for line in [LINES[name], *MORE_LINES.get(name, [])]:
            check_encodings(folder, texts, name, line)
            if "--invalid-utf8" in options:
                check_repairs(folder, texts, name, line)
    if "--json" in options:
        check_json(folder, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True, type=pathlib.Path)
    command = str(parser.parse_args().command.resolve())
    failures = 0
    with tempfile.TemporaryDirectory(prefix="firth-commands-") as scratch:
        first = Folder(command, pathlib.Path(scratch) / "known")
        first.path.mkdir()
        texts = prepare(first)

        def attempt(item):
            name, options = item
            folder = Folder(command, pathlib.Path(scratch) / name.replace(" ", "-"))
            shutil.copytree(first.path, folder.path)
            try:
                check(folder, texts, name, options)
            except Failure as failure:
                return str(failure)
            return ""

        commands = table(command)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for message in pool.map(attempt, commands.items()):
                if message:
                    print(message)
                    failures += 1
        check_bad(first)
        check_names(first)
    print(f"{len(commands)} commands, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
