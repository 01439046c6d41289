#!/usr/bin/env python3
"""Is the number of classes that `firth choose TRAIN` names a good one for text that it never saw?

Clusters TRAIN with the chosen number of classes and with others (16, 23, 32 ...: each 1.41 times the one before, until the perplexity is 3 % above the
best and four numbers are behind it), and asks for the perplexity of TEST, which takes no part in the choice. Prints the curve, how much worse the chosen number is than the
best of all, and the CPU seconds of `choose` against those of clustering once with `--effort fast`. `--dev TEXT` does the same for `choose --held-out TEXT`, `--counts` for
`choose` on the count file.

Usage: choose_check.py --firth FIRTH TRAIN TEST [--dev DEV] [--counts] [--from 16] [--to 4096] [-- OPTIONS OF TEXT]
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

MIN_COUNTS = [(10_000_000, 5), (500_000, 3), (0, 1)]  # as --min-count auto


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Check:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        tokens = json.loads(self.firth("count", options.train, *options.rest, "-o", self.folder / "all.counts", "--json"))["tokens"]
        self.min_count = next(count for least, count in MIN_COUNTS if tokens >= least)
        self.train = self.counted(options.train, "--min-count", self.min_count)
        self.test = self.counted(options.test)
        self.tokens = int(tokens)

    def firth(self, *words):
        line = [self.options.firth, *map(str, words), "--progress", "never", "--threads", "1"]
        return subprocess.run(line, check=True, capture_output=True, text=True).stdout

    def counted(self, text, *more):
        counts = self.folder / (pathlib.Path(text).name + ".counts")
        self.firth("count", text, *self.options.rest, *more, "-o", counts)
        return counts

    def point(self, classes):
        """Perplexity of the test text, CPU seconds of clustering."""
        rows = self.firth("compare", self.train, "--methods", "auto:fast", "--classes", classes, "--held-out", self.test, "--to", "json")
        row = json.loads(rows)["rows"][0]
        return row["perplexity"], row["cpu_seconds"]

    def choose(self, *words):
        before = cpu_seconds()
        choice = json.loads(self.firth("choose", *words, "--json"))
        return choice["classes"], cpu_seconds() - before

    def chosen(self):
        text = [*self.options.rest, "--min-count", self.min_count]
        answers = {"choose": self.choose(self.options.train, *text)}
        if self.options.dev:
            answers["choose --held-out"] = self.choose(self.options.train, "--held-out", self.counted(self.options.dev), *text)
        if self.options.counts:
            answers["choose, count file"] = self.choose(self.train)
        return answers

    def sweep(self):
        curve = {}
        for i in range(40):
            k = round(16 * 2 ** (i / 2))
            if k < self.options.least or k > self.options.most:
                continue
            curve[k] = self.point(k)
            best = min(curve, key=curve.get)
            if sum(other > best for other in curve) >= 4 and curve[k][0] > 1.03 * curve[best][0]:
                break
        return curve


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--firth", default="firth")
    parser.add_argument("--dev")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--from", dest="least", type=int, default=16)
    parser.add_argument("--to", dest="most", type=int, default=4096)
    parser.add_argument("rest", nargs="*", help="options for reading text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(options, folder)
        answers = check.chosen()
        curve = check.sweep()
        for k, _ in answers.values():
            curve.setdefault(k, check.point(k))
    best = min(curve, key=curve.get)
    print(f"{options.train} ({check.tokens} words, min-count {check.min_count}), {options.test}: " + ", ".join(f"{k}: {curve[k][0]:.1f}" for k in sorted(curve)))
    print(f"  best: {best} ({curve[best][0]:.2f})")
    for name, (k, seconds) in answers.items():
        perplexity, once = curve[k]
        print(f"  {name}: {k} ({perplexity:.2f}), {100 * (perplexity / curve[best][0] - 1):+.2f} %; {seconds:.1f} CPU s, clustering once {once:.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
