#!/usr/bin/env python3
"""What more ranks bring, from the processor time and the messages of every rank.

bench/mpi_model.py --firth-mpi build/release/firth-mpi --cluster COUNTS -c 1000 [--ranks 1,2,4,16] [--passes 2,6]
bench/mpi_model.py --firth-mpi build/release/firth-mpi --count TEXT... [--ranks 1,2,4,16]

Wall-clock times of several ranks on one small machine say nothing. This starts ranks of one thread (--rank-report), more than there are
cores if need be, and takes the processor time of the slowest. Messages are counted, and cost alpha * ceil(log2 R) per call and beta per
byte received. Of `cluster --method exchange`, two runs with different numbers of passes are subtracted, so that only the passes are left.
For more ranks than were run, the processor time is that of a fit A / R + B to the others: A is shared, B is done by every rank. No time
is taken from the clock.
"""
import argparse
import math
import os
import subprocess
import tempfile

NETWORKS = {"10 GbE (40 us, 1.1 GB/s)": (40e-6, 1 / 1.1e9), "InfiniBand (2 us, 10 GB/s)": (2e-6, 1 / 1e10)}
PREDICTED = (4, 16, 64, 256)


def report_of(options, ranks, arguments, folder):
    """By rank: processor seconds of work, calls, bytes received, peak memory."""
    path = os.path.join(folder, "report.tsv")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rtc="^hwloc",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none")
    subprocess.run(["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(ranks), options.firth_mpi, "--rank-timeout", "0",
                    "--rank-report", path, *arguments, "--threads", "1"], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as file:
        rows = [line.split("\t") for line in file.read().splitlines()[1:]]
    return [(float(row[1]), int(row[3]), int(row[4]), int(row[5])) for row in rows]


def passes_on(options, ranks, folder):
    few, many = (int(n) for n in options.passes.split(","))
    search = ["cluster", options.cluster, "-c", str(options.classes), "-o", os.path.join(folder, "out"), "--method", "exchange", "--tolerance", "0"]
    one, other = (report_of(options, ranks, [*search, "--passes", str(passes)], folder) for passes in (few, many))
    return [tuple((b - a) / (many - few) for a, b in zip(*rank))[:3] + (rank[1][3],) for rank in zip(one, other)]


def count_on(options, ranks, folder):
    return report_of(options, ranks, ["count", *options.count, "-o", os.path.join(folder, "out.counts")], folder)


def fit(points):
    """A and B of A / R + B by least squares; B is not below 0."""
    n = len(points)
    mean_x, mean_y = sum(1 / r for r, _ in points) / n, sum(t for _, t in points) / n
    spread = sum((1 / r - mean_x) ** 2 for r, _ in points)
    a = sum((1 / r - mean_x) * (t - mean_y) for r, t in points) / spread
    b = max(0.0, mean_y - a * mean_x)
    return a, b


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    work = parser.add_mutually_exclusive_group(required=True)
    work.add_argument("--cluster", metavar="COUNTS")
    work.add_argument("--count", metavar="TEXT", nargs="+")
    parser.add_argument("--firth-mpi", required=True)
    parser.add_argument("-c", dest="classes", type=int, default=1000)
    parser.add_argument("--ranks", default="1,2,4,16")
    parser.add_argument("--passes", default="2,6")
    options = parser.parse_args()
    measure = count_on if options.count else passes_on
    slowest, talk = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for ranks in (int(n) for n in options.ranks.split(",")):
            rows = measure(options, ranks, folder)
            slowest[ranks] = max(row[0] for row in rows)
            talk[ranks] = max(row[1] for row in rows), max(row[2] for row in rows)
            print(f"{ranks} ranks: {slowest[ranks]:.3f} CPU s on the slowest rank (all together {sum(row[0] for row in rows):.3f}), {talk[ranks][0]:.0f} calls, "
                  f"{talk[ranks][1] / 1e6:.2f} MB received, peak {max(row[3] for row in rows) / 1e6:.0f} MB", flush=True)
    shared, replicated = fit(sorted(slowest.items()))
    print(f"fit: {shared:.3f} CPU s shared, {replicated:.3f} CPU s by every rank ({100 * replicated / (shared + replicated):.1f} %)")
    most = max(talk)
    for network, (alpha, beta) in NETWORKS.items():
        for ranks in PREDICTED:
            calls, received = talk.get(ranks, talk[most])
            on_network = calls * alpha * math.ceil(math.log2(ranks)) + received * beta
            seconds = slowest.get(ranks, shared / ranks + replicated)
            time = seconds + on_network
            print(f"{network}, {ranks} ranks ({'run' if ranks in slowest else 'fit'}): {time:.3f} s, speed-up {slowest[min(slowest)] / time:.1f}, "
                  f"network {100 * on_network / time:.1f} %")


if __name__ == "__main__":
    main()
