#!/usr/bin/env python3
"""Classes of a tokenizer's vocabulary as a two-stage softmax.

A language model whose head first chooses a class and then a token within it computes K + k * (size of a class) scores
instead of V, if the k best classes hold the token. How often they do is the recall here: the class of the next token must
be among the k classes that most often follow the class of the token before it. Three partitions of the same shape (K classes
of equal size) are compared: exchange on the sequence of token ids, which maximises the information between neighbouring
classes, k-means on vectors of the tokens, and the tokens cut into K ranges by frequency. Recall alone does not judge a
partition: ranges by frequency put most of the text into the first class, which is then easily foretold and says little. So
there is also what a token costs in bits: its class after the class before it, and then the token within its class.

Without --text, the tokens are drawn from a class model (firth sample brown). With --text FILE, they are the words of FILE, by
rank of frequency. The last tenth of the lines is not learnt from.
"""
import collections
import math

import common


def by_count(counter):
    return sorted(counter, key=lambda key: -counter[key])


def make_ids(shop):
    """train.ids and test.ids: a line of token ids per sentence."""
    if shop.options.text:
        lines = [line.split() for line in open(shop.options.text, encoding="utf-8")]
    else:
        shop.firth("sample", "brown", "-o", "sample", "--words", shop.options.vocabulary, "--classes", 60,
                   "--tokens", shop.options.tokens, "--seed", shop.options.seed)
        lines = shop.sentences("sample/text.txt")
    counts = collections.Counter(word for line in lines for word in line)
    ranks = {word: i for i, word in enumerate(by_count(counts))}
    cut = len(lines) * 9 // 10
    for name, part in (("train.ids", lines[:cut]), ("test.ids", lines[cut:])):
        with open(shop.path(name), "w", encoding="ascii") as file:
            file.writelines(" ".join(str(ranks[word]) for word in line) + "\n" for line in part)


def bits_per_token(shop, classes):
    """Cross-entropy of the test tokens by class bigrams and tokens within classes, with one added to every count."""
    follows, lefts, tokens, sizes = collections.Counter(), collections.Counter(), collections.Counter(), collections.Counter()
    members = collections.Counter(classes.values())
    for line in shop.sentences("train.ids"):
        for left, right in zip(line, line[1:]):
            follows[classes[left], classes[right]] += 1
            lefts[classes[left]] += 1
            tokens[right] += 1
            sizes[classes[right]] += 1
    bits, total = 0.0, 0
    for line in shop.sentences("test.ids"):
        for left, right in zip(line, line[1:]):
            if left not in classes or right not in classes:
                continue  # not in the text that was learnt from
            c, d = classes[left], classes[right]
            bits -= math.log2((follows[c, d] + 1) / (lefts[c] + len(members))) + math.log2((tokens[right] + 1) / (sizes[d] + members[d]))
            total += 1
    return bits / max(total, 1)


def recall(shop, classes, steps):
    """Share of test tokens whose class is among the k best after the class before it, for every k."""
    follows = collections.defaultdict(collections.Counter)
    for line in shop.sentences("train.ids"):
        for left, right in zip(line, line[1:]):
            follows[classes.get(left)][classes.get(right)] += 1
    order = {c: {d: i for i, d in enumerate(by_count(counter))} for c, counter in follows.items()}
    hits, total = collections.Counter(), 0
    for line in shop.sentences("test.ids"):
        for left, right in zip(line, line[1:]):
            total += 1
            place = order.get(classes.get(left), {}).get(classes.get(right), len(order))
            hits.update(k for k in steps if place < k)
    return {k: hits[k] / max(total, 1) for k in steps}


def main():
    shop = common.Shop(__doc__, text=("", "a text to take the tokens from"), vocabulary=(2000, "different tokens"),
                       tokens=(200000, "tokens to draw"), classes=(40, "classes"))
    make_ids(shop)
    ids = ["--format", "ids", "--min-count", 1]  # every token needs a class
    shop.firth("cluster", "train.ids", *ids, "-c", shop.options.classes, "--class-size", "equal", "-o", "exchange")
    shop.firth("embed", "train.ids", *ids, "-d", 50, "-o", "vectors")
    shop.firth("cluster", "--vectors", "vectors", "--method", "kmeans", "-c", shop.options.classes, "--class-size", "equal",
               "-o", "kmeans")
    shop.firth("convert", "exchange", "classes.npy", "--to", "ids")
    shape, table = common.read_npy(shop.path("classes.npy"))
    steps = [k for k in (1, 2, 4, 8, 16) if k < shop.options.classes]
    rows = []
    found = {name: shop.classes(name) for name in ("exchange", "kmeans")}
    counts = collections.Counter(word for line in shop.sentences("train.ids") for word in line)
    found["frequency"] = {word: i * shop.options.classes // len(counts) for i, word in enumerate(by_count(counts))}
    for name, classes in found.items():
        largest = max(collections.Counter(classes.values()).values())
        rows.append({"classes by": name, "largest": largest, **{f"recall@{k}": share for k, share in recall(shop, classes, steps).items()},
                     "bits per token": bits_per_token(shop, classes)})
    print(f"{len(table)} token ids, {shop.options.classes} classes of equal size")
    common.print_table(rows)
    limited = shop.figures("exchange")
    print(f"AMI {limited['ami_bits']:.4f} bits, {limited['free_ami_bits']:.4f} without equal sizes")
    assert shape == (len(table),) and all(-1 <= c < shop.options.classes for c in table)


main()
