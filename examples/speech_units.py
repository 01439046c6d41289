#!/usr/bin/env python3
"""Sequences of speech units: how redundant they are, in bits, before and after merging.

Units of self-supervised speech models repeat while a sound lasts, and several units stand for the same sound in different
contexts. --squeeze takes the repetitions away; classes merge the units that occur in the same contexts. For each stage:
how many bits a unit has (entropy), how many of them its left neighbour tells already (AMI, the redundancy), and what is left.

The units are drawn: sounds follow each other as a class model says (firth sample brown), every sound has several units that
it is drawn as, and a unit lasts for a random number of frames.
"""
import collections
import math
import random

import common


def make_units(shop):
    """units.txt: lines of unit numbers with repetitions; the sound of each unit."""
    shop.firth("sample", "brown", "-o", "sample", "--words", shop.options.units, "--classes", shop.options.sounds,
               "--tokens", shop.options.tokens, "--contrast", 3, "--seed", shop.options.seed)
    draw = random.Random(shop.options.seed)
    number = {}
    with open(shop.path("units.txt"), "w", encoding="ascii") as file:
        for line in shop.sentences("sample/text.txt"):
            frames = []
            for word in line:
                frames += [str(number.setdefault(word, len(number)))] * draw.choice((1, 1, 2, 2, 3, 4))
            file.write(" ".join(frames) + "\n")


def bits(sentences):
    """Entropy of a unit, and its mutual information with the unit before it."""
    left, right, pairs = collections.Counter(), collections.Counter(), collections.Counter()
    for line in sentences:
        left.update(line[:-1])
        right.update(line[1:])
        pairs.update(zip(line, line[1:]))
    total = sum(pairs.values())
    entropy = -sum(n / total * math.log2(n / total) for n in right.values())
    shared = sum(n / total * math.log2(n * total / (left[a] * right[b])) for (a, b), n in pairs.items())
    return entropy, shared


def main():
    shop = common.Shop(__doc__, units=(400, "different units"), sounds=(40, "sounds"), tokens=(300000, "units to draw"))
    make_units(shop)
    frames = shop.sentences("units.txt")
    squeezed = [[unit for i, unit in enumerate(line) if i == 0 or unit != line[i - 1]] for line in frames]
    shop.firth("cluster", "units.txt", "--format", "ids", "--squeeze", "-c", shop.options.sounds, "-o", "out")
    classes = shop.classes("out")
    merged = [[classes[unit] for unit in line] for line in squeezed]
    rows = []
    for name, sentences in (("frames", frames), ("squeezed", squeezed), ("merged", merged)):
        entropy, shared = bits(sentences)
        rows.append({"stage": name, "symbols": sum(map(len, sentences)), "different": len({u for line in sentences for u in line}),
                     "bits": entropy, "of them known": shared, "redundancy": shared / entropy, "left": entropy - shared})
    common.print_table(rows)
    reported = shop.figures("out")["ami_bits"]
    print(f"firth reports AMI {reported:.4f} bits for the merged units")
    assert abs(reported - rows[-1]["of them known"]) < 1e-6, "squeezing in firth and here must agree"


main()
