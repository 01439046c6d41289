#!/usr/bin/env python3
"""Chunking with classes of words (a use that Stratos et al. 2014 name): base noun phrases from any treebank.

stratos_chunking.py FIRTH TEXT TRAIN TEST [--classes 100,500] [--sentences 2000] [--out DIR]

TRAIN and TEST have bracketed trees. A chunk is an NP without another NP inside; what is not in one is O. Classes come
from TEXT by Brown clustering. The score is F1 of chunks. The usual data, CoNLL 2000, is made of the Penn Treebank.
"""
import re

import common
from stratos_table1 import f1

TOKEN = re.compile(r"[()]|[^()\s]+")


def chunks(tree):
    """(word, tag) pairs of a tree."""
    words, open_nodes, spans = [], [], []
    label_next = False
    for token in TOKEN.findall(tree):
        if token == "(":
            open_nodes.append([None, len(words), False])
            label_next = True
        elif token == ")":
            label, begin, has_np = open_nodes.pop()
            is_np = label is not None and re.split(r"[-=]", label)[0] == "NP" and len(words) > begin
            if is_np and not has_np:
                spans.append((begin, len(words)))
            if open_nodes and (is_np or has_np):
                open_nodes[-1][2] = True
            label_next = False
        elif label_next:
            open_nodes[-1][0] = token
            label_next = False
        elif open_nodes[-1][0] != "-NONE-":
            words.append(token)
    tags = ["O"] * len(words)
    for begin, end in spans:
        tags[begin:end] = ["B-NP"] + ["I-NP"] * (end - begin - 1)
    return list(zip(words, tags))


def write_chunks(trees, target, limit):
    with open(trees, encoding="utf-8") as source, open(target, "w", encoding="utf-8") as file:
        for number, line in enumerate(source):
            if limit and number >= limit:
                break
            rows = chunks(line)
            file.write("".join(f"{word}\t{tag}\n" for word, tag in rows) + ("\n" if rows else ""))
    return target


def main():
    parser = common.parser(__doc__, "text", "train", "test")
    parser.add_argument("--classes", default="100,500")
    parser.add_argument("--sentences", type=int, default=2000, help="of TRAIN; 0 = all")
    options = parser.parse_args()
    firth = common.workspace(options)
    train = write_chunks(options.train, firth.path("train.conll"), options.sentences)
    test = write_chunks(options.test, firth.path("test.conll"), 0)
    report = common.Report(options.out, "stratos_chunking", ["classes", "F1 of chunks"])
    report.add("none", *f1(firth, train, [test]))
    for classes in common.numbers(options.classes):
        folder = firth.cluster(options.text, "brown", classes, "--min-count", 3)
        report.add(classes, *f1(firth, train, [test], "--clusters", folder))


if __name__ == "__main__":
    main()
