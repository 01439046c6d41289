#!/usr/bin/env python3
"""Figure 4.2 of Ciosici (2015): three classes of the two orders of the worked example, and their AMI over tokens.

ciosici_figure4_2.py FIRTH [--out DIR]

Published: 1.1411 (a), 1.1373 (b) and 1.1218 (c). No variant of Firth depends on the order of the lines, because ties in
frequency are broken by the words themselves; --order gives the order of the text instead.
"""
import common
from ciosici_texts import FIGURE_4_1A, FIGURE_4_1B


def by_frequency_and_appearance(lines):
    """Words by frequency, equal ones in the order of their first use, as programs without a rule for ties have them."""
    words = " ".join(lines).split()
    return sorted(dict.fromkeys(words), key=lambda word: -words.count(word))


def main():
    options = common.parser(__doc__).parse_args()
    firth = common.workspace(options)
    report = common.Report(options.out, "ciosici_figure4_2", ["text", "variant", "AMI over tokens", "classes"])
    for name, lines in (("4.1a", FIGURE_4_1A), ("4.1b", FIGURE_4_1B)):
        text, order = firth.path(f"{name}.txt"), firth.path(f"{name}.order")
        text.write_text("\n".join(lines) + "\n", encoding="utf-8")
        order.write_text("\n".join(by_frequency_and_appearance(lines)) + "\n", encoding="utf-8")
        variants = {"brown": [], "brown, order of first use": ["--order", order], "allsame": ["--variant", "allsame"],
                    "resort": ["--variant", "resort"], "no window": ["--window", "all"]}
        for variant, switches in variants.items():
            classes = firth.cluster(text, "brown", 3, "--stream", *switches)
            groups = {}
            for line in (classes / "classes.tsv").read_text(encoding="utf-8").splitlines():
                word, number, *_ = line.split("\t")
                groups.setdefault(number, []).append(word)
            shown = " | ".join(" ".join(group) for group in groups.values())
            report.add(name, variant, firth.ami(classes, text, "tokens", "--stream"), shown)


if __name__ == "__main__":
    main()
