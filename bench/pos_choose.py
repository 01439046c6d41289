#!/usr/bin/env python3
"""Compares settings of `firth cluster --method pos` without a single tag: by the substitution test on held-out text.

pos_choose.py FIRTH TEXT... [--classes 17,50] [--seeds 3] [--rows rows.tsv] [--more FILE --times N] --try NAME='OPTIONS'...

Parts of speech are classes of words that can take one another's place (Harris 1951; as a score without tags: Frank,
Goldwater and Keller 2009). So: a fifth of the lines, drawn at random, is held out and the others are clustered. Every
held-out word is in a frame, the word before and the word after it. Other words were in the same frame in the
clustered text. The score is the mutual information, in bits, of the class of the held-out word and the class of
such another word: a frame is drawn with a held-out token, the other word with its count in the frame. Words that are the
same but for case are the same word and do not count; neither do frames and words that the clustered text has not.
Lumping words together lowers the score, as does putting words that share frames apart, or into classes by chance.

Two more figures are printed beside it and decide nothing: the perplexity of the held-out text under the class bigram model of the
clustered text (known words), and how far the seeds, each with its own split, are apart: VI in bits over words that they share.

The first setting is the base. The table has the mean difference from it in each text and number of classes, over seeds with the
same split, then over all of them with its standard error. --rows keeps what was measured; what is there is not run again,
so that other programs or settings can be added to it. With --more the clustered text is N times the text that is not held out and
once FILE, in the words of the former.
"""
import argparse
import collections
import csv
import json
import math
import pathlib
import random
import statistics
import subprocess
import tempfile

FIELDS = ["text", "classes", "setting", "seed", "substitution", "perplexity"]


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def frames(line):
    words = ["<s>", *line.lower().split(), "</s>"]
    return zip(words[1:-1], zip(words, words[2:]))


class Split:
    """A text in two, and what stood in the frames of the held-out part."""

    def __init__(self, text, seed, folder):
        lines = pathlib.Path(text).read_text(encoding="utf-8").splitlines()
        random.Random(seed).shuffle(lines)
        held_out, kept = lines[:len(lines) // 5], lines[len(lines) // 5:]
        self.folder, self.text, self.seed = folder, folder / "kept.txt", seed
        self.held_out = folder / "held_out.txt"
        self.text.write_text("\n".join(kept) + "\n", encoding="utf-8")
        self.held_out.write_text("\n".join(held_out) + "\n", encoding="utf-8")
        self.tokens = collections.Counter(item for line in held_out for item in frames(line))
        fillers = {frame: collections.Counter() for _, frame in self.tokens}
        for line in kept:
            for word, frame in frames(line):
                if frame in fillers:
                    fillers[frame][word] += 1
        self.fillers = fillers
        self.input = self.text

    def add(self, firth, more, times):
        words = self.folder / "words.txt"
        words.write_text("\n".join(sorted(set(self.text.read_text(encoding="utf-8").split()))) + "\n", encoding="utf-8")
        self.input = self.folder / "both.counts"
        run(firth, "count", *[self.text] * times, more, "--vocab", words, "--distances", "1,2", "-o", self.input, "--threads", 1)

    def substitution(self, class_of):
        """Bits that the classes of two words of one frame have in common."""
        joint = collections.Counter()
        for (word, frame), count in self.tokens.items():
            others = self.fillers[frame]
            total = sum(others.values()) - others[word]
            if total == 0 or word not in class_of:
                continue
            for other, times in others.items():
                if other != word:
                    joint[class_of[word], class_of[other]] += count * times / total
        return mutual_information(joint)

    def measure(self, firth, classes, options):
        out, model = self.folder / "classes", self.folder / "model.lm"
        run(firth, "cluster", self.input, "-c", classes, "--method", "pos", "--pos-restarts", 1, "--seed", self.seed, "--threads", 1,
            "-o", out, "--progress", "never", *options)
        run(firth, "lm", "train", self.text, "--classes", out, "--order", 2, "-o", model, "--threads", 1)
        score = json.loads(run(firth, "lm", "score", model, self.held_out, "--json", "--threads", 1))
        lines = (out / "classes.tsv").read_text(encoding="utf-8").splitlines()
        class_of = {word.lower(): number for word, number in (line.split("\t")[:2] for line in lines)}
        return self.substitution(class_of), score["perplexity"], class_of


def mutual_information(joint):
    total = sum(joint.values())
    left, right = collections.Counter(), collections.Counter()
    for (a, b), weight in joint.items():
        left[a] += weight
        right[b] += weight
    return sum(w / total * math.log2(w * total / (left[a] * right[b])) for (a, b), w in joint.items())


def distance(one, other, counts):
    """VI in bits over the words of both, each as often as it occurs."""
    joint = collections.Counter()
    for word, number in one.items():
        if word in other:
            joint[number, other[word]] += counts[word]
    total = sum(joint.values())
    sides = [collections.Counter(), collections.Counter()]
    for pair, weight in joint.items():
        for side, number in zip(sides, pair):
            side[number] += weight
    entropy = sum(-w / total * math.log2(w / total) for side in sides for w in side.values())
    return entropy - 2 * mutual_information(joint)


def stability(found, text):
    counts = collections.Counter(pathlib.Path(text).read_text(encoding="utf-8").lower().split())
    pairs = [(a, b) for i, a in enumerate(found) for b in found[:i]]
    return statistics.mean(distance(a, b, counts) for a, b in pairs) if pairs else math.nan


def summary(rows, base):
    """The table: a line a setting."""
    by_setting = {}
    for row in rows:
        cell = row["text"], row["classes"]
        by_setting.setdefault(row["setting"], {}).setdefault(cell, {})[row["seed"]] = row
    cells = sorted(by_setting[base])
    print("| setting | " + " | ".join(f"{text}, {classes}" for text, classes in cells) + " | all | perplexity |")
    print("|---" * (len(cells) + 3) + "|")
    for setting, found in by_setting.items():
        shown, gains, ratios = [], [], []
        for cell in cells:
            seeds = found.get(cell, {})
            one = [float(row["substitution"]) - (0 if setting == base else float(by_setting[base][cell][seed]["substitution"]))
                   for seed, row in seeds.items()]
            gains += one
            ratios += [float(row["perplexity"]) / float(by_setting[base][cell][seed]["perplexity"]) for seed, row in seeds.items()]
            shown.append(f"{statistics.mean(one):.4f}" if setting == base else f"{statistics.mean(one):+.4f}" if one else "")
        error = statistics.stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.nan
        overall = f"{statistics.mean(gains):.4f}" if setting == base else f"{statistics.mean(gains):+.4f} +- {error:.4f}"
        print(f"| {setting} | " + " | ".join(shown) + f" | {overall} | {100 * (statistics.mean(ratios) - 1):+.2f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("firth")
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--classes", default="17,50")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", default="rows.tsv")
    parser.add_argument("--more", metavar="FILE")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--try", action="append", default=[], dest="settings", metavar="NAME=OPTIONS")
    options = parser.parse_args()
    path = pathlib.Path(options.rows)
    rows = list(csv.DictReader(path.open(encoding="utf-8"), delimiter="\t")) if path.exists() else []
    done = {(r["text"], r["classes"], r["setting"], r["seed"]) for r in rows}
    settings = [setting.partition("=") for setting in options.settings]
    with path.open("a", encoding="utf-8", newline="") as out, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(out, FIELDS, delimiter="\t")
        if not rows:
            writer.writeheader()
        for text in options.texts:
            found = collections.defaultdict(list)
            for seed in range(1, options.seeds + 1):
                split = None
                for classes in options.classes.split(","):
                    for name, _, given in settings:
                        key = (pathlib.Path(text).name, classes, name, str(seed))
                        if key in done:
                            continue
                        if split is None:
                            split = Split(text, seed, pathlib.Path(folder))
                            if options.more:
                                split.add(options.firth, options.more, options.times)
                        bits, perplexity, class_of = split.measure(options.firth, classes, given.split())
                        found[classes, name].append(class_of)
                        rows.append(dict(zip(FIELDS, (*key, f"{bits:.5f}", f"{perplexity:.3f}"))))
                        writer.writerow(rows[-1])
                        out.flush()
            for (classes, name), runs in found.items():
                print(f"{pathlib.Path(text).name}, {classes}, {name}: VI between seeds {stability(runs, text):.3f}", flush=True)
    if rows:
        summary(rows, rows[0]["setting"])


if __name__ == "__main__":
    main()
