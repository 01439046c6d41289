#!/usr/bin/env python3
"""A hierarchy over many vectors, against k-means and, where it is installed, HDBSCAN.

Vectors are drawn around planted centres that form groups of groups. For each method: processor time, peak memory of the
process, the share of the variance that is left within classes, the number of classes, the normalised mutual information with the
planted centres, and the share of vectors that are left without a class. HDBSCAN chooses the number of classes itself. It
(python package hdbscan) and faiss are skipped by name if they are not there.
"""
import array
import collections
import math
import multiprocessing
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
    return {"method": "firth " + method, **cost, "within": figures["sum_of_squares"] / figures["total_sum_of_squares"],
            "classes": len(set(labels)), "nmi": nmi(labels, truth), "no class": 0.0}


def faiss_labels(vectors, classes):
    import faiss
    kmeans = faiss.Kmeans(vectors.shape[1], classes, niter=20, seed=1)
    kmeans.train(vectors)
    return kmeans.index.search(vectors, 1)[1][:, 0]


def hdbscan_labels(vectors, classes):
    import hdbscan
    return hdbscan.HDBSCAN(min_cluster_size=10).fit_predict(vectors)


LIBRARIES = {"faiss k-means": faiss_labels, "HDBSCAN": hdbscan_labels}


def run_library(name, path, classes, result):
    """In a process of its own, so that time and memory are those of the method."""
    try:
        import numpy
        vectors = numpy.load(path)
        begin, before = time.time(), time.process_time()
        labels = LIBRARIES[name](vectors, classes)
    except ImportError as missing:
        result.put({"missing": missing.name})
        return
    cost = {"cpu_seconds": round(time.process_time() - before, 2), "seconds": round(time.time() - begin, 2),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    used = numpy.unique(labels, return_inverse=True)[1]
    sums = numpy.zeros((used.max() + 1, vectors.shape[1]))
    numpy.add.at(sums, used, vectors)
    within = (vectors.astype(float) ** 2).sum() - ((sums ** 2).sum(1) / numpy.bincount(used)).sum()
    result.put({**cost, "within": float(within / ((vectors - vectors.mean(0)) ** 2).sum()), "labels": labels.tolist()})


def by_library(shop, name, truth):
    """A method of a Python package on the same vectors; nothing if it is not installed."""
    context = multiprocessing.get_context("spawn")
    result = context.Queue()
    process = context.Process(target=run_library, args=(name, shop.path("vectors.npy"), shop.options.classes, result))
    process.start()
    row = result.get()
    process.join()
    if "missing" in row:
        print(f"{name}: skipped, {row['missing']} is not installed")
        return []
    labels = row.pop("labels")
    noise = labels.count(-1) / len(labels)  # HDBSCAN's word for vectors without a class; they count as one class here
    return [{"method": name, **row, "classes": len(set(labels) - {-1}), "nmi": nmi(labels, truth), "no class": noise}]


def main():
    shop = common.Shop(__doc__, vectors=(100000, "vectors"), dimensions=(50, "numbers of a vector"), centres=(500, "planted centres"),
                       classes=(500, "classes"), libraries=(1, "0 = only firth"))
    truth = make_vectors(shop)
    rows = [by_firth(shop, method, truth) for method in ("ward", "kmeans", "divide")]
    if shop.options.libraries:
        for name in LIBRARIES:
            rows += by_library(shop, name, truth)
    common.print_table(rows)


if __name__ == "__main__":
    main()
