#!/usr/bin/env python3
"""What more ranks would bring, from the processor time and the messages of a few.

bench/mpi_model.py --firth-mpi build/release/firth-mpi COUNTS -c 1000 [--ranks 1,2,4] [--passes 2,6]

Wall-clock times of several ranks on one small machine say nothing. This runs `cluster --method exchange` with two numbers of
passes on 1, 2 and 4 ranks of one thread (--rank-report) and takes the difference, so that only the passes are left. The processor
time of the slowest rank is fitted as A / R + B: A is shared, B is done by every rank. Messages are counted, and cost
alpha * ceil(log2 R) per call and beta per byte received. No time is taken from the clock.
"""
import argparse
import math
import os
import subprocess
import tempfile

NETWORKS = {"10 GbE (40 us, 1.1 GB/s)": (40e-6, 1 / 1.1e9), "InfiniBand (2 us, 10 GB/s)": (2e-6, 1 / 1e10)}


def report_of(options, ranks, passes, folder):
    path = os.path.join(folder, "report.tsv")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rtc="^hwloc",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    subprocess.run(["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks), options.firth_mpi, "--rank-report", path,
                    "cluster", options.counts, "-c", str(options.classes), "-o", os.path.join(folder, "out"), "--method", "exchange",
                    "--tolerance", "0", "--passes", str(passes), "--threads", "1"], env=environment, check=True, stderr=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as file:
        rows = [line.split("\t") for line in file.read().splitlines()[1:]]
    return {"work": [float(row[1]) for row in rows], "calls": max(int(row[3]) for row in rows),
            "bytes": max(int(row[4]) for row in rows), "memory": max(int(row[5]) for row in rows)}


def fit(points):
    """A and B of A / R + B by least squares; B is not below 0."""
    n = len(points)
    mean_x, mean_y = sum(1 / r for r, _ in points) / n, sum(t for _, t in points) / n
    spread = sum((1 / r - mean_x) ** 2 for r, _ in points)
    a = sum((1 / r - mean_x) * (t - mean_y) for r, t in points) / spread
    b = max(0.0, mean_y - a * mean_x)
    return a, b


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counts")
    parser.add_argument("--firth-mpi", required=True)
    parser.add_argument("-c", dest="classes", type=int, required=True)
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--passes", default="2,6")
    options = parser.parse_args()
    few, many = (int(n) for n in options.passes.split(","))
    points, calls, received = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for ranks in (int(n) for n in options.ranks.split(",")):
            one, other = (report_of(options, ranks, passes, folder) for passes in (few, many))
            work = max(b - a for a, b in zip(one["work"], other["work"])) / (many - few)
            calls = (other["calls"] - one["calls"]) / (many - few)
            received = (other["bytes"] - one["bytes"]) / (many - few)
            if ranks > 1:
                received *= ranks / (ranks - 1)  # a rank does not receive what it has
            points.append((ranks, work))
            print(f"{ranks} ranks: {work:.3f} CPU s per pass on the slowest rank, {calls:.0f} calls, {received / 1e6:.2f} MB, "
                  f"peak {other['memory'] / 1e6:.0f} MB per rank", flush=True)
    shared, replicated = fit(points)
    print(f"per pass: {shared:.3f} CPU s shared, {replicated:.3f} CPU s by every rank ({100 * replicated / (shared + replicated):.1f} %)")
    for network, (alpha, beta) in NETWORKS.items():
        for ranks in (4, 16, 64, 256):
            talk = calls * alpha * math.ceil(math.log2(ranks)) + received * beta * (ranks - 1) / ranks
            time = shared / ranks + replicated + talk
            print(f"{network}, {ranks} ranks: {time:.3f} s per pass, speed-up {(shared + replicated) / time:.1f}, network {100 * talk / time:.1f} %")


if __name__ == "__main__":
    main()
