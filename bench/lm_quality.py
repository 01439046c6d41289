#!/usr/bin/env python3
"""What classes are worth to a language model: held-out perplexity and prediction accuracy, as a Markdown table.

lm_quality.py FIRTH TRAIN TEST NAME=CLASSES... [--tune-lines 5000] [--orders 2,3] [--folder DIR]

The first lines of TEST tune the weights of the mixtures, all figures are for the others. The word model has the
vocabulary of the first classes. CLASSES is a folder of firth cluster or any class file, always of the same words.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile


class Bench:
    def __init__(self, options, folder):
        self.firth, self.train, self.folder = options.firth, options.train, pathlib.Path(folder)
        lines = pathlib.Path(options.test).read_text(encoding="utf-8").splitlines(keepends=True)
        self.tune, self.held_out = self.folder / "tune.txt", self.folder / "held_out.txt"
        self.tune.write_text("".join(lines[:options.tune_lines]), encoding="utf-8")
        self.held_out.write_text("".join(lines[options.tune_lines:]), encoding="utf-8")

    def run(self, *arguments):
        done = subprocess.run([self.firth, "lm", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"firth lm {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def model(self, name, order, *what):
        path = self.folder / f"{name}.{order}.lm"
        if not path.exists():
            self.run("train", *what, self.train, "-o", path, "--order", order)
        return path

    def score(self, model, accuracy=True):
        return json.loads(self.run("score", model, self.held_out, "--json", *(["--accuracy"] if accuracy else [])))

    def mixture(self, word, model):
        mixed = self.folder / "mixed.lm"
        weights = self.run("mix", word, model, "--held-out", self.tune, "-o", mixed)
        return self.score(mixed, False)["perplexity"], weights.splitlines()[1].split("\t")[0]


def percent(value):
    return f"{100 * value:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("firth")
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("classes", nargs="+", metavar="NAME=CLASSES")
    parser.add_argument("--tune-lines", type=int, default=5000)
    parser.add_argument("--orders", default="2,3")
    parser.add_argument("--folder", help="keep the models here")
    options = parser.parse_args()
    orders = options.orders.split(",")
    last = orders[-1]
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(options, options.folder or temporary)
        word = bench.model("word", last, "--words", "--classes", options.classes[0].split("=", 1)[1])
        scored = bench.score(word)
        heads = [f"order {order}" for order in orders]
        print("| classes |", " | ".join(heads), "| CPA % | w@1 % | w@10 % | mixture | weight |")
        print("|---" * (len(heads) + 6) + "|")
        print("| word model |", "- |" * (len(orders) - 1), f"{scored['perplexity']:.2f} | - |",
              f"{percent(scored['word_accuracy_1'])} | {percent(scored['word_accuracy_10'])} | - | - |", flush=True)
        for spec in options.classes:
            name, classes = spec.split("=", 1)
            scores = [bench.score(bench.model(name.replace("/", "_"), order, "--classes", classes)) for order in orders]
            best = scores[-1]
            mixed, weight = bench.mixture(word, bench.model(name.replace("/", "_"), last, "--classes", classes))
            figures = [f"{s['perplexity']:.2f}" for s in scores]
            figures += [percent(best[key]) for key in ("class_accuracy", "word_accuracy_1", "word_accuracy_10")]
            print(f"| {name} |", " | ".join(figures), f"| {mixed:.2f} | {weight} |", flush=True)


if __name__ == "__main__":
    main()
