#!/usr/bin/env python3
"""What classes of equal size cost: AMI of a text under exchange, auto and spectral with and without --class-size, and under k-means of
equal sizes on vectors of the same words (Firth's own, and the package k-means-constrained where it is installed).

Usage: balanced_classes.py --firth FIRTH TEXT [--classes K] [--min-count N]
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text")
    parser.add_argument("--firth", default="firth")
    parser.add_argument("--classes", type=int, default=200)
    parser.add_argument("--min-count", type=int, default=1)
    parser.add_argument("--dimensions", type=int, default=100)
    parser.add_argument("--effort", default="normal")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def firth(*words):
            return subprocess.run([options.firth, *map(str, words)], cwd=folder, check=True, capture_output=True, text=True).stdout

        def ami(classes):
            return float(json.loads(firth("evaluate", classes, "--text", "text.counts", "--json"))["ami_bits"])

        def sizes(classes):
            lines = (folder / classes / "classes.tsv").read_text(encoding="utf-8").splitlines()
            count = collections.Counter(line.split("\t")[1] for line in lines)
            return f"{min(count.values())}..{max(count.values())}"

        def squares(labels):
            """The sum of squared distances to the mean of the class, of vectors of length 1."""
            means = numpy.zeros((options.classes, vectors.shape[1]))
            numpy.add.at(means, labels, vectors)
            return len(vectors) - (numpy.linalg.norm(means, axis=1) ** 2 / numpy.bincount(labels, minlength=options.classes)).sum()

        firth("count", pathlib.Path(options.text).resolve(), "--min-count", options.min_count, "--distances", "1,2", "-o", "text.counts")
        k = ["-c", options.classes]
        print("method\twords per class\tAMI\tlost")
        for method in ("auto", "exchange", "spectral"):
            for size in ("equal", "equal-tokens"):
                firth("cluster", "text.counts", *k, "--method", method, *(["--effort", options.effort] if method == "auto" else []), "--class-size", size, "-o", "out")
                figures = json.loads((folder / "out/run.json").read_text(encoding="utf-8"))["figures"]
                print(f"{method} {size}\t{sizes('out')}\t{figures['ami_bits']:.4f}\t{figures['free_ami_bits'] - figures['ami_bits']:.4f}", flush=True)
        firth("embed", "text.counts", "-d", options.dimensions, "-o", "vectors")
        print("k-means of vectors\twords per class\tAMI\tsum of squares")
        for size in ([], ["--class-size", "equal"]):
            firth("cluster", "--vectors", "vectors", *k, "--method", "kmeans", *size, "-o", "out")
            figures = json.loads((folder / "out/run.json").read_text(encoding="utf-8"))["figures"]
            print(f"k-means {'equal' if size else 'free'}\t{sizes('out')}\t{ami('out'):.4f}\t{figures['sum_of_squares']:.1f}", flush=True)
        try:
            import k_means_constrained
            import numpy
        except ImportError as missing:
            print(f"k-means-constrained: skipped, {missing.name} is not installed")
            return 0
        vectors = numpy.load(folder / "vectors/vectors.npy").astype(numpy.float64)
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
        words = [line.split("\t")[0] for line in (folder / "vectors/vectors.vocab").read_text(encoding="utf-8").splitlines()]
        low = len(words) // options.classes
        labels = k_means_constrained.KMeansConstrained(options.classes, size_min=low, size_max=low + 1, n_init=1, random_state=1).fit_predict(vectors)
        (folder / "constrained").mkdir()
        (folder / "constrained/classes.tsv").write_text("".join(f"{w}\t{c}\n" for w, c in zip(words, labels)), encoding="utf-8")
        print(f"k-means-constrained\t{sizes('constrained')}\t{ami('constrained/classes.tsv'):.4f}\t{squares(labels):.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
