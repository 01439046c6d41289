#!/usr/bin/env python3
"""Theorem 3 of Cohen et al. (2012): errors of trees and marginals fall as one over the root of the number of trees.

cohen_theorem3.py FIRTH [--trees 500,1000,...] [--grammars 3] [--out DIR]

For each random grammar (`firth sample lpcfg`) the truth is computed here from grammar.tsv. Error: sum |p^ - p| / sum p
over the different trees of up to MAX_WORDS words of a fixed sample; for marginals the mean over their sentences of
sum |mu^ - mu| / sum mu, given the sentence. The learner has the switches of the paper, once with all nodes of all trees
and once with one random node of each, as Figure 4 has it.
"""
import collections
import math
import re

import common

MAX_WORDS = 4
MAX_SENTENCES = 100
EXACT = ["--algorithm", "spectral", "-m", 2, "--backoff", 0, "--no-scaling", "--singular-cut", 0, "--vertical", 1,
         "--horizontal", "all", "--rare-below", 1, "--nodes-per-state", 0]


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


def split(name):
    """NP-1 as ("NP", 1)."""
    label, state = name.rsplit("-", 1)
    return label, int(state)


def true_marginals(words, grammar):
    """mu(a, i, j) / p(x) by label and span: inside and outside terms of symbols with states."""
    inside, outside = collections.defaultdict(float), collections.defaultdict(float)
    size = len(words)
    for i, word in enumerate(words):
        for (tag, emitted), p in grammar["word"].items():
            if emitted == word:
                inside[tag, i, i + 1] = p
    spans = [(i, i + width) for width in range(2, size + 1) for i in range(size - width + 1)]
    for i, j in spans:
        for k in range(i + 1, j):
            for (a, b, c), p in grammar["rule"].items():
                inside[a, i, j] += p * inside.get((b, i, k), 0.0) * inside.get((c, k, j), 0.0)
    for (a,), p in grammar["root"].items():
        outside[a, 0, size] = p
    for i, j in reversed(spans):
        for k in range(i + 1, j):
            for (a, b, c), p in grammar["rule"].items():
                above = p * outside.get((a, i, j), 0.0)
                outside[b, i, k] += above * inside.get((c, k, j), 0.0)
                outside[c, k, j] += above * inside.get((b, i, k), 0.0)
    total = sum(p * inside.get((a, 0, size), 0.0) for (a,), p in grammar["root"].items())
    marginals = collections.defaultdict(float)
    for (name, i, j), value in inside.items():
        marginals[split(name)[0], i, j] += value * outside.get((name, i, j), 0.0) / total
    return marginals


def tree_error(firth, model, tested, truth):
    guessed = []
    for line in firth.run("parse", "probability", model, tested).splitlines()[:len(truth)]:
        logarithm, *negative = line.split()
        guessed.append((-1 if negative else 1) * (0.0 if logarithm == "-inf" else 10 ** float(logarithm)))
    return sum(abs(g - p) for g, p in zip(guessed, truth)) / sum(truth)


def marginal_error(firth, model, sentences, truth):
    found = [{} for _ in truth]
    table = firth.run("parse", "run", model, sentences, "--marginals", "symbols", "--min-marginal", 0, "--prune", 0)
    for line in table.splitlines():
        number, begin, end, label, value = line.split("\t")
        found[int(number) - 1][label, int(begin), int(end)] = float(value)
    errors = []
    for guess, marginals in zip(found, truth):
        wrong = sum(abs(guess.get(key, 0.0) - marginals.get(key, 0.0)) for key in {*guess, *marginals})
        errors.append(wrong / sum(marginals.values()))
    return sum(errors) / len(errors)


class Trial:
    """One grammar: what is tested, and its truth."""

    def __init__(self, firth, seed, folder):
        self.firth, self.seed = firth, seed
        lines = (folder / "trees.mrg").read_text(encoding="utf-8").splitlines()
        chosen = sorted({line for line in lines if len(re.findall(r"[^()\s]\)", line)) <= MAX_WORDS})
        grammar = read_grammar(folder / "grammar.tsv")
        self.trees = self.write("mrg", chosen)
        self.tree_truth = [probability(parse(line), grammar) for line in chosen]
        texts = sorted({" ".join(re.findall(r" ([^()\s]+)\)", line)) for line in chosen})
        texts = [text for text in texts if " " in text][:MAX_SENTENCES]
        self.sentences = self.write("txt", texts)
        self.marginals = [true_marginals(text.split(), grammar) for text in texts]

    def write(self, ending, lines):
        path = self.firth.path(f"tested-{self.seed}.{ending}")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def errors(self, folder):
        """Of trees with all nodes and with one of each tree, and of marginals with all nodes."""
        all_nodes, one_node = self.firth.path("all"), self.firth.path("one")
        self.firth.run("parse", "train", folder / "trees.mrg", "-o", all_nodes, *EXACT)
        self.firth.run("parse", "train", folder / "trees.mrg", "-o", one_node, "--one-node-per-tree", "--seed", self.seed, *EXACT)
        return (tree_error(self.firth, all_nodes, self.trees, self.tree_truth),
                tree_error(self.firth, one_node, self.trees, self.tree_truth),
                marginal_error(self.firth, all_nodes, self.sentences, self.marginals))


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--trees", default="500,1000,2000,4000,8000,16000")
    parser.add_argument("--grammars", type=int, default=3)
    options = parser.parse_args()
    firth, sizes = common.workspace(options), common.numbers(options.trees)
    errors = {size: [] for size in sizes}
    for seed in range(1, options.grammars + 1):
        folders = {size: sample(firth, seed, size) for size in sizes}
        trial = Trial(firth, seed, folders[sizes[0]])
        for size in sizes:
            errors[size].append(trial.errors(folders[size]))
    columns = ["trees", "all nodes", "one node per tree", "marginals, all nodes", "c / sqrt(trees)"]
    report = common.Report(options.out, "cohen_theorem3", columns)
    means = {size: [math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*errors[size])] for size in sizes}
    constant = math.exp(sum(math.log(means[size][0] * math.sqrt(size)) for size in sizes) / len(sizes))
    for size in sizes:
        report.add(size, *means[size], constant / math.sqrt(size))
    report.draw("Errors of p(tree) and of marginals against the number of trees", "relative error", x_log=True, y_from=0)


if __name__ == "__main__":
    main()
