#!/usr/bin/env python3
"""Ward's method and k-means of Firth against scipy, scikit-learn and faiss: processor time, peak memory, sum of squares.

Vectors are drawn around centres that form groups of groups (the same bytes for the same seed), or read from --vectors FILE.npy
with its list of words beside it. Every method runs in a process of its own. The partition of Firth's full window is compared with that
of scipy's Ward cut at the same number of classes.

Usage: vector_clustering.py --firth FIRTH [--rows N] [--dimensions D] [--classes K] [--seed S] METHOD...
METHOD: ward, full, kmeans, divide (Firth), scipy, sklearn, faiss
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy

METHODS = ("ward", "full", "kmeans", "divide", "scipy", "sklearn", "faiss")


def make_vectors(path, rows, dimensions, seed):
    draw = numpy.random.default_rng(seed)
    groups = draw.normal(size=(40, dimensions))
    centres = groups[draw.integers(40, size=2000)] + 0.6 * draw.normal(size=(2000, dimensions))
    with open(path.with_suffix(".vocab"), "w", encoding="ascii") as words:
        words.writelines(f"v{i}\n" for i in range(rows))
    vectors = numpy.lib.format.open_memmap(path, "w+", numpy.float32, (rows, dimensions))
    weights = 1 / numpy.arange(1, 2001)
    for begin in range(0, rows, 10000):
        end = min(rows, begin + 10000)
        chosen = draw.choice(2000, size=end - begin, p=weights / weights.sum())
        vectors[begin:end] = centres[chosen] + 0.8 * draw.normal(size=(end - begin, dimensions))
    vectors.flush()


def firth_labels(options, method):
    words = ["--method", "ward", "--ward-window", "all"] if method == "full" else ["--method", method]
    words += ["--kmeans-iterations", str(options.iterations)] if method == "kmeans" else []
    words += ["--ward-window", str(options.window)] if method == "ward" and options.window else []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.firth, "cluster", "--vectors", options.file, "-c", str(options.classes), "--distance", "euclidean",
                        "--threads", str(options.threads), "--seed", str(options.seed), *words, "-o", folder + "/out", "--progress", "never"], check=True, stderr=subprocess.DEVNULL)
        classes = dict(line.split("\t")[:2] for line in open(folder + "/out/classes.tsv", encoding="utf-8").read().splitlines())
        names = [line.split("\t")[0] for line in open(options.file[:-4] + ".vocab", encoding="utf-8").read().splitlines()]
    return [int(classes[name]) for name in names]


def library_labels(options, method):
    vectors = numpy.load(options.file)
    if method == "scipy":
        import scipy.cluster.hierarchy as hierarchy
        return hierarchy.fcluster(hierarchy.linkage(vectors, "ward"), options.classes, "maxclust")
    if method == "sklearn":
        import sklearn.cluster
        return sklearn.cluster.AgglomerativeClustering(options.classes, linkage="ward").fit_predict(vectors)
    import faiss
    faiss.omp_set_num_threads(options.threads)
    kmeans = faiss.Kmeans(vectors.shape[1], options.classes, niter=options.iterations, seed=options.seed)
    kmeans.train(vectors)
    return kmeans.index.search(vectors, 1)[1][:, 0]


def run_one(options, method):
    """In a process of its own: labels to a file, costs to standard output."""
    who = resource.RUSAGE_CHILDREN if method in METHODS[:4] else resource.RUSAGE_SELF
    labels = firth_labels(options, method) if method in METHODS[:4] else library_labels(options, method)
    used = resource.getrusage(who)
    numpy.save(options.labels, numpy.asarray(labels))
    print(json.dumps({"cpu_seconds": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))


def sum_of_squares(vectors, labels):
    _, labels = numpy.unique(labels, return_inverse=True)
    counts = numpy.bincount(labels)
    sums = numpy.zeros((len(counts), vectors.shape[1]))
    total = 0.0
    for begin in range(0, len(labels), 10000):
        part = numpy.asarray(vectors[begin:begin + 10000], dtype=numpy.float64)
        numpy.add.at(sums, labels[begin:begin + 10000], part)
        total += (part * part).sum()
    return total - ((sums * sums).sum(1) / counts).sum()


def same_partition(one, other):
    pairs = set(zip(one.tolist(), other.tolist()))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("methods", nargs="+", choices=METHODS)
    parser.add_argument("--firth", default="firth")
    parser.add_argument("--vectors", dest="file")
    parser.add_argument("--labels")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the methods; the vectors stay the same")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if options.labels:
        return run_one(options, options.methods[0])
    with tempfile.TemporaryDirectory() as folder:
        if not options.file:
            options.file = folder + "/vectors.npy"
            make_vectors(pathlib.Path(options.file), options.rows, options.dimensions, 1)
        vectors = numpy.load(options.file, mmap_mode="r")
        found = {}
        print(f"{vectors.shape[0]} vectors of {vectors.shape[1]} dimensions, {options.classes} classes")
        print("method\tcpu_seconds\tpeak_mb\tsum_of_squares")
        for method in options.methods:
            line = [sys.executable, __file__, method, "--labels", folder + "/labels.npy", "--vectors", options.file, "--firth", options.firth]
            line += [f"--{name}={getattr(options, name)}" for name in ("classes", "window", "iterations", "threads", "seed")]
            done = subprocess.run(line, check=True, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": str(options.threads)})
            cost = json.loads(done.stdout.splitlines()[-1])
            found[method] = numpy.load(folder + "/labels.npy")
            print(f"{method}\t{cost['cpu_seconds']:.1f}\t{cost['peak_mb']:.0f}\t{sum_of_squares(vectors, found[method]):.6g}", flush=True)
        if "full" in found and "scipy" in found:
            print("full window and scipy: the same partition:", same_partition(found["full"], found["scipy"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
