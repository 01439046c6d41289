#!/usr/bin/env python3
"""Figure 1 of Lamar et al. (2010): accuracy of SVD2 against the number of classes, a panel for each set of tags.

lamar_figure1.py FIRTH GOLD [--tags xpos,upos] [--sweep 10,17,30,50,100,200,500] [--out DIR]
"""
import pathlib

import common


def main():
    parser = common.parser(__doc__, "gold")
    parser.add_argument("--tags", default="xpos,upos")
    parser.add_argument("--sweep", default="10,17,30,50,100,200,500")
    options = parser.parse_args()
    firth, out = common.workspace(options), pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    classes = [firth.path(f"svd2-{number}") for number in options.sweep.split(",")]
    for number, folder in zip(options.sweep.split(","), classes):
        firth.run("cluster", options.gold, "--format", "conllu", "--lowercase", "--method", "svd2", "-c", number, "-o", folder,
                  "--threads", options.threads)
    for tag in options.tags.split(","):
        name = out / f"lamar_figure1_{tag}"
        table = firth.run("evaluate", *classes, "--lowercase", "--gold", options.gold, "--tag", tag, "--svg",
                          name.with_suffix(".svg"), "--threads", options.threads)
        name.with_suffix(".tsv").write_text(table, encoding="utf-8")
        print(f"{tag}\n{table}", end="")


if __name__ == "__main__":
    main()
