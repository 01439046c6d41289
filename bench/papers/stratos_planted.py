#!/usr/bin/env python3
"""Planted classes are found (theorems 5.1 and 5.2 of Stratos et al. 2014): accuracy against the length of the text.

stratos_planted.py FIRTH [--words 300] [--classes 10] [--tokens 3000,10000,...] [--contrast 2] [--out DIR]

Texts come from `firth sample brown`, so that the true class of every word is known. The score is the share of tokens in
the right class, by the best one-to-one map of classes.
"""
import common


def with_truth(folder):
    """The text with the true class of every word as its tag."""
    rows = (line.split("\t") for line in (folder / "classes.tsv").read_text(encoding="utf-8").splitlines())
    truth = {row[0]: row[1] for row in rows if len(row) > 1 and not row[0].startswith("#")}
    tagged = folder / "tagged.txt"
    with tagged.open("w", encoding="utf-8") as out:
        for line in (folder / "text.txt").open(encoding="utf-8"):
            out.write("".join(f"{word}\t{truth[word]}\n" for word in line.split()) + "\n")
    return tagged


def main():
    parser = common.parser(__doc__)
    parser.add_argument("--words", type=int, default=300)
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--tokens", default="3000,10000,30000,100000,300000")
    parser.add_argument("--contrast", default="2")
    options = parser.parse_args()
    firth = common.workspace(options)
    methods = {"spectral, R1": ["spectral", "--context", "R1"], "spectral, LR1": ["spectral", "--context", "LR1"],
               "brown": ["brown"]}
    report = common.Report(options.out, "stratos_planted", ["tokens", *methods])
    for tokens in common.numbers(options.tokens):
        folder = firth.path(f"sample{tokens}")
        firth.run("sample", "brown", "-n", options.words, "-m", options.classes, "--tokens", tokens, "--zipf", 0.5,
                  "--contrast", options.contrast, "-o", folder)
        gold, found = with_truth(folder), []
        for method, *switches in methods.values():
            switches += ["--kappa", 0, "--weights", "none"] if method == "spectral" else []
            classes = firth.cluster(folder / "text.txt", method, options.classes, *switches)
            found.append(firth.gold(classes, gold, "upos")["token_scores"]["one_to_one"])
        report.add(tokens, *found)
    report.draw("Planted classes found", "share of tokens", x_log=True)


if __name__ == "__main__":
    main()
