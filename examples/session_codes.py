#!/usr/bin/env python3
"""Items in sessions: codes for generative retrieval and recommenders.

Sessions are sentences, items are words: what is bought or read in the same place of a session gets into the same class, and
items that are close in the tree share the beginning of their codes. No text or picture of an item is needed. Sessions are
drawn from planted classes (firth sample brown), so we can say how much the codes know of the truth:

- unique: every item has its own code;
- for every number of digits: how pure the groups with the same beginning are (share of items of the most frequent
  planted class of each group), against the same codes dealt out at random;
- how often two neighbours of a session that are of one planted class share the first digit.
"""
import collections
import random

import common


def purity(groups):
    best = sum(max(collections.Counter(members).values()) for members in groups.values())
    return best / sum(len(members) for members in groups.values())


def grouped(codes, truth, digits):
    groups = collections.defaultdict(list)
    for item, code in codes.items():
        groups[code[:digits]].append(truth[item])
    return groups


def main():
    shop = common.Shop(__doc__, items=(3000, "different items"), groups=(64, "planted groups"), tokens=(400000, "clicks"))
    shop.firth("sample", "brown", "-o", "sample", "--words", shop.options.items, "--classes", shop.options.groups,
               "--tokens", shop.options.tokens, "--contrast", 4, "--seed", shop.options.seed)
    truth = dict(line.split("\t")[:2] for line in open(shop.path("sample/classes.tsv"), encoding="utf-8").read().splitlines())
    shop.firth("cluster", "sample/text.txt", "-c", shop.options.groups, "-o", "out")
    shop.firth("convert", "out", "codes.npy", "--to", "codes", "--branch", 16, "--depth", 4)
    (count, depth), digits = common.read_npy(shop.path("codes.npy"))
    words = [line.split("\t")[0] for line in open(shop.path("codes.vocab"), encoding="utf-8").read().splitlines()]
    codes = {word: tuple(digits[i * depth:(i + 1) * depth]) for i, word in enumerate(words)}
    print(f"{count} items, codes of {depth} digits of 16 values, unique: {len(set(codes.values())) == count}")
    shuffled = list(codes.values())
    random.Random(shop.options.seed).shuffle(shuffled)
    chance = dict(zip(codes, shuffled))
    common.print_table([{"digits": d, "groups": len(grouped(codes, truth, d)), "purity": purity(grouped(codes, truth, d)),
                         "by chance": purity(grouped(chance, truth, d))} for d in range(1, depth)])
    same = shared = 0
    for session in shop.sentences("sample/text.txt"):
        for left, right in zip(session, session[1:]):
            if truth[left] == truth[right]:
                same += 1
                shared += codes[left][0] == codes[right][0]
    print(f"neighbours of one planted group that share the first digit: {shared / max(same, 1):.3f} of {same}")
    assert len(set(codes.values())) == count


main()
