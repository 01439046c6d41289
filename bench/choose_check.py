#!/usr/bin/env python3
"""Is the number of classes that `firth choose TRAIN` names a good one for text that it never saw?

Clusters TRAIN with the chosen number of classes and with others (16, 23, 32 ...: each 1.41 times the one before, until the perplexity is 5 % above the
best), and asks for the perplexity of TEST, which takes no part in the choice. Prints the curve and how much worse the chosen number is than the best of
all. `--dev TEXT` does the same for `choose --held-out TEXT`.

Usage: choose_check.py --firth FIRTH TRAIN TEST [--dev DEV] [-- OPTIONS OF TEXT]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--firth", default="firth")
    parser.add_argument("--dev")
    parser.add_argument("rest", nargs="*", help="options for reading text")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:

        def firth(*words):
            line = [options.firth, *map(str, words), "--progress", "never"]
            return subprocess.run(line, check=True, capture_output=True, text=True).stdout

        def counted(text):
            counts = pathlib.Path(folder) / (pathlib.Path(text).name + ".counts")
            firth("count", text, *options.rest, "-o", counts)
            return counts

        train, test = counted(options.train), counted(options.test)

        def perplexity(classes):
            table = json.loads(firth("compare", train, "--methods", "auto:fast", "--classes", classes, "--held-out", test, "--to", "json"))
            return table["rows"][0]["perplexity"]

        chosen = {"choose": json.loads(firth("choose", train, "--json"))["classes"]}
        if options.dev:
            chosen["choose --held-out"] = json.loads(firth("choose", train, "--held-out", counted(options.dev), "--json"))["classes"]
        curve = {k: perplexity(k) for k in set(chosen.values())}
        for i in range(20):
            k = round(16 * 2 ** (i / 2))
            curve[k] = perplexity(k)
            if curve[k] > 1.05 * min(curve.values()) and k > min(curve, key=curve.get):
                break
    best = min(curve, key=curve.get)
    print(f"{options.train} {options.test}: " + ", ".join(f"{k}: {curve[k]:.1f}" for k in sorted(curve)))
    print(f"  best: {best} ({curve[best]:.2f})")
    for name, k in chosen.items():
        print(f"  {name}: {k} ({curve[k]:.2f}), {100 * (curve[k] / curve[best] - 1):+.2f} %", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
