#!/usr/bin/env python3
"""Odd corpora, every method and variant, odd numbers of classes: the right answer or a clear refusal, and never a long wait.

corpus_zoo.py --command FIRTH [--size small|large] [--corpus NAME] [--method NAME] [--seconds S] [--short]
  --size      small: vocabularies up to 40 words (default); large: up to 5,000 words, and a line of five million tokens
  --short     a third of the numbers of classes, taken in turn
  --seconds S the longest that one run may take, in seconds of one processor (default 60)

A right answer has every word of the text in one of at most K classes, the AMI that it says (computed here from the definition), a tree that
cuts to every smaller number of classes, and the same bytes for one thread and three. A refusal is exit code 1 or 2 with a message.
"""
import argparse
import collections
import json
import math
import os
import resource
import shutil
import signal
import sys

import campaign

METHODS = {
    "auto": [], "exchange": ["--method", "exchange"], "brown": ["--method", "brown"],
    "brown allsame": ["--method", "brown", "--variant", "allsame"], "brown resort": ["--method", "brown", "--variant", "resort"],
    "brown all": ["--method", "brown", "--window", "all"], "brown unigram": ["--method", "brown", "--marginals", "unigram"],
    "spectral": ["--method", "spectral"], "spectral divide": ["--method", "spectral", "--divide"], "svd2": ["--method", "svd2"],
    "pos": ["--method", "pos"],
}
FLAT = {"svd2", "pos"}  # no promise that there are K classes


def lines(words, length=10):
    return "\n".join(" ".join(words[i:i + length]) for i in range(0, len(words), length)) + "\n"


def zoo(size):
    """Name, text."""
    n = {"small": 24, "large": 5000}[size]
    words = [f"w{i}" for i in range(n)]
    yield "one word", "a\n"
    yield "one word again and again", "a " * n + "\n"
    yield "two words", "a b\n"
    yield "two words in turn", "a b " * n + "\n"
    yield "a word per line", lines(words * 2, length=1)
    yield "all hapaxes", lines(words)
    yield "all hapaxes in one line", " ".join(words) + "\n"
    yield "everything tied", lines([words[(i * step) % n] for step in (1, 5, 7, 11) for i in range(n)], length=4 * n)
    yield "every bigram unique", lines(unique_bigrams(max(4, int(math.sqrt(n)))), length=10 ** 9)
    yield "one word between all others", " ".join(f"the {word}" for word in words) + "\n"
    yield "twins", lines([word for i in range(0, n, 2) for word in (words[i], "x", words[i + 1], "x")])
    yield "two islands", lines([words[i % (n // 2)] for i in range(2 * n)]) + lines([words[n // 2 + i % (n // 2)] for i in range(2 * n)])
    yield "a ladder of frequencies", lines([words[i] for i in range(n if size == "small" else 400) for _ in range(i + 1)])
    yield "characters of every kind", "\u00e9 \u00a0 \U0001d11e \u202e \u0301 e\u0301 \ufeff a\u0000".replace("\0", "") + "\n" + "' \" \\ { } <s> </s> <unk> -\n" * 3
    if size == "large":
        yield "one line of five million tokens", " ".join(words[int(n ** ((i * 2654435761 % 2 ** 32) / 2 ** 32)) - 1] for i in range(5_000_000)) + "\n"


def unique_bigrams(n):
    """Every pair of n words once: a walk along an Euler circle."""
    left = {a: list(range(n)) for a in range(n)}
    stack, walk = [0], []
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            walk.append(f"w{stack.pop()}")
    return walk


def bigrams(text):
    counts = collections.Counter()
    for line in text.split("\n"):
        words = split(line)
        counts.update(zip(words, words[1:]))
    return counts


def split(line):
    """At white space of ASCII only, as Firth does."""
    return [word for word in line.replace("\t", " ").split(" ") if word]


def ami(pairs, classes):
    """In bits, from the definition."""
    joint = collections.Counter()
    for (left, right), count in pairs.items():
        joint[classes[left], classes[right]] += count
    total = sum(joint.values())
    first, second = collections.Counter(), collections.Counter()
    for (a, b), count in joint.items():
        first[a] += count
        second[b] += count
    return math.fsum(count / total * math.log2(count * total / (first[a] * second[b])) for (a, b), count in joint.items()) if total else 0.0


def unigram_ami(pairs, unigrams, classes):
    """The same with probabilities of single words from their counts, as wcluster has it."""
    total = sum(unigrams.values())
    joint, single = collections.Counter(), collections.Counter()
    for (left, right), count in pairs.items():
        joint[classes[left], classes[right]] += count
    for word, count in unigrams.items():
        single[classes[word]] += count
    return math.fsum(count / total * math.log2(count * total / (single[a] * single[b])) for (a, b), count in joint.items())


def processor_seconds():
    """Of all runs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def class_numbers(vocabulary):
    return sorted({1, 2, 3, max(1, round(math.sqrt(vocabulary))), max(1, vocabulary - 1), vocabulary})


class Runner:
    def __init__(self, options):
        self.workshop = campaign.Workshop(options.command)
        self.options = options
        self.tally = campaign.Tally(f"corpus zoo ({options.size})")
        self.longest = (0.0, "")

    def cluster(self, where, folder, method, classes, threads):
        """Judged by the time of the processor, whatever else the machine does; a run that waits for ever ends, too."""
        allowed = math.ceil(self.options.seconds)
        before = processor_seconds()
        code, _, err = self.workshop.run(["cluster", "zoo.txt", "-c", str(classes), "--threads", str(threads), "-o", f"out{threads}"] + METHODS[method],
                                         folder, limit=lambda: resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed)), timeout=100 * allowed)
        seconds = processor_seconds() - before
        self.longest = max(self.longest, (seconds, where))
        if seconds > self.options.seconds / 6:
            print(f"{seconds:.1f} s: {where}", flush=True)
        self.tally.check(code != -signal.SIGKILL, f"{where}: more than {allowed} s")
        self.tally.tries += 1
        return code, err

    def check(self, where, folder, method, classes, counts):
        pairs, unigrams = counts
        words = set(unigrams)
        found = dict(line.rsplit("\t", 1) for line in (folder / "out1/classes.tsv").read_text().split("\n") if line)
        self.tally.check(set(found) == words, f"{where}: other words than those of the text")
        if set(found) != words:
            return
        number = len(set(found.values()))
        self.tally.check(number <= classes, f"{where}: {number} classes")
        if method not in FLAT:
            self.tally.check(number == min(classes, len(words)), f"{where}: {number} classes of {len(words)} words")
        said = json.loads((folder / "out1/run.json").read_text())["figures"]["ami_bits"]
        right = unigram_ami(pairs, unigrams, found) if method == "brown unigram" else ami(pairs, found)
        self.tally.check(abs(said - right) < 1e-6, f"{where}: AMI {said}, but it is {right}")

    def run_one(self, name, counts, method, classes):
        where = f"{name}, {method}, {classes} classes"
        folder = self.workshop.fresh_folder()
        code, err = self.cluster(where, folder, method, classes, 1)
        self.tally.check(code in (0, 1, 2), f"{where}: exit code {code}: {err[-300:]}")
        if code in (1, 2):
            self.tally.check("firth: error: " in err, f"{where}: no message: {err[-300:]}")
        if code == 0:
            self.check(where, folder, method, classes, counts)
            if self.options.size == "small":
                again, err = self.cluster(where, folder, method, classes, 3)
                same = again == 0 and all((folder / "out3" / p.name).read_bytes() == p.read_bytes()
                                          for p in (folder / "out1").iterdir() if p.name != "run.json")
                self.tally.check(same, f"{where}: another result with three threads: {err[-300:]}")
        shutil.rmtree(folder)

    def run(self):
        turn = 0
        for name, text in zoo(self.options.size):
            if self.options.corpus and name not in self.options.corpus:
                continue
            (self.workshop.path / "zoo.txt").write_text(text)
            unigrams = collections.Counter(word for line in text.split("\n") for word in split(line))
            counts = bigrams(text), unigrams
            for method in self.options.method or METHODS:
                for classes in class_numbers(len(unigrams)):
                    turn += 1
                    if self.options.short and turn % 3 != 0:
                        continue
                    self.run_one(name, counts, method, classes)
            self.tally.show(name)
        self.workshop.close()
        print(f"the longest run: {self.longest[0]:.1f} s ({self.longest[1]})")
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--size", choices=("small", "large"), default="small")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--corpus", action="append", default=[])
    parser.add_argument("--method", action="append", default=[], choices=METHODS)
    parser.add_argument("--seconds", type=float, default=60)
    sys.exit(Runner(parser.parse_args()).run())


if __name__ == "__main__":
    main()
