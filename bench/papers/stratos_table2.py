#!/usr/bin/env python3
"""Table 2 of Stratos et al. (2014): mutual information by equation 3, spectral classes against Brown classes.

stratos_table2.py FIRTH TEXT [--vocabularies 50000,300000] [-c 1000] [--kappa 5000] [--out DIR]
"""
import common


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--vocabularies", default="50000,300000")
    parser.add_argument("-c", "--classes", type=int, default=1000)
    parser.add_argument("--kappa", default="5000")
    options = parser.parse_args()
    firth = common.workspace(options)
    report = common.Report(options.out, "stratos_table2", ["method", "vocabulary", "context", "MI", "of Brown"])
    for words in common.numbers(options.vocabularies):
        counts = firth.path(f"{words}.counts")
        firth.run("count", options.text, "--max-vocab", words, "--distances", "1,2", "-o", counts)
        brown = firth.ami(firth.cluster(counts, "brown", options.classes), counts, "unigram")
        variants = {"as in the paper": ["--kappa", options.kappa, "--weights", "none"], "defaults": []}
        for name, switches in variants.items():
            classes = firth.cluster(counts, "spectral", options.classes, "--context", "LR2", *switches)
            value = firth.ami(classes, counts, "unigram")
            report.add(f"spectral, {name}", words, "LR2", value, value / brown)
        report.add("brown", words, "-", brown, 1.0)


if __name__ == "__main__":
    main()
