#!/usr/bin/env python3
"""What ALLSAME gains over plain Brown clustering (Ciosici 2015, Table 6.2), one thing varied at a time.

ciosici_allsame.py FIRTH TEXT... [--words 10000] [-c 200] [--out DIR]

The first TEXT is the base: its first words as one stream. Varied: the corpus (the other texts), the place in it, the
order of lines, the length, capitals and marks, the window of the baseline, and the number of classes that ALLSAME ends
with. The gain is that of AMI over bigrams, in per cent of the baseline's.
"""
import pathlib
import random

import common
from ciosici_texts import first_words


class Trial:
    def __init__(self, firth, report, classes):
        self.firth, self.report, self.classes = firth, report, classes

    def ami(self, text, classes, *switches):
        return self.firth.ami(self.firth.cluster(text, "brown", classes, "--stream", *switches), text, "bigrams", "--stream")

    def compare(self, varied, value, text, window=(), allsame_classes=None):
        brown = self.ami(text, self.classes, *window)
        allsame = self.ami(text, allsame_classes or self.classes, "--variant", "allsame")
        self.report.add(varied, value, brown, allsame, 100 * (allsame / brown - 1))


def changed(firth, base, name, change):
    """The words of a text, changed; those that become empty go."""
    target = firth.path(f"{name}.txt")
    words = (change(word) for word in base.read_text(encoding="utf-8").split())
    target.write_text(" ".join(word for word in words if word) + "\n", encoding="utf-8")
    return target


def shuffled_lines(firth, source, words, seed):
    """The base text with its lines in another order."""
    lines, total = [], 0
    with open(source, encoding="utf-8") as file:
        for line in file:
            lines.append(line)
            total += len(line.split())
            if total >= words:
                break
    random.Random(seed).shuffle(lines)
    target = firth.path(f"shuffled{seed}.txt")
    target.write_text("".join(lines), encoding="utf-8")
    return target


def main():
    parser = common.parser(__doc__)
    parser.add_argument("texts", nargs="+")
    parser.add_argument("--words", type=int, default=10000)
    parser.add_argument("-c", "--classes", type=int, default=200)
    options = parser.parse_args()
    firth, words, source = common.workspace(options), options.words, options.texts[0]
    report = common.Report(options.out, "ciosici_allsame", ["varied", "value", "Brown", "ALLSAME", "gain, %"])
    trial = Trial(firth, report, options.classes)

    def part(text, start, count):
        target = firth.path(f"{pathlib.Path(text).name}.{start}.{count}.txt")
        first_words(text, start, count, target)
        return target

    base = part(source, 0, words)
    trial.compare("nothing", "-", base)
    for text in options.texts[1:]:
        trial.compare("corpus", pathlib.Path(text).name, part(text, 0, words))
    for place in range(1, 6):
        trial.compare("place", f"word {place * words}", part(source, place * words, words))
    for seed in (1, 2, 3):
        trial.compare("order of lines", f"shuffle {seed}", shuffled_lines(firth, source, words, seed))
    for count in (words // 2, words * 2):
        trial.compare("length", count, part(source, 0, count))
    trial.compare("reading", "lower case", changed(firth, base, "lower", str.lower))
    trial.compare("reading", "no marks", changed(firth, base, "plain", lambda word: word if word[0].isalnum() else ""))
    for window in (2 * options.classes, 4 * options.classes, 8 * options.classes):
        trial.compare("window of Brown", window, base, ("--window", window))
    trial.compare("window of Brown", "all", base, ("--window", "all"))
    for classes in (options.classes * 11 // 10, options.classes * 12 // 10, options.classes * 13 // 10):
        trial.compare("classes of ALLSAME", classes, base, (), classes)


if __name__ == "__main__":
    main()
