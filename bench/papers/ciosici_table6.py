#!/usr/bin/env python3
"""Tables 6.1 to 6.3 of Ciosici (2015): AMI and language models of BROWN, BROWN_NW, ALLSAME and RESORT.

ciosici_table6.py FIRTH TEXT TEST [--lengths 10000,20000,50000] [--classes 200,300] [--test-length 10000] [--out DIR]

The texts are the first words of TEXT and TEST as one stream. Perplexity and CPA of order 2: with Kneser-Ney smoothing,
and (CPA only, as most test texts have probability 0) of the thesis's own model, relative frequencies without sentence ends.
"""
import json

import common
from ciosici_texts import first_words

VARIANTS = {"BROWN": [], "BROWN_NW": ["--window", "all"], "ALLSAME": ["--variant", "allsame"], "RESORT": ["--variant", "resort"]}
THESIS = ["--smoothing", "none", "--emission", "frequency", "--no-boundaries"]


def model_scores(firth, classes, text, test, *options):
    model = firth.path("model.lm")
    firth.run("lm", "train", "--classes", classes, text, "-o", model, "--order", 2, "--stream", *options)
    return json.loads(firth.run("lm", "score", model, test, "--stream", "--accuracy", "--json"))


def main():
    parser = common.parser(__doc__, "text", "test")
    parser.add_argument("--lengths", default="10000,20000,50000")
    parser.add_argument("--classes", default="200,300")
    parser.add_argument("--test-length", type=int, default=10000)
    options = parser.parse_args()
    firth = common.workspace(options)
    sizes = common.Report(options.out, "ciosici_table6_1", ["text", "length", "vocabulary"])
    test = firth.path("TT.txt")
    sizes.add("TT", options.test_length, first_words(options.test, 0, options.test_length, test))
    texts = {}
    for length in common.numbers(options.lengths):
        name = f"T{length // 1000}"
        texts[name] = firth.path(f"{name}.txt")
        sizes.add(name, length, first_words(options.text, 0, length, texts[name]))
    columns = ["text", "variant", "AMI", "against BROWN, %", "CPA %", "perplexity", "CPA % of the thesis's model"]
    report = common.Report(options.out, "ciosici_table6_2", columns)
    for name, text in texts.items():
        for classes in common.numbers(options.classes):
            base = None
            for variant, switches in VARIANTS.items():
                folder = firth.cluster(text, "brown", classes, "--stream", *switches)
                ami = firth.ami(folder, text, "bigrams", "--stream")
                base = base or ami
                smoothed, plain = model_scores(firth, folder, text, test), model_scores(firth, folder, text, test, *THESIS)
                report.add(name, f"{variant}.{classes}", ami, 100 * (ami / base - 1), 100 * smoothed["class_accuracy"],
                           smoothed["perplexity"], 100 * plain["class_accuracy"])


if __name__ == "__main__":
    main()
