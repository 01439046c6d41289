#!/usr/bin/env python3
"""Roll-up of class features (Ciosici 2015, section 3.2; Derczynski & Chester 2016) against prefixes of bit strings, in a tagger of entities.

ciosici_rollup.py FIRTH TEXT TRAIN DEV TEST [-c 1000] [--cuts 50,100,200,400] [--out DIR]

Prefixes are nodes at fixed depths, which in an unbalanced tree have from one to thousands of words; roll-up takes the classes of the same tree when fewer
are left. F1 of entities in percent, one seed.
"""
import common
from stratos_table1 import f1


def main():
    parser = common.parser(__doc__, "text", "train", "dev", "test")
    parser.add_argument("-c", "--classes", type=int, default=1000)
    parser.add_argument("--cuts", default="50,100,200,400")
    parser.add_argument("--prefixes", default="4,6,10,20")
    options = parser.parse_args()
    firth, files = common.workspace(options), (options.dev, options.test)
    classes = firth.cluster(options.text, "brown", options.classes, "--min-count", 3)
    report = common.Report(options.out, "ciosici_rollup", ["features", "dev", "test"])
    rows = {"no classes": [],
            "whole bit strings": ["--clusters", classes, "--prefixes", 1],
            f"prefixes {options.prefixes}": ["--clusters", classes, "--prefixes", options.prefixes],
            f"roll-up to {options.cuts}": ["--clusters", classes, "--prefixes", 1, "--cuts", options.cuts],
            "both": ["--clusters", classes, "--prefixes", options.prefixes, "--cuts", options.cuts]}
    for name, switches in rows.items():
        report.add(name, *f1(firth, options.train, files, *switches))


if __name__ == "__main__":
    main()
