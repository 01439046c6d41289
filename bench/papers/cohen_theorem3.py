#!/usr/bin/env python3
"""Theorem 3 of Cohen et al. (2012): the error of tree probabilities falls as one over the root of the number of trees.

cohen_theorem3.py FIRTH [--trees 500,1000,...] [--grammars 3] [--out DIR]

For each random grammar (`firth sample lpcfg`) the truth is computed here from grammar.tsv. Error: sum |p^ - p| / sum p
over the different trees of up to MAX_WORDS words of a fixed sample. The learner has the switches of the paper.
"""
import math
import re

import common

MAX_WORDS = 4
EXACT = ["--algorithm", "spectral", "-m", 2, "--backoff", 0, "--no-scaling", "--singular-cut", 0, "--vertical", 1,
         "--horizontal", "all", "--rare", 1]


def read_grammar(path):
    """Probabilities by rows of grammar.tsv: root, rule and word."""
    tables = {"root": {}, "rule": {}, "word": {}}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *names, value = line.split("\t")
        tables.setdefault(kind, {})[tuple(name for name in names if name)] = float(value)
    return tables


def parse(text):
    """A tree of brackets as nested tuples; the outermost, unlabelled bracket is taken off."""
    stack = [[]]
    for token in re.findall(r"[()]|[^()\s]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0][0]


def inside(tree, grammar, states):
    """p(tree | state of its root) for each state."""
    label, *below = tree
    if isinstance(below[0], str):
        return [grammar["word"].get((f"{label}-{h}", below[0]), 0.0) for h in range(states)]
    left, right = (inside(child, grammar, states) for child in below)
    return [sum(grammar["rule"].get((f"{label}-{h}", f"{below[0][0]}-{i}", f"{below[1][0]}-{j}"), 0.0) * left[i] * right[j]
                for i in range(states) for j in range(states)) for h in range(states)]


def probability(tree, grammar, states=2):
    terms = inside(tree, grammar, states)
    return sum(grammar["root"].get((f"{tree[0]}-{h}",), 0.0) * terms[h] for h in range(states))


def sample(firth, seed, trees):
    folder = firth.path(f"sample-{seed}-{trees}")
    firth.run("sample", "lpcfg", "--trees", trees, "-m", 2, "--phrases", 2, "--tags", 3, "-n", 12, "--seed", seed, "-o", folder)
    return folder


def error(firth, folder, tested, truth):
    model = firth.path("model")
    firth.run("parse", "train", folder / "trees.mrg", "-o", model, *EXACT)
    guessed = []
    for line in firth.run("parse", "probability", model, tested).splitlines()[:len(truth)]:
        logarithm, *negative = line.split()
        guessed.append((-1 if negative else 1) * (0.0 if logarithm == "-inf" else 10 ** float(logarithm)))
    return sum(abs(g - p) for g, p in zip(guessed, truth)) / sum(truth)


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--trees", default="500,1000,2000,4000,8000,16000")
    parser.add_argument("--grammars", type=int, default=3)
    options = parser.parse_args()
    firth, sizes = common.workspace(options), common.numbers(options.trees)
    errors = {size: [] for size in sizes}
    for seed in range(1, options.grammars + 1):
        folders = {size: sample(firth, seed, size) for size in sizes}
        lines = (folders[sizes[0]] / "trees.mrg").read_text(encoding="utf-8").splitlines()
        chosen = sorted({line for line in lines if len(re.findall(r"[^()\s]\)", line)) <= MAX_WORDS})
        tested = firth.path(f"tested-{seed}.mrg")
        tested.write_text("\n".join(chosen) + "\n", encoding="utf-8")
        grammar = read_grammar(folders[sizes[0]] / "grammar.tsv")
        truth = [probability(parse(line), grammar) for line in chosen]
        for size in sizes:
            errors[size].append(error(firth, folders[size], tested, truth))
    report = common.Report(options.out, "cohen_theorem3", ["trees", "error", "c / sqrt(trees)"])
    means = {size: math.exp(sum(map(math.log, errors[size])) / len(errors[size])) for size in sizes}
    constant = math.exp(sum(math.log(means[size] * math.sqrt(size)) for size in sizes) / len(sizes))
    for size in sizes:
        report.add(size, means[size], constant / math.sqrt(size))
    report.draw("Error of p(tree) against the number of trees", "sum |p^ - p| / sum p", x_log=True, y_from=0)


if __name__ == "__main__":
    main()
