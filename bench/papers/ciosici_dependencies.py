#!/usr/bin/env python3
"""Classes as features of a dependency parser, in the form of Koo, Carreras & Collins 2008 (Ciosici 2015, section 3).

ciosici_dependencies.py FIRTH TEXT TRAIN DEV [-c 1000] [--sentences 3000] [--passes 4] [--no-tags] [--out DIR]

TRAIN and DEV are CoNLL-U. The parser is a small one of its own: arc-hybrid transitions, a dynamic oracle (Goldberg & Nivre 2013), an averaged
perceptron. Koo's templates: bit strings cut to 4 and 6 bits stand in for tags, whole bit strings for words. The score is UAS, the
share of words with the right head, punctuation included; tags are the gold UPOS unless --no-tags leaves them out. Koo's parsers are graph-based,
and their data, the Penn Treebank, is licensed.
"""
import random

import common

SHIFT, LEFT, RIGHT = range(3)


def read(path, limit, bits, tags):
    """Sentences as lists of (word, tag, 4 bits, 6 bits, all bits) with their heads; the root comes last."""
    sentences, tokens, heads = [], [], []
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            path_of = bits.get(fields[1], "?") if bits else ""
            tokens.append((fields[1], fields[3] if tags else "", path_of[:4], path_of[:6], path_of))
            heads.append(int(fields[6]))
        elif not line.strip() and tokens:
            size = len(tokens)
            sentences.append((tokens + [("ROOT",) * 5], [size if head == 0 else head - 1 for head in heads]))
            tokens, heads = [], []
            if len(sentences) == limit:
                break
    return sentences


def features(tokens, stack, front, lefts, has):
    """What the three transitions are scored by."""
    nothing = ("", "", "", "", "")
    s0 = tokens[stack[-1]] if stack else nothing
    s1 = tokens[stack[-2]] if len(stack) > 1 else nothing
    b0 = tokens[front]
    b1 = tokens[front + 1] if front + 1 < len(tokens) else nothing
    child = tokens[lefts[stack[-1]]] if stack and stack[-1] in lefts else nothing
    pairs = [("s0", s0), ("s1", s1), ("b0", b0), ("b1", b1)]
    found = [f"{name}w {item[0]}" for name, item in pairs]
    levels = ([1] if has["tags"] else []) + ([2, 3] if has["classes"] else [])
    for level in levels:
        s0t, s1t, b0t, b1t = s0[level], s1[level], b0[level], b1[level]
        found += [f"{level}s0 {s0t}", f"{level}s1 {s1t}", f"{level}b0 {b0t}", f"{level}b1 {b1t}",
                  f"{level}s0b0 {s0t} {b0t}", f"{level}s0s1 {s0t} {s1t}", f"{level}b0b1 {b0t} {b1t}",
                  f"{level}s0b0b1 {s0t} {b0t} {b1t}", f"{level}s1s0b0 {s1t} {s0t} {b0t}",
                  f"{level}s0wb0 {s0[0]} {b0t}", f"{level}s0b0w {s0t} {b0[0]}", f"{level}s0c {s0t} {child[level]} {b0t}"]
    found.append(f"s0wb0w {s0[0]} {b0[0]}")
    if has["classes"]:
        found += [f"4s0 {s0[4]}", f"4b0 {b0[4]}", f"4s0b0 {s0[4]} {b0[4]}", f"4s0s1 {s0[4]} {s1[4]}"]
        if has["tags"]:
            found += [f"t4s0b0 {s0[1]} {s0[4]} {b0[1]}", f"t4b0s0 {s0[1]} {b0[4]} {b0[1]}"]
    return found


def costs(heads, stack, front, size):
    """How many right arcs each transition makes impossible; only those that may be taken."""
    found = {}
    waiting = range(front, size + 1)
    if front < size:
        inside = set(stack)
        found[SHIFT] = ((heads[front] in inside and heads[front] != stack[-1]) if stack else 0) + \
            sum(heads[item] == front for item in stack)
    if stack:
        top = stack[-1]
        below = sum(heads[item] == top for item in range(front, size))
        found[LEFT] = below + (heads[top] in waiting and heads[top] != front or len(stack) > 1 and heads[top] == stack[-2])
        if len(stack) > 1:
            found[RIGHT] = below + (heads[top] in waiting)
    return found


class Perceptron:
    def __init__(self):
        self.weights, self.step = {}, 0

    def scores(self, found):
        total = [0.0, 0.0, 0.0]
        for feature in found:
            row = self.weights.get(feature)
            if row:
                total[0] += row[0]
                total[1] += row[1]
                total[2] += row[2]
        return total

    def update(self, found, good, bad):
        for feature in found:
            row = self.weights.setdefault(feature, [0.0] * 9)  # weights, their sums, when each was last changed
            for action, by in ((good, 1), (bad, -1)):
                row[3 + action] += (self.step - row[6 + action]) * row[action]
                row[6 + action] = self.step
                row[action] += by

    def average(self):
        for row in self.weights.values():
            for action in range(3):
                row[3 + action] += (self.step - row[6 + action]) * row[action]
                row[action] = row[3 + action] / self.step


def parse(model, sentence, has, learn=False):
    """The heads that the model finds; with `learn`, it is corrected on the way."""
    tokens, gold = sentence
    size = len(tokens) - 1
    stack, front, heads, lefts = [], 0, [None] * size, {}
    while stack or front < size:
        found = features(tokens, stack, front, lefts, has)
        scores, allowed = model.scores(found), costs(gold, stack, front, size)
        best = max(allowed, key=lambda action: (scores[action], -action))
        if learn:
            model.step += 1
            least = min(allowed.values())
            good = max((action for action in allowed if allowed[action] == least), key=lambda action: (scores[action], -action))
            if allowed[best] > least:
                model.update(found, good, best)
        if best == SHIFT:
            stack.append(front)
            front += 1
        else:
            child = stack.pop()
            heads[child] = front if best == LEFT else stack[-1]
            if best == LEFT:
                lefts[front] = child
    return heads


def accuracy(train, dev, passes, has):
    model, order = Perceptron(), random.Random(1)
    for _ in range(passes):
        order.shuffle(train)
        for sentence in train:
            parse(model, sentence, has, learn=True)
    model.average()
    right = words = 0
    for sentence in dev:
        right += sum(a == b for a, b in zip(parse(model, sentence, has), sentence[1]))
        words += len(sentence[1])
    return 100 * right / words


def bit_strings(firth, classes):
    paths = firth.path("paths")
    firth.run("convert", classes, paths, "--to", "paths")
    rows = (line.rstrip("\n").split("\t") for line in open(paths, encoding="utf-8"))
    return {row[1]: row[0] for row in rows}


def main():
    parser = common.parser(__doc__, "text", "train", "dev")
    parser.add_argument("-c", "--classes", type=int, default=1000)
    parser.add_argument("--sentences", type=int, default=3000)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--no-tags", action="store_true")
    options = parser.parse_args()
    firth = common.workspace(options)
    bits = bit_strings(firth, firth.cluster(options.text, "brown", options.classes, "--min-count", 3))
    report = common.Report(options.out, "ciosici_dependencies", ["features", "UAS"])
    for name, paths in (("words and tags" if not options.no_tags else "words", None), ("and classes", bits)):
        has = {"tags": not options.no_tags, "classes": paths is not None}
        train = read(options.train, options.sentences, paths, has["tags"])
        dev = read(options.dev, None, paths, has["tags"])
        report.add(name, accuracy(train, dev, options.passes, has))


if __name__ == "__main__":
    main()
