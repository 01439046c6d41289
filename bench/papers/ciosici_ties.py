#!/usr/bin/env python3
"""Section 4.2.3 of Ciosici (2015): what the order of equally frequent words does to plain Brown clustering.

ciosici_ties.py FIRTH TEXT [--lengths 10000,20000] [--classes 200,300] [--shuffles 5] [--out DIR]

AMI of plain Brown clustering with ties broken by bytes (Firth's rule), by first use in the text, by last use, and by
chance, beside ALLSAME, which does not depend on them.
"""
import collections
import random

import common
from ciosici_texts import first_words


def orders(text, shuffles):
    """Names and lists of all words: by frequency, ties in several ways."""
    words = text.read_text(encoding="utf-8").split()
    counts = collections.Counter(words)
    ties = {"first use": list(dict.fromkeys(words)), "last use": list(dict.fromkeys(reversed(words)))}
    for seed in range(1, shuffles + 1):
        ties[f"shuffle {seed}"] = random.Random(seed).sample(sorted(counts), len(counts))
    return {name: sorted(words, key=lambda word: -counts[word]) for name, words in ties.items()}


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--lengths", default="10000,20000")
    parser.add_argument("--classes", default="200,300")
    parser.add_argument("--shuffles", type=int, default=5)
    options = parser.parse_args()
    firth = common.workspace(options)
    report = common.Report(options.out, "ciosici_ties", ["text", "classes", "ties", "AMI", "against bytes, %"])
    for length in common.numbers(options.lengths):
        name = f"T{length // 1000}"
        text = firth.path(f"{name}.txt")
        first_words(options.text, 0, length, text)
        for classes in common.numbers(options.classes):
            switches = {"bytes": []}
            for ties, words in orders(text, options.shuffles).items():
                order = firth.path(f"{name}.{ties.replace(' ', '_')}.order")
                order.write_text("\n".join(words) + "\n", encoding="utf-8")
                switches[ties] = ["--order", order]
            switches["ALLSAME"] = ["--variant", "allsame"]
            base = None
            for ties, options_of_run in switches.items():
                folder = firth.cluster(text, "brown", classes, "--stream", *options_of_run)
                ami = firth.ami(folder, text, "bigrams", "--stream")
                base = base or ami
                report.add(name, classes, ties, ami, 100 * (ami / base - 1))


if __name__ == "__main__":
    main()
