#!/usr/bin/env python3
"""Table 1 of Lamar et al. (2010): SVD2, its ablations and hidden Markov models against gold tags.

lamar_table1.py FIRTH GOLD [--tag upos] [-c 17] [--iterations 60] [--seeds 3] [--models HMM-EM,HMM-Sparse] [--out DIR]

GOLD is CoNLL-U; its words, in lower case, are the text. The last column relabels every word with its most frequent
state (section 5). Models with random starts have a row for each seed. The paper's corpus, the Wall Street Journal, is
not free.
"""
import common

READ = ["--format", "conllu", "--lowercase"]
SVD2 = {"SVD2": [], "SVD2, not scaled": ["--no-scale"], "SVD2, no unit length": ["--no-unit"],
        "SVD2, no weights": ["--no-weights"], "SVD2, random centroids": ["--random-centroids"],
        "SVD2, one pass": ["--one-pass"]}
HMMS = {"HMM-EM": ["--algorithm", "em"], "HMM-VB = VEM(0.1, 0.1)": ["--algorithm", "vb"],
        "HMM-GS": ["--algorithm", "gibbs"], "HMM-Sparse(32)": ["--algorithm", "sparse", "--sigma", "32"]}


def row(gold):
    scores = gold["token_scores"]
    cells = [scores["many_to_one"], scores["one_to_one_greedy"], scores["vi_bits"], scores["nvi"]]
    return cells + ([gold["collapsed_scores"]["many_to_one"]] if "collapsed_scores" in gold else ["-"])


def seeds_of(name, options):
    """SVD2 has no random numbers unless its centroids are drawn."""
    return range(1, options.seeds + 1) if name.startswith("HMM") or "random" in name else [1]


def hmm(firth, options, switches, seed):
    model, tagged = firth.path("model.hmm"), firth.path("tagged.txt")
    firth.run("hmm", "train", options.gold, *READ, "-c", options.classes, "--iterations", options.iterations, "-o", model,
              "--threads", options.threads, "--seed", seed, *switches)
    tagged.write_text(firth.run("hmm", "tag", model, options.gold, *READ), encoding="utf-8")
    return firth.gold(tagged, options.gold, options.tag, "--tagged", "--lowercase")


def main():
    parser = common.parser(__doc__, "gold")
    parser.add_argument("--tag", default="upos", choices=["upos", "xpos"])
    parser.add_argument("-c", "--classes", type=int, default=17)
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--models", default="", help="only those whose names begin so, separated by commas")
    options = parser.parse_args()
    firth = common.workspace(options)
    columns = ["model", "seed", "many-to-1", "1-to-1", "VI", "NVI", "many-to-1, one state per word"]
    report = common.Report(options.out, f"lamar_table1_{options.tag}_{options.classes}", columns)
    wanted = tuple(options.models.split(","))
    for name, switches in SVD2.items():
        for seed in seeds_of(name, options) if name.startswith(wanted) else []:
            classes = firth.cluster(options.gold, "svd2", options.classes, *READ, *switches, "--seed", seed)
            report.add(name, seed, *row(firth.gold(classes, options.gold, options.tag, "--lowercase")))
    for name, switches in HMMS.items():
        for seed in seeds_of(name, options) if name.startswith(wanted) else []:
            report.add(name, seed, *row(hmm(firth, options, switches, seed)))


if __name__ == "__main__":
    main()
