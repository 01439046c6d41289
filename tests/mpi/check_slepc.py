#!/usr/bin/env python3
"""The singular values and vectors of `firth-mpi embed` against those that SLEPc finds for a matrix that this script has counted.

check_slepc.py --firth-mpi FIRTH_MPI --slepc SLEPC_SVD [--ranks 3]

Nothing of Firth is in the other answer: words and pairs are counted here, scaled by the formula of docs/methods.md, and decomposed by
another library with another algorithm. Exit 77 = skipped: there is no launcher.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import check_mpi

OFFSETS = (-2, -1, 1, 2)
KAPPA = 5.0
WANTED = 1e-6
WANTED_SPACE = 1e-5
DIMENSIONS = 7  # the text of check_mpi.py has that many large values; those behind them are noise and lie close together
TOLERANCE = "1e-6"  # of residuals; the error of a value goes with its square


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def count(path):
    """Words by falling count, then by bytes; how often each word has each other one at each offset."""
    words, pairs = collections.Counter(), {offset: collections.Counter() for offset in OFFSETS}
    for line in path.read_text(encoding="utf-8").splitlines():
        line = line.split()
        words.update(line)
        for offset in OFFSETS:
            for place, word in enumerate(line):
                if 0 <= place + offset < len(line):
                    pairs[offset][word, line[place + offset]] += 1
    return sorted(words, key=lambda word: (-words[word], word.encode())), words, pairs


def write_matrix(path, order, words, pairs):
    """N(x,y) / sqrt((N(x) + kappa) (N(y) + kappa)), N(y) as a context; contexts of all offsets side by side."""
    number = {word: i for i, word in enumerate(order)}
    entries = []
    for block, offset in enumerate(OFFSETS):
        context = collections.Counter()
        for (_, other), times in pairs[offset].items():
            context[other] += times
        for (word, other), times in pairs[offset].items():
            value = times / math.sqrt((words[word] + KAPPA) * (context[other] + KAPPA))
            entries.append((number[word], block * len(order) + number[other], value))
    with open(path, "wb") as file:
        file.write(struct.pack("=qqq", len(order), len(OFFSETS) * len(order), len(entries)))
        for entry in sorted(entries):
            file.write(struct.pack("=iid", *entry))


def read_npy(path):
    """Rows of a .npy file of floats."""
    data = path.read_bytes()
    size = struct.unpack_from("<H", data, 8)[0]
    head = data[10:10 + size].decode()
    rows, columns = (int(n) for n in head.split("'shape': (")[1].split(")")[0].split(","))
    kind = {"<f4": "f", "<f8": "d"}[head.split("'descr': '")[1].split("'")[0]]
    numbers = struct.unpack_from(f"<{rows * columns}{kind}", data, 10 + size)
    return [numbers[row * columns:(row + 1) * columns] for row in range(rows)]


def outside(vectors, space):
    """How much of each vector (of length 1) is not in a space with an orthonormal basis: the largest."""
    worst = 0.0
    for vector in vectors:
        rest = list(vector)
        for direction in space:
            product = sum(a * b for a, b in zip(vector, direction))
            rest = [a - product * b for a, b in zip(rest, direction)]
        worst = max(worst, math.sqrt(sum(a * a for a in rest)))
    return worst


def check(options, folder, name, words, lines):
    text = folder / f"{name}.txt"
    check_mpi.write_text(text, words, lines, 11)
    order, counted, pairs = count(text)
    write_matrix(folder / "matrix", order, counted, pairs)
    slepc = subprocess.run([options.slepc, folder / "matrix", str(DIMENSIONS)], capture_output=True, text=True)
    expect(slepc.returncode == 0, f"{name}: SLEPc: exit code {slepc.returncode}: {slepc.stderr}")
    rows = [[float(number) for number in line.split()] for line in slepc.stdout.splitlines()]
    values, space = [row[0] for row in rows[:DIMENSIONS]], rows[DIMENSIONS:]
    launcher = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(options.ranks)]
    run = subprocess.run([*launcher, options.firth_mpi, "embed", text, "-d", str(DIMENSIONS), "-o", folder / name, "--kappa", str(KAPPA), "--keep-length",
                          "--svd-tolerance", TOLERANCE, "--min-count", "1"], env=check_mpi.launcher_environment(), capture_output=True, text=True)
    expect(run.returncode == 0, f"{name}: {run.stderr}")
    found = json.loads((folder / name / "run.json").read_text())["series"]["singular_values"]
    expect(len(found) == DIMENSIONS, f"{name}: {len(found)} values")
    off = max(abs(a - b) for a, b in zip(values, found)) / values[0]
    lost = outside(list(zip(*read_npy(folder / name / "vectors.npy"))), space)
    print(f"{name}: {len(order)} words, {DIMENSIONS} values differ by at most {off:.1e}; vectors leave SLEPc's space by {lost:.1e}", flush=True)
    expect(off <= WANTED and lost <= WANTED_SPACE, f"{name}: {list(zip(values, found))}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--firth-mpi", required=True)
    parser.add_argument("--slepc", required=True, help="the program slepc_svd")
    parser.add_argument("--ranks", type=int, default=3)
    options = parser.parse_args()
    options.firth_mpi, options.slepc = os.path.abspath(options.firth_mpi), os.path.abspath(options.slepc)
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not installed; ./setup.sh packages installs it")
        return 77
    with tempfile.TemporaryDirectory(prefix="firth-slepc-") as folder:
        folder = pathlib.Path(folder)
        check(options, folder, "narrow", 60, 3000)  # double precision
        check(options, folder, "wide", 700, 6000)  # more than 4,096 words: single precision
    return 0


if __name__ == "__main__":
    sys.exit(main())
