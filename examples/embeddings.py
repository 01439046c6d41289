#!/usr/bin/env python3
"""A hierarchy over many vectors, against k-means and, where it is installed, HDBSCAN.

Vectors are drawn around planted centres that form groups of groups. For each method: processor time, peak memory of the
process, the share of the variance that is left within classes, and the normalised mutual information with the planted
centres. HDBSCAN (python package hdbscan) and faiss are skipped by name if they are not there.
"""
import array
import collections
import math
import random
import resource
import time

import common


def make_vectors(shop):
    """vectors.npy and vectors.vocab; the planted centre of every vector."""
    draw = random.Random(shop.options.seed)
    dimensions = shop.options.dimensions
    groups = [[draw.gauss(0, 1) for _ in range(dimensions)] for _ in range(20)]
    centres = [[x + draw.gauss(0, 0.5) for x in draw.choice(groups)] for _ in range(shop.options.centres)]
    numbers, truth = array.array("f"), []
    for _ in range(shop.options.vectors):
        truth.append(draw.randrange(len(centres)))
        numbers.extend(x + draw.gauss(0, 0.4) for x in centres[truth[-1]])
    common.write_npy(shop.path("vectors.npy"), dimensions, numbers)
    with open(shop.path("vectors.vocab"), "w", encoding="ascii") as file:
        file.writelines(f"v{i}\n" for i in range(len(truth)))
    return truth


def nmi(one, other):
    """Normalised mutual information of two lists of labels."""
    total = len(one)
    entropy = lambda counts: -sum(n / total * math.log(n / total) for n in counts.values())
    a, b, both = collections.Counter(one), collections.Counter(other), collections.Counter(zip(one, other))
    shared = entropy(a) + entropy(b) - entropy(both)
    return 2 * shared / max(entropy(a) + entropy(b), 1e-12)


def by_firth(shop, method, truth):
    cost = shop.timed("cluster", "--vectors", "vectors.npy", "--method", method, "-c", shop.options.classes, "--distance",
                      "euclidean", "-o", method)
    figures, classes = shop.figures(method), shop.classes(method)
    labels = [classes[f"v{i}"] for i in range(len(truth))]
    return {"method": "firth " + method, **cost, "within": figures["sum_of_squares"] / figures["total_sum_of_squares"], "nmi": nmi(labels, truth)}


def by_library(shop, name, labels_of, truth):
    """A method of a Python package on the same vectors; nothing if it is not installed."""
    try:
        import numpy
        vectors = numpy.load(shop.path("vectors.npy"))
        begin, before = time.time(), time.process_time()
        labels = list(labels_of(vectors))
    except ImportError as missing:
        print(f"{name}: skipped, {missing.name} is not installed")
        return []
    means = {c: vectors[[i for i, label in enumerate(labels) if label == c]].mean(0) for c in set(labels)}
    within = sum(((vectors[i] - means[c]) ** 2).sum() for i, c in enumerate(labels))
    return [{"method": name, "cpu_seconds": round(time.process_time() - before, 2), "seconds": round(time.time() - begin, 2),
             "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
             "within": float(within / ((vectors - vectors.mean(0)) ** 2).sum()), "nmi": nmi(labels, truth)}]


def faiss_labels(classes):
    def labels(vectors):
        import faiss
        kmeans = faiss.Kmeans(vectors.shape[1], classes, niter=20, seed=1)
        kmeans.train(vectors)
        return kmeans.index.search(vectors, 1)[1][:, 0].tolist()
    return labels


def hdbscan_labels(vectors):
    import hdbscan
    return hdbscan.HDBSCAN(min_cluster_size=10).fit_predict(vectors).tolist()


def main():
    shop = common.Shop(__doc__, vectors=(100000, "vectors"), dimensions=(50, "numbers of a vector"), centres=(500, "planted centres"),
                       classes=(500, "classes"), libraries=(1, "0 = only firth"))
    truth = make_vectors(shop)
    rows = [by_firth(shop, method, truth) for method in ("ward", "kmeans", "divide")]
    if shop.options.libraries:
        rows += by_library(shop, "faiss k-means", faiss_labels(shop.options.classes), truth)
        rows += by_library(shop, "HDBSCAN", hdbscan_labels, truth)
    common.print_table(rows)


main()
