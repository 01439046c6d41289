#!/usr/bin/env python3
"""Learning curves of the tagger with and without classes: `firth tag compare --parts` with several seeds.

For every percentage of the training sentences and every test file: the mean over the seeds without and with the classes,
the mean gain, and after each the half width of its interval of 95 % (Student's t over the seeds, which choose the sentences
and the order of training).

  bench/tag_learning_curve.py --firth build/release/firth --clusters brown1000 --test dev.conll --test test.conll train.conll
"""
import argparse
import json
import math
import statistics
import subprocess

STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}  # 97.5 %, by the number of seeds


def with_interval(values):
    mean = statistics.mean(values)
    if len(values) not in STUDENT:
        return f"{mean:.2f}"
    return f"{mean:.2f} +- {STUDENT[len(values)] * statistics.stdev(values) / math.sqrt(len(values)):.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", nargs="+")
    parser.add_argument("--firth", required=True)
    parser.add_argument("--clusters", required=True)
    parser.add_argument("--test", action="append", required=True)
    parser.add_argument("--parts", default="1,10,100")
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--option", action="append", default=[], help="another option of tag compare, as --option=--trainings=1")
    options = parser.parse_args()
    rows = {}
    for seed in options.seeds.split(","):
        command = [options.firth, "tag", "compare", *options.train, "--clusters", options.clusters, "--parts", options.parts, "--seed", seed,
                   "--bootstrap", "1", "--json", "--quiet", *(f"--test={test}" for test in options.test), *options.option]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        for row in json.loads(output)["rows"]:
            scores = rows.setdefault((row["sentences"], row["test"]), {"plain": [], "classes": []})
            scores["plain" if row["features"] == "no classes" else "classes"].append(100 * row["score"])
    print("| sentences | test | no classes | classes | gain |\n|--:|---|---|---|---|")
    for (sentences, test), scores in rows.items():
        gain = [after - before for before, after in zip(scores["plain"], scores["classes"])]
        cells = " | ".join(with_interval(values) for values in (scores["plain"], scores["classes"], gain))
        print(f"| {sentences} | {test} | {cells} |")


if __name__ == "__main__":
    main()
