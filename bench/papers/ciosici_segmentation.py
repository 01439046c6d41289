#!/usr/bin/env python3
"""Chinese word segmentation with classes of characters (Ciosici 2015, section 3; Liang 2005).

ciosici_segmentation.py FIRTH TRAIN TEST [--text RAW] [--classes 50,100,200] [--out DIR]

TRAIN and TEST are CoNLL-U. Characters are the tokens of a tagger, every word is a span B-W I-W ..., and classes of
characters, learnt from the sentences of TRAIN and of RAW (lines of any Chinese text) without word ends, are features.
The score is F1 of words. Published by Liang: F1 on Penn Chinese and on the Hong Kong data of 2003, which are licensed.
"""
import common
from stratos_table1 import f1


def sentences(path):
    """Lists of words."""
    words = []
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            words.append(fields[1].replace(" ", ""))
        elif not line.strip() and words:
            yield words
            words = []


def write_characters(path, target):
    with open(target, "w", encoding="utf-8") as file:
        for words in sentences(path):
            for word in words:
                file.writelines(f"{letter}\t{'I' if at else 'B'}-W\n" for at, letter in enumerate(word))
            file.write("\n")
    return target


def write_text(options, target):
    with open(target, "w", encoding="utf-8") as file:
        for words in sentences(options.train):
            file.write(" ".join("".join(words)) + "\n")
        for line in open(options.text, encoding="utf-8") if options.text else []:
            file.write(" ".join(line.replace(" ", "").strip()) + "\n")
    return target


def main():
    parser = common.parser(__doc__, "train", "test")
    parser.add_argument("--text", help="more Chinese text for the classes")
    parser.add_argument("--classes", default="50,100,200")
    options = parser.parse_args()
    firth = common.workspace(options)
    train, test = (write_characters(path, firth.path(name)) for path, name in
                   ((options.train, "train.conll"), (options.test, "test.conll")))
    text = write_text(options, firth.path("characters.txt"))
    report = common.Report(options.out, "ciosici_segmentation", ["classes", "F1 of words"])
    report.add("none", *f1(firth, train, [test]))
    for classes in common.numbers(options.classes):
        folder = firth.cluster(text, "brown", classes)
        report.add(classes, *f1(firth, train, [test], "--clusters", folder))


if __name__ == "__main__":
    main()
