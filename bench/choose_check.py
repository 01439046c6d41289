#!/usr/bin/env python3
"""Is the number of classes that `firth choose TRAIN` names a good one for text that it never saw?

Clusters TRAIN with many numbers of classes and with the chosen one, and asks for the perplexity of TEST, which takes no part in the choice.
Prints the curve and how much worse the chosen number is than the best of the sweep. `--dev TEXT` does the same for `choose --held-out TEXT`.

Usage: choose_check.py --firth FIRTH TRAIN TEST [--dev DEV] [--largest K] [-- OPTIONS OF TEXT]
"""
import argparse
import json
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--firth", default="firth")
    parser.add_argument("--dev")
    parser.add_argument("--smallest", type=int, default=16)
    parser.add_argument("--largest", type=int, default=2048)
    parser.add_argument("rest", nargs="*", help="options for reading text")
    options = parser.parse_args()

    def firth(*words):
        line = [options.firth, *map(str, words), *options.rest, "--progress", "never"]
        return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)

    chosen = {"choose": firth("choose", options.train, "--json")["classes"]}
    if options.dev:
        chosen["choose --held-out"] = firth("choose", options.train, "--held-out", options.dev, "--json")["classes"]
    sweep = {round(options.smallest * 2 ** (i / 2)) for i in range(40)}
    sweep = {k for k in sweep if k <= options.largest} | set(chosen.values())
    table = firth("compare", options.train, "--methods", "auto:fast", "--classes", ",".join(map(str, sorted(sweep))), "--held-out", options.test, "--to", "json")
    curve = {row["classes"]: row["perplexity"] for row in table["rows"]}
    best = min(curve, key=curve.get)
    print(options.train, options.test)
    print("  " + ", ".join(f"{k}: {curve[k]:.1f}" for k in sorted(curve)))
    print(f"  best of the sweep: {best} ({curve[best]:.2f})")
    for name, k in chosen.items():
        print(f"  {name}: {k} ({curve[k]:.2f}), {100 * (curve[k] / curve[best] - 1):+.2f} %", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
