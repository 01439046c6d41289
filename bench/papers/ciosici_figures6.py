#!/usr/bin/env python3
"""Figures 6.1 to 6.5 of Ciosici (2015): AMI while the clusterings of T10, T20 and T50 go on.

ciosici_figures6.py FIRTH TEXT [--lengths 10000,20000,50000] [--classes 200,300] [--points 400] [--out DIR]

A picture for each length with BROWN, ALLSAME and RESORT (6.1 to 6.3), and one with BROWN and BROWN_NW (6.4, 6.5).
"""
import bisect

import common
from ciosici_texts import first_words

PICTURES = {"variants": {"BROWN": [], "ALLSAME": ["--variant", "allsame"], "RESORT": ["--variant", "resort"]},
            "window": {"BROWN": [], "BROWN_NW": ["--window", "all"]}}


def trace(firth, text, classes, switches):
    """AMI after each merge, down to the number of classes."""
    file = firth.path("trace.tsv")
    firth.cluster(text, "brown", classes, "--stream", "--trace", file, *switches)
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    vocabulary = max(int(words) for _, words, *_ in rows)
    return [(int(merges), float(ami)) for event, _, merges, _, ami in rows
            if event == "merge" and int(merges) <= vocabulary - classes]


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--lengths", default="10000,20000,50000")
    parser.add_argument("--classes", default="200,300")
    parser.add_argument("--points", type=int, default=400)
    options = parser.parse_args()
    firth = common.workspace(options)
    for length in common.numbers(options.lengths):
        text = firth.path(f"T{length // 1000}.txt")
        first_words(options.text, 0, length, text)
        for picture, variants in PICTURES.items():
            lines = {f"{name}.{classes}": trace(firth, text, classes, switches)
                     for name, switches in variants.items() for classes in common.numbers(options.classes)}
            last = max(points[-1][0] for points in lines.values())
            report = common.Report(options.out, f"ciosici_figures6_T{length // 1000}_{picture}", ["merges", *lines])
            for merges in sorted({round(at * last / options.points) for at in range(1, options.points + 1)}):
                cells = []
                for points in lines.values():
                    at = bisect.bisect_right(points, (merges, float("inf"))) - 1
                    cells.append(points[at][1] if at >= 0 and merges <= points[-1][0] else "")
                report.add(merges, *cells)
            report.draw(f"AMI as clustering goes on, T{length // 1000}", "AMI in bits")


if __name__ == "__main__":
    main()
