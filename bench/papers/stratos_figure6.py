#!/usr/bin/env python3
"""Figure 6 of Stratos et al. (2014): (a) mutual information and (b) F1 of a tagger against kappa and the context.

stratos_figure6.py FIRTH TEXT [--ner TRAIN DEV] [--kappas 0,10,50,200,1000,5000] [--words 50000] [-c 1000] [--greedy] [--out DIR]

Without --ner only (a) is made. --greedy is the paper's tagger, a greedy perceptron with BILOU tags, instead of Firth's default. Dashed: Brown classes, and in (b) also no classes at all.
"""
import common
from stratos_table1 import f1

CONTEXTS = ("R1", "LR1", "LR2")


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--ner", nargs=2, metavar=("TRAIN", "DEV"))
    parser.add_argument("--kappas", default="0,10,50,200,1000,5000")
    parser.add_argument("--words", type=int, default=50000)
    parser.add_argument("-c", "--classes", type=int, default=1000)
    parser.add_argument("--greedy", action="store_true", help="the paper's tagger")
    options = parser.parse_args()
    tagger = ["--objective", "perceptron", "--beam", 1, "--scheme", "bilou"] if options.greedy else []
    firth = common.workspace(options)
    counts = firth.path("words.counts")
    firth.run("count", options.text, "--max-vocab", options.words, "--distances", "1,2", "-o", counts)
    brown = firth.cluster(counts, "brown", options.classes)
    mutual = common.Report(options.out, "stratos_figure6a", ["kappa", *CONTEXTS, "Brown"])
    brown_ami = firth.ami(brown, counts)
    if options.ner:
        train, dev = options.ner
        scores = common.Report(options.out, "stratos_figure6b", ["kappa", *CONTEXTS, "Brown", "no classes"])
        brown_f1, plain_f1 = f1(firth, train, [dev], "--clusters", brown, *tagger)[0], f1(firth, train, [dev], *tagger)[0]
    for kappa in common.numbers(options.kappas):
        clusterings = [firth.cluster(counts, "spectral", options.classes, "--kappa", kappa, "--context", context,
                                     "--weights", "none") for context in CONTEXTS]
        mutual.add(kappa, *(firth.ami(classes, counts) for classes in clusterings), brown_ami)
        if options.ner:
            gained = (f1(firth, train, [dev], "--clusters", classes, *tagger)[0] for classes in clusterings)
            scores.add(kappa, *gained, brown_f1, plain_f1)
    mutual.draw("AMI against kappa and context", "AMI in bits", x_log=True)
    if options.ner:
        scores.draw("F1 on the development file against kappa and context", "F1", x_log=True)


if __name__ == "__main__":
    main()
