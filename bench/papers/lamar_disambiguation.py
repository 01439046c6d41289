#!/usr/bin/env python3
"""The disambiguation challenge of Lamar et al. (2010, section 5): classes of words first, then ambiguity, a little at a time.

lamar_disambiguation.py FIRTH GOLD [-c 17] [--method pos] [--seeds 3] [--out DIR]

GOLD is CoNLL-U. Words get the classes of `firth cluster`; then, in passes with a falling threshold, a word may have a
second class. What must hold: (1) it is no word that makes its class (more than SHARE of its tokens), and it has MIN_COUNT
tokens; (2) a mixture of two classes explains the words around it better than its class alone, by THRESHOLD * log(tokens)
nats, classes being judged without the word itself; (3) at least MIN_PAIR of the words that meet (1), and three, are ambiguous
between the same two classes: ambiguity in languages is systematic. A token takes the second class only if that has a probability above CERTAIN.
Scores are those of `firth evaluate --tagged`: many-to-1 of the classes, of the tagger, and of the tagger with every word
relabelled by its most frequent class; that last step should lose. Needs numpy.
"""
import collections

import common
import numpy as np

THRESHOLDS = (16, 8, 4)  # factors of log(tokens), pass by pass
SHARE, MIN_COUNT, MIN_PAIR, CERTAIN = 0.05, 20, 0.005, 0.9
CONTEXT_WORDS = 1000  # neighbours that stand for themselves; others go by their class
PRIOR = 100  # tokens that the distribution over all classes counts for
EM_STEPS = 15


class Text:
    """Tokens as numbers of words; -1 before, between and after sentences."""

    def __init__(self, path):
        self.names, numbers = [], {}
        tokens = [-1]
        for line in open(path, encoding="utf-8"):
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 10 and fields[0].isdigit():
                word = fields[1].replace(" ", "_")
                if word not in numbers:
                    numbers[word] = len(self.names)
                    self.names.append(word)
                tokens.append(numbers[word])
            elif not line.strip() and tokens[-1] >= 0:
                tokens.append(-1)
        self.words = np.array(tokens if tokens[-1] < 0 else tokens + [-1])
        self.tokens = np.nonzero(self.words >= 0)[0]
        by_word = self.tokens[np.argsort(self.words[self.tokens], kind="stable")]
        self.of = np.split(by_word, np.searchsorted(self.words[by_word], np.arange(1, len(self.names))))
        frequency = np.array([len(places) for places in self.of])
        self.rank = np.argsort(np.argsort(-frequency, kind="stable"), kind="stable")


class Contexts:
    """How often each class has each neighbour, left and right."""

    def __init__(self, text, tags, classes):
        words, count = text.words, CONTEXT_WORDS + classes + 1
        stands_alone = (words >= 0) & (text.rank[words] < CONTEXT_WORDS)
        self.feature = np.where(stands_alone, text.rank[words] + classes + 1, tags)
        self.tags, self.sides = tags, []
        for step in (-1, 1):
            table = np.zeros((classes, count))
            np.add.at(table, (tags[text.tokens], self.feature[text.tokens + step]), 1)
            total = table.sum(0) + 0.01
            self.sides.append((step, table, total / total.sum()))
        self.sizes = self.sides[0][1].sum(1)

    def logs(self, places):
        """log p(neighbours | class) for each token of a word and each class, without the word's own tokens."""
        result, sizes = 0, self.sizes - np.bincount(self.tags[places], minlength=len(self.sizes))
        for step, table, total in self.sides:
            seen, inverse = np.unique(self.feature[places + step], return_inverse=True)
            own = np.zeros((len(sizes), len(seen)))
            np.add.at(own, (self.tags[places], inverse), 1)
            shares = (table[:, seen] - own + PRIOR * total[seen]) / (sizes[:, None] + PRIOR)
            result = result + np.log(shares[:, inverse]).T
        return result


def second_class(logs, first):
    """The best second class, what it gains in nats, and its probability for each token."""
    ratio = np.exp(np.clip(logs - logs[:, [first]], -30, 30))
    weight = np.full(logs.shape[1], 0.1)
    for _ in range(EM_STEPS):
        weight = (weight * ratio / (1 - weight + weight * ratio)).mean(0)
    gain = np.log(1 - weight + weight * ratio).sum(0)
    gain[first] = -1
    best = gain.argmax()
    share = weight[best] * ratio[:, best]
    return best, gain[best], share / (1 - weight[best] + share)


def disambiguate(text, first, classes):
    """Classes of tokens; `first` is that of each word."""
    start = np.where(text.words >= 0, first[text.words], classes)
    sizes = np.bincount(start[text.tokens], minlength=classes)
    eligible = [word for word, places in enumerate(text.of) if MIN_COUNT <= len(places) <= SHARE * sizes[first[word]]]
    tags = start
    for threshold in THRESHOLDS:
        contexts, found, pairs = Contexts(text, tags, classes), [], collections.Counter()
        for word in eligible:
            places = text.of[word]
            other, gain, chance = second_class(contexts.logs(places), first[word])
            if gain > threshold * np.log(len(places)):
                pair = frozenset((int(first[word]), int(other)))
                found.append((places, pair, other, chance))
                pairs[pair] += 1
        tags = start.copy()
        for places, pair, other, chance in found:
            if pairs[pair] >= max(3, MIN_PAIR * len(eligible)):
                tags[places[chance > CERTAIN]] = other
    return tags


def read_classes(folder, text):
    rows = (line.rstrip("\n").split("\t") for line in open(folder / "classes.tsv", encoding="utf-8"))
    table = {row[0]: int(row[1]) for row in rows if len(row) > 1 and not row[0].startswith("#")}
    return np.array([table.get(word, 0) for word in text.names])


def write_tagged(text, tags, path):
    with open(path, "w", encoding="utf-8") as file:
        sentence = []
        for word, tag in zip(text.words, tags):
            if word >= 0:
                sentence.append(f"{text.names[word]}\t{tag}\n")
            elif sentence:
                file.write("".join(sentence) + "\n")
                sentence = []


def main():
    parser = common.parser(__doc__, "gold")
    parser.add_argument("-c", "--classes", type=int, default=17)
    parser.add_argument("--method", default="pos")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tag", default="upos")
    options = parser.parse_args()
    firth, text = common.workspace(options), Text(options.gold)
    columns = ["seed", "classes", "tagger", "relabelled", "falls by", "ambiguous tokens", "limit of one tag per word"]
    report = common.Report(options.out, "lamar_disambiguation", columns)
    restarts = ["--pos-restarts", 1] if options.method == "pos" else []
    for seed in range(1, options.seeds + 1):
        folder = firth.cluster(options.gold, options.method, options.classes, "--format", "conllu", "--seed", seed, *restarts)
        first = read_classes(folder, text)
        tags = disambiguate(text, first, options.classes)
        write_tagged(text, tags, firth.path("tagged.txt"))
        before = firth.gold(folder, options.gold, options.tag)
        after = firth.gold(firth.path("tagged.txt"), options.gold, options.tag, "--tagged")
        found, relabelled = (after[name]["many_to_one"] for name in ("token_scores", "collapsed_scores"))
        moved = int((tags[text.tokens] != first[text.words[text.tokens]]).sum())
        report.add(seed, before["token_scores"]["many_to_one"], found, relabelled, found - relabelled, moved,
                   before["upper_bound"])


if __name__ == "__main__":
    main()
