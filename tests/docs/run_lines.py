#!/usr/bin/env python3
"""Runs the command lines of pages, in their order and in one folder, on small made-up inputs: each must succeed.

A command line is what begins with `firth` in a code block (up to a comment), or between back quotes if it has arguments.
Single capital letters, and the other words of STANDS_FOR, are names that the reader fills in. A page that names an input
that INPUTS does not make fails here, and the input is added.

run_lines.py --command FIRTH PAGE...
"""
import argparse
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

STANDS_FOR = {"N": "20", "L": "0.4", "X": "1e-7", "T": "text.txt", "A": "word.lm", "B": "class.lm", "C": "new.srilm", "M": "new.arpa"}
CLASS_ARPA = {"C": "class.srilm", "M": "class.arpa"}  # where both are read
PLACEHOLDER = re.compile(r" [A-Z]{2,}\b")  # MODEL, FILE: a name of an argument, not a line to run
INLINE = re.compile(r"`(firth [^`]+)`")
# Long rows of classes take long: the same command with fewer says as much.
SMALLER = [(re.compile(r"(-c|--classes) (200|500|1000)\b"), r"\1 60"), (re.compile(r"--cut 100,320\b"), "--cut 15,30"), (re.compile(r"--cut 100\b"), "--cut 30"), (re.compile(r"--classes 100,500"), "--classes 10,20"),
           (re.compile(r"-d 300\b"), "-d 20")]
WORDS, TOKENS, KINDS = 120, 6000, 20


def word(number):
    return {0: "king", 1: "Springfield"}.get(number, f"w{number}")


def sentences(seed):
    """Numbers of words; those of a kind follow those of the kind before it, mostly."""
    numbers = random.Random(seed)
    kind = 0
    for _ in range(TOKENS // 10):
        line = []
        for _ in range(10):
            kind = (kind + 1) % KINDS if numbers.random() < 0.9 else numbers.randrange(KINDS)
            line.append(min(int(numbers.expovariate(0.1)), WORDS // KINDS - 1) * KINDS + kind)
        yield line


def write_npy(path, rows):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    body = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + body)


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def as_text(lines):
    return "".join(" ".join(word(number) for number in line) + "\n" for line in lines)


def make_inputs(folder):
    text = list(sentences(1))
    lines = as_text(text)
    for name in ("text.txt", "train.txt", "raw.txt", "corpus.en", "corpus.de", "sessions.txt", "corpus/part.txt", "part1/part.txt", "part1.txt"):
        write(folder / name, lines)
    for name in ("heldout.txt", "dev.txt", "test.txt", "part2/part.txt", "part2.txt"):
        write(folder / name, as_text(sentences(2)))
    for name in ("test.nbest", "dev.nbest"):
        write(folder / name, "".join(f"{i} ||| {line} ||| -{i}.5\n{i} ||| king {line} ||| -{i}.2\n"
                                     for i, line in enumerate(lines.splitlines()[:20])))
    write(folder / "dev.ref", "".join(f"{i} {line}\n" for i, line in enumerate(lines.splitlines()[:20])))
    write(folder / "known.txt", "together king w2\n")
    write(folder / "posts.jsonl.zst", "".join(json.dumps({"body": line}) + "\n" for line in lines.splitlines()))
    write(folder / "reviews.csv", "id,review\n" + "".join(f"1,{line}\n" for line in lines.splitlines()))
    write(folder / "new.txt", as_text(text[:50]) + "king unheard w1 unseen w2\n")
    tagged = [[(word(number), f"T{number % 5}") for number in line] for line in text[:200]]
    for name in ("ner.conll", "train.conll", "dev.conll", "test.conll", "eng.train"):
        write(folder / name, "".join("".join(f"{form}\tB-{tag}\n" for form, tag in line) + "\n" for line in tagged))
    write(folder / "tagged.conllu", "".join("".join(f"{i}\t{form}\t_\t{tag}\t{tag}\t_\t_\t_\t_\t_\n"
                                                    for i, (form, tag) in enumerate(line, 1)) + "\n" for line in tagged))
    write(folder / "trees.mrg", "".join("(S (NP (%s %s) (%s %s)) (VP (%s %s)))\n" % tuple(
        part for form, tag in line[:3] for part in (tag, form)) for line in tagged))
    make_vectors(folder, random.Random(3))


def make_vectors(folder, numbers):
    for name, count in (("items", 200), ("new", 20)):
        rows = [[numbers.gauss(i % 10, 1) for _ in range(4)] for i in range(count)]
        write(folder / f"{name}.vocab", "".join(f"{name}{i}\n" for i in range(count)))
        write_npy(folder / f"{name}.npy", rows)
    write(folder / "glove.6B.300d.txt", "".join(f"g{i} " + " ".join(f"{x:.4f}" for x in row) + "\n" for i, row in enumerate(rows * 4)))
    ids = [numbers.randrange(500) for _ in range(5000)]
    for name in ("ids.bin", "corpus.bin"):
        (folder / name).write_bytes(struct.pack(f"<{len(ids)}H", *ids))
    write(folder / "units.txt", " ".join(map(str, ids)) + "\n")
    write(folder / "vocabulary.txt", "".join(f"token{i}\n" for i in range(500)))


def make_models(firth):
    """What lines take for granted: classes, models, a class model as SRILM has it."""
    return [f"{firth} cluster text.txt -c 20 -o sample/classes -q", f"{firth} cluster text.txt -c 10 -o other -q",
            f"{firth} cluster text.txt -c 20 --method spectral --dim 10 -o spectral -q", "cp -r other wcluster-output",
            f"{firth} lm train --words text.txt -o word.lm -q",
            f"{firth} lm train --classes sample/classes text.txt -o class.lm -q",
            f"{firth} lm export class.lm --arpa class.arpa --srilm-classes class.srilm",
            "cp class.arpa others.arpa && cp class.srilm others.classes"]


def filled_in(line):
    both = re.search(r"\bM --classes C\b", line)
    line = re.sub(r"L,\.\.\.", "0.4,0.6", line)
    names = {**STANDS_FOR, **(CLASS_ARPA if both else {})}
    line = re.sub(r"(?<![\w./-])([A-Z])(?![\w./-])", lambda match: names.get(match[1], match[1]), line)
    for pattern, smaller in SMALLER:
        line = pattern.sub(smaller, line)
    return line


def command_lines(page):
    in_block = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            in_block = line == "```sh" and not in_block
        elif in_block and line.startswith(("firth ", "echo ")):
            yield filled_in(line.split(" # ")[0].strip())
        elif not in_block:
            # One word after the command, and no option: a name, not a line to run.
            found = [filled_in(one) for one in INLINE.findall(line) if len(one.split()) > 3]
            yield from (one for one in found if "..." not in one and not PLACEHOLDER.search(one))


def failures(page, folder, environment):
    lines = list(dict.fromkeys(command_lines(page)))
    for line in lines:
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=folder, env=environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=600)
        if done.returncode != 0:
            yield f"{page.name}: $ {line}\n  exit {done.returncode}: {done.stderr.strip()}"
    print(f"{page.name}: {len(lines)} lines run")
    if not lines:
        yield f"{page.name}: no command line found"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True, type=pathlib.Path)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    firth = arguments.command.resolve()
    environment = {**os.environ, "PATH": f"{firth.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    found = []
    for page in arguments.pages:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            make_inputs(folder)
            for line in make_models(firth):
                subprocess.run(line, shell=True, cwd=folder, check=True, capture_output=True)
            found += failures(page, folder, environment)
    print("\n".join(found))
    sys.exit(1 if found else 0)


main()
