#!/usr/bin/env python3
"""One meaning for every command: odd CoNLL-U files give the same words or the same error everywhere, and --min-count,
--max-vocab and --vocab keep the same words in every command that has them.

Usage: check_one_meaning.py --command FIRTH
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def row(number, form, upos="X", xpos="Y"):
    return f"{number}\t{form}\t_\t{upos}\t{xpos}\t_\t0\t_\t_\t_\n"


A = row("1", "a")
CONLLU = [
    A, A + "\n", A + row("2", "b") + "\n" + A, "# c\n" + A, "#\n" + A + "# in between\n" + row("2", "b"), A + "   \n" + A, A + "\t\n" + A,
    "\n\n" + A + "\n\n\n" + A, row("1-2", "ab") + A + row("2", "b"), A + row("1.1", "ghost"), row("0.1", "ghost") + A,
    row("1", "\u00a0"), row("1", "_"), row("1", "a", "_", "NN"), row("1", "a", "_", "_"), row("01", "a"), row("1", "-DOCSTART-"), row("1", "#"),
    row("x", "a"), row("--", "a"), row("1-", "a"), row("-1", "a"), row("1-2-3", "a"), row("1.", "a"), row("1..2", "a"), row("", "a"),
    row(" 1", "a"), row("1", ""), A + "1\ta\n", A + "1\ta\t_\tX\tY\t_\t0\t_\t_\n", A + "1\ta\t_\tX\tY\t_\t0\t_\t_\t_\t_\n", A + "1 a _ X Y _ 0 _ _ _\n",
    A.encode() + b"2\t\xff\t_\tX\tY\t_\t0\t_\t_\t_\n", A + row("2", "b\0c"), A.replace("\n", "\r\n"), "\ufeff" + A,
]

TEXT = "a a a a b b b c c d d e <unk> <unk>\n"
WORDS = " d \tignored\nb\n\ne\nb\nnever seen\nunicorn\r\n"
VOCABULARY = [
    ([], "abcde"), (["--min-count", "2"], "abcd"), (["--max-vocab", "2"], "ab"), (["--vocab", "list"], "bde"),
    (["--min-count", "2", "--vocab", "list"], "bd"), (["--max-vocab", "1", "--vocab", "list"], "b"),
    (["--min-count", "3", "--max-vocab", "5", "--vocab", "list"], "b"),
]


class Failed(Exception):
    """What the command says about a file, without its own name."""


class Folder:
    def __init__(self, command):
        self.command = command
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="firth-meaning-"))

    def run(self, *arguments):
        done = subprocess.run([self.command, *arguments], cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        if done.returncode != 0:
            # Trees have no --invalid-utf8, and are not told of it.
            text = done.stderr.decode(errors="replace")
            for object_ in ("such bytes", "them"):  # advice is for commands that have the option
                text = text.replace(f", or replace {object_} (--invalid-utf8)", "")
            raise Failed(f"{done.returncode} " + next((line for line in text.splitlines() if "error:" in line), text))
        return done.stdout.decode()

    def write(self, name, content):
        (self.path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def lines(self, name):
        return (self.path / name).read_text().splitlines()


def column(lines, number):
    return collections.Counter(line.split("\t")[number] for line in lines if line)


def classes(folder, *source):
    """The words of a clustering, with their counts."""
    folder.run("cluster", *source, "-c", "1", "--effort", "fast", "-o", "classes.out")
    rows = [line.split("\t") for line in folder.lines("classes.out/paths")]
    shutil.rmtree(folder.path / "classes.out")
    return collections.Counter({word: int(count) for _, word, count in rows})


# What reads CoNLL-U: the words of a file, as often as they are there; None where a command does not show them.

def by_count(folder):
    folder.run("count", "file", "--format", "conllu", "-o", "counts")
    return classes(folder, "counts")


def by_cluster(folder):
    return classes(folder, "file", "--format", "conllu")


def by_hmm(folder):
    folder.run("hmm", "train", "file", "--format", "conllu", "--states", "1", "--iterations", "1", "-o", "hmm")
    return column(folder.run("hmm", "tag", "hmm", "file", "--format", "conllu").splitlines(), 0)


def by_lm_train(folder):
    folder.run("lm", "train", "--words", "file", "--format", "conllu", "--order", "1", "-o", "lm")


def by_lm_score(folder):
    folder.run("lm", "score", "known.lm", "file", "--format", "conllu")


def by_tag_train(folder):
    folder.run("tag", "train", "file", "--format", "conllu", "--passes", "1", "-o", "tagger")


def by_tag_run(folder):
    lines = folder.run("tag", "run", "known.tagger", "file", "--format", "conllu").splitlines()
    return column([line for line in lines if line and not line.startswith("#") and line.split("\t")[0].isdigit()], 1)


def by_features(folder):
    lines = folder.run("features", "known.classes", "file", "--format", "conllu", "--to", "jsonl").splitlines()
    return collections.Counter(word for line in lines for word in json.loads(line)["words"])


def by_gold(folder):
    folder.run("evaluate", "known.classes", "--gold", "file")


def by_sequences(folder):
    folder.run("parse", "train", "--sequences", "file", "--algorithm", "pcfg", "-o", "grammar")


READERS = [by_count, by_cluster, by_hmm, by_lm_train, by_lm_score, by_tag_train, by_tag_run, by_features, by_gold, by_sequences]
SHOWN_ABOVE = {"count", "cluster", "hmm train", "hmm tag", "lm train", "lm score", "tag train", "tag run", "features"}

# Every other line that reads CoNLL-U: what is wrong with a file must be said in the same words. They may refuse a good one for reasons of
# their own, such as too few words.
OTHER_LINES = {
    "phrases": ["phrases file --format conllu"],
    "choose": ["choose file --format conllu", "choose text --gold file"],
    "compare": ["compare file --format conllu --methods brown --classes 1", "compare known.classes known.classes --gold file"],
    "tree": ["tree known.classes file --format conllu -o out"],
    "assign": ["assign known.classes file --format conllu"],
    "evaluate": ["evaluate known.classes --text file --format conllu"],
    "report": ["report known.classes --text file --format conllu -o page", "report known.classes --gold file -o page"],
    "embed": ["embed file --format conllu --dim 1 -o out"],
    "lm count": ["lm count file --format conllu -o out"],
    "lm mix": ["lm mix known.lm known.lm --held-out file --format conllu -o out"],
    "lm export": ["lm export known.lm --expanded-arpa out --held-out file --format conllu"],
    "prototypes": ["prototypes known.classes file --format conllu -o out"],
    "tag score": ["tag score --model known.tagger file --format conllu"],
    "tag compare": ["tag compare file --test file --format conllu --passes 1"],
    "tag apply": ["tag apply known.prototypes known.classes file --format conllu"],
    "pipeline": ["pipeline text --labelled file --format conllu -c 1 --passes 1 -o out"],
}


# What has options of the vocabulary: the words that are kept.

def kept_count(folder, options):
    folder.run("count", "text", *options, "-o", "counts")
    return set(classes(folder, "counts"))


def kept_cluster(folder, options):
    return set(classes(folder, "text", *options))


def kept_lm(folder, options):
    folder.run("lm", "train", "--words", "text", "--order", "1", *options, "-o", "lm")
    folder.run("lm", "export", "lm", "--arpa", "arpa")
    lines = folder.lines("arpa")
    first, last = lines.index("\\1-grams:"), lines.index("\\end\\")
    return {line.split("\t")[1] for line in lines[first + 1:last] if line} - {"<s>", "</s>"}


def kept_tree(folder, options):
    folder.write("some.classes", "".join(f"{word}\t0\n" for word in "abcde"))
    folder.run("tree", "some.classes", "text", *options, "-o", "tree.out")
    words = set(column(folder.lines("tree.out/paths"), 1))
    shutil.rmtree(folder.path / "tree.out")
    return words


def kept_embed(folder, options):
    folder.run("embed", "text", "--dim", "1", *options, "-o", "vectors.out")
    words = set(column(folder.lines("vectors.out/vectors.vocab"), 0))
    shutil.rmtree(folder.path / "vectors.out")
    return words


def kept_compare(folder, options):
    folder.run("compare", "text", "--methods", "brown", "--classes", "1", *options, "-o", "compare.out")
    (paths,) = (folder.path / "compare.out").rglob("paths")
    words = set(column(paths.read_text().splitlines(), 1))
    shutil.rmtree(folder.path / "compare.out")
    return words


def kept_assign(folder, options):
    """The words of the text that a model of one word lacks, and that word, which every vocabulary below has."""
    folder.write("one.classes", "b\t0\n")
    return set(column(folder.run("assign", "one.classes", "text", *options).splitlines(), 0)) | {"b"}


def number_kept_hmm(folder, options):
    return json.loads(folder.run("hmm", "train", "text", "--states", "1", "--iterations", "1", "--json", *options, "-o", "hmm"))["words"]


def same_choice(folder, options):
    """It shows no words; how well they are predicted depends on which there are."""
    folder.run("count", "text", *options, "-o", "counts")
    shown = [folder.run("choose", *source, "--held-out", "text", *(options if source == ["text"] else [])) for source in (["text"], ["counts"])]
    return shown[0] == shown[1]


KEEPERS = [kept_count, kept_cluster, kept_tree, kept_embed, kept_lm, kept_compare, kept_assign]
KEEPING = {"count", "cluster", "tree", "embed", "lm train", "compare", "assign", "hmm train", "choose"}


def reference(command):
    """The options of every command: the lines of its tables in the reference page."""
    page = subprocess.run([command, "--reference"], capture_output=True, text=True, check=True).stdout
    sections = re.split(r"\n## `firth ([a-z -]+)`\n", page)
    return dict(zip(sections[1::2], sections[2::2]))


def check_complete(command):
    """No command that has an option of these is forgotten here."""
    for name, text in reference(command).items():
        if re.search(r"^\| `--format [^`]*conllu", text, re.MULTILINE) and name not in SHOWN_ABOVE | set(OTHER_LINES):
            yield f"firth {name} reads CoNLL-U, but is not tried here"
        if re.search(r"^\| `--vocab ", text, re.MULTILINE) and name not in KEEPING:
            yield f"firth {name} has --vocab, but is not tried here"


def outcome(reader, command, content, known):
    folder = Folder(command)
    try:
        for name in ("known.lm", "known.tagger", "known.classes", "known.prototypes", "text"):
            os.link(known / name, folder.path / name)
        folder.write("file", content)
        try:
            return reader(folder), None
        except Failed as failure:
            return None, str(failure)
    finally:
        shutil.rmtree(folder.path)


def check_conllu(command, pool):
    made = Folder(command)
    made.write("text", "a b\n")
    made.write("tagged", "a\tX\nb\tY\n")
    made.run("lm", "train", "--words", "text", "-o", "known.lm")
    made.run("tag", "train", "tagged", "-o", "known.tagger")
    made.write("known.classes", "a\t0\nb\t1\n")
    made.write("known.prototypes", "a\tX\nb\tY\n")
    others = [line for lines in OTHER_LINES.values() for line in lines]
    problems = []
    for content in CONLLU:
        results = list(pool.map(lambda reader: outcome(reader, command, content, made.path), READERS))
        words, error = results[0]
        for reader, (got, failure) in zip(READERS, results):
            if failure != error:
                problems.append(f"{reader.__name__}: {failure} instead of {error} for {content!r}")
            elif got is not None and got != words:
                problems.append(f"{reader.__name__}: {got} instead of {words} for {content!r}")
        failures = pool.map(lambda line: outcome(lambda folder: folder.run(*line.split()), command, content, made.path)[1], others)
        for line, failure in zip(others, failures):
            if failure != error and (error is not None or re.search(r"\bfile:\d", failure)):
                problems.append(f"{line}: {failure} instead of {error} for {content!r}")
    shutil.rmtree(made.path)
    return problems


def check_vocabulary(command):
    problems = []
    folder = Folder(command)
    folder.write("text", TEXT)
    folder.write("list", WORDS)
    for options, expected in VOCABULARY:
        for keeper in KEEPERS:
            got = keeper(folder, options) - {"<unk>"}
            if got != set(expected):
                problems.append(f"{keeper.__name__} {' '.join(options)}: kept {sorted(got)} instead of {sorted(expected)}")
        if number_kept_hmm(folder, options) != len(expected) + 1:
            problems.append(f"hmm train {' '.join(options)}: other words than {expected}")
        if not same_choice(folder, options):
            problems.append(f"choose {' '.join(options)}: not the same for a text and for its counts")
    shutil.rmtree(folder.path)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True)
    command = os.path.abspath(parser.parse_args().command)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        problems = [*check_complete(command), *check_conllu(command, pool), *check_vocabulary(command)]
    print("\n".join(problems) or f"{len(CONLLU)} files through {len(READERS)} readers and {len(OTHER_LINES)} other commands, "
          f"{len(VOCABULARY)} vocabularies through {len(KEEPING)} commands")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
