#!/usr/bin/env python3
"""How many words held out of a clustering does `firth assign` give back their class?

assign_back.py FIRTH TEXT [--classes 50,100,200] [--min-count 3] [--folds 10] [--method 'auto --effort fast'] [--occurrences N] [--max-share X]

The text is clustered. Then, fold by fold, a tenth of the words is taken out of the clustering together with everything that the
class bigrams know about them, and `firth assign` finds classes for them from the text: all of it, or with --occurrences only lines
with the first N occurrences of each such word. A word comes back when it gets the class it was taken from; it comes near when
it gets that class or one below the same parent in the tree. Shares are of tokens; words that were alone in their class
cannot come back and are counted against. "largest" is the share of tokens that the class with the most of them took, beside
the share of tokens that belong there. New words are never the most frequent ones of a language: with --max-share, words that
make up more than this share of the text are not held out.
"""
import argparse
import collections
import pathlib
import random
import subprocess
import tempfile

UNKNOWN = "<unk>"


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def read_table(path):
    return [line.split("\t") for line in pathlib.Path(path).read_text().split("\n") if line]


class Model:
    """A folder of firth cluster."""

    def __init__(self, folder):
        self.class_of = {word: int(number) for word, number in read_table(folder / "classes.tsv")}
        rows = read_table(folder / "paths")
        self.count = {word: int(count) for _, word, count in rows}
        self.bits = {self.class_of[word]: bits for bits, word, _ in rows}

    def near(self, a, b):
        return a == b or self.bits[b].startswith(self.bits[a][:-1])


def write_reduced(folder, model, held_out, lines):
    """The model without some words. Class numbers stay; class bigrams are counted here, by other code than Firth's."""
    folder.mkdir()
    kept = [word for word in model.class_of if word not in held_out]
    (folder / "classes.tsv").write_text("".join(f"{word}\t{model.class_of[word]}\n" for word in kept))
    (folder / "counts.tsv").write_text("".join(f"{word}\t{model.count[word]}\n" for word in kept))
    class_of = {word: model.class_of[word] for word in kept}
    pairs = collections.Counter()
    for line in lines:
        classes = [class_of.get(word) for word in line]
        pairs.update((a, b) for a, b in zip(classes, classes[1:]) if a is not None and b is not None)
    (folder / "bigrams.tsv").write_text("".join(f"{a}\t{b}\t{n}\n" for (a, b), n in sorted(pairs.items())))


def lines_for(lines, held_out, occurrences):
    if occurrences == 0:
        return lines
    seen = collections.Counter()
    chosen = []
    for line in lines:
        if any(word in held_out and seen[word] < occurrences for word in line):
            chosen.append(line)
            seen.update(word for word in line if word in held_out)
    return chosen


def measure(firth, lines, model, options):
    folds, occurrences = options.folds, options.occurrences
    largest_count = options.max_share * sum(len(line) for line in lines)
    words = sorted(word for word in model.class_of if word != UNKNOWN and model.count[word] <= largest_count)
    random.Random(1).shuffle(words)
    back = near = total = 0
    taken, belong = collections.Counter(), collections.Counter()
    for fold in range(folds):
        held_out = set(words[fold::folds])
        with tempfile.TemporaryDirectory() as scratch:
            scratch = pathlib.Path(scratch)
            write_reduced(scratch / "model", model, held_out, lines)
            text = lines_for(lines, held_out, occurrences)
            (scratch / "text.txt").write_text("".join(" ".join(line) + "\n" for line in text))
            table = [row.split("\t") for row in
                     run(firth, "assign", "--model", scratch / "model", scratch / "text.txt").split("\n") if row]
        for row in table:
            # Firth numbers the classes of a reduced model by frequency; an example word tells which is which.
            count, wanted, got = model.count[row[0]], model.class_of[row[0]], model.class_of[row[6].split(" ")[0]]
            total += count
            back += count * (got == wanted)
            near += count * model.near(wanted, got)
            taken[got] += count
            belong[wanted] += count
    largest, tokens = max(taken.items(), key=lambda item: item[1])
    return [back / total, near / total, tokens / total, belong[largest] / total]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("firth", type=pathlib.Path)
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("--classes", default="50,100,200,500,1000")
    parser.add_argument("--min-count", type=int, default=3)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--method", default="auto --effort fast")
    parser.add_argument("--occurrences", type=int, default=0)
    parser.add_argument("--max-share", type=float, default=1)
    options = parser.parse_args()
    lines = [line.split() for line in options.text.read_text().split("\n")]
    counts = collections.Counter(word for line in lines for word in line)
    lines = [[word if counts[word] >= options.min_count else UNKNOWN for word in line] for line in lines]
    print("classes\tback\tnear\tlargest\tbelong there")
    for classes in options.classes.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "out"
            run(options.firth, "cluster", options.text, "--min-count", options.min_count, "-c", classes, "-o", folder,
                "--method", *options.method.split())
            figures = measure(options.firth, lines, Model(folder), options)
        print(classes, *(f"{figure:.3f}" for figure in figures), sep="\t", flush=True)


if __name__ == "__main__":
    main()
