#!/usr/bin/env python3
"""Table 1 of Stratos et al. (2014): what spectral and Brown classes bring to a tagger of entities.

stratos_table1.py FIRTH TEXT TRAIN DEV TEST [--vocabularies 50000,300000] [-c 1000] [--out DIR]

TRAIN, DEV and TEST are in CoNLL's columns. The paper's data (CoNLL 2003, RCV1) is not free; any other will do.
"""
import json

import common


def f1(firth, train, files, *options):
    """F1 of entities in percent, on each file, of a tagger trained with the options."""
    model = firth.path("ner.tagger")
    firth.run("tag", "train", train, "-o", model, *options)
    scores = (json.loads(firth.run("tag", "score", "--model", model, file, "--bootstrap", 1, "--json")) for file in files)
    return [100 * score["entities"]["f1"] for score in scores]


def main():
    parser = common.parser(__doc__, "text", "train", "dev", "test")
    parser.add_argument("--vocabularies", default="50000,300000")
    parser.add_argument("-c", "--classes", type=int, default=1000)
    parser.add_argument("--kappa", default="200")
    options = parser.parse_args()
    firth, files = common.workspace(options), (options.dev, options.test)
    report = common.Report(options.out, "stratos_table1", ["classes", "vocabulary", "context", "dev", "test"])
    report.add("none", "-", "-", *f1(firth, options.train, files))
    for words in common.numbers(options.vocabularies):
        counts = firth.path(f"{words}.counts")
        firth.run("count", options.text, "--max-vocab", words, "--distances", "1,2", "-o", counts)
        for context in ("LR1", "LR2"):
            classes = firth.cluster(counts, "spectral", options.classes, "--kappa", options.kappa, "--context", context,
                                    "--weights", "none")
            report.add("spectral", words, context, *f1(firth, options.train, files, "--clusters", classes))
        classes = firth.cluster(counts, "brown", options.classes)
        report.add("brown", words, "-", *f1(firth, options.train, files, "--clusters", classes))


if __name__ == "__main__":
    main()
