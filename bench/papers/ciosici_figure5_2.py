#!/usr/bin/env python3
"""Figure 5.2 of Ciosici (2015): frequencies of the most frequent words; a wide step is a group of equal words.

ciosici_figure5_2.py TEXT [--words 100] [--out DIR]
"""
import argparse
import collections

import common


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text")
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--out", default=".")
    options = parser.parse_args()
    with open(options.text, encoding="utf-8") as file:
        counts = collections.Counter(word for line in file for word in line.split())
    report = common.Report(options.out, "ciosici_figure5_2", ["rank", "count"])
    for rank, count in enumerate(sorted(counts.values(), reverse=True)[:options.words], 1):
        report.add(rank, count)
    report.draw(f"The {options.words} most frequent words", "count", y_from=0)


if __name__ == "__main__":
    main()
