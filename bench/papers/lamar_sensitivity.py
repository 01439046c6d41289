#!/usr/bin/env python3
"""Section 4 of Lamar et al. (2010): each parameter of SVD2 halved and doubled; many-to-1 should hardly fall.

lamar_sensitivity.py FIRTH GOLD [--tag upos] [-c 17] [--out DIR]
"""
import common

DEFAULTS = {"w1": 1000, "r1": 100, "k1": 500, "r2": 300}


def main():
    parser = common.parser(__doc__, "gold")
    parser.add_argument("--tag", default="upos", choices=["upos", "xpos"])
    parser.add_argument("-c", "--classes", type=int, default=17)
    options = parser.parse_args()
    firth = common.workspace(options)

    def score(*switches):
        classes = firth.cluster(options.gold, "svd2", options.classes, "--format", "conllu", "--lowercase", *switches)
        return firth.gold(classes, options.gold, options.tag, "--lowercase")["token_scores"]["many_to_one"]

    report = common.Report(options.out, f"lamar_sensitivity_{options.tag}", ["parameter", "value", "many-to-1", "change"])
    base = score()
    report.add("all", "as in the paper", base, 0.0)
    for name, value in DEFAULTS.items():
        for changed in (value // 2, value * 2):
            result = score(f"--{name}", changed)
            report.add(name, changed, result, result - base)


if __name__ == "__main__":
    main()
