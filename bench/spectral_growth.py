#!/usr/bin/env python3
"""How the spectral method grows: CPU seconds and peak memory against words and classes, as Markdown tables.

spectral_growth.py FIRTH TEXT [--words 20000,50000,...] [--at-classes 500] [--classes 100,...] [--at-words 50000]

Counting is done beforehand and not part of the figures.
"""
import argparse
import os
import resource
import subprocess
import tempfile


def numbers(text):
    return [int(item) for item in text.split(",") if item]


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(firth, counts, classes, folder):
    """CPU seconds and peak memory in MB of one clustering; waits for the process itself to know its own peak."""
    before = cpu_of_children()
    process = subprocess.Popen([firth, "cluster", counts, "--method", "spectral", "-c", str(classes), "-o", folder],
                               stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"firth cluster failed for {classes} classes")
    return cpu_of_children() - before, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("firth")
    parser.add_argument("text")
    parser.add_argument("--words", default="20000,50000,100000,300000")
    parser.add_argument("--at-classes", type=int, default=500)
    parser.add_argument("--classes", default="100,200,500,1000")
    parser.add_argument("--at-words", type=int, default=50000)
    options = parser.parse_args()
    runs = [(words, options.at_classes) for words in numbers(options.words)]
    runs += [(options.at_words, classes) for classes in numbers(options.classes)]
    print("| words | classes | CPU seconds | peak memory MB |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        counted = {}
        for words, classes in runs:
            if words not in counted:
                counted[words] = os.path.join(folder, f"{words}.counts")
                subprocess.run([options.firth, "count", options.text, "--max-vocab", str(words), "--distances", "1,2",
                                "-o", counted[words]], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            seconds, memory = measure(options.firth, counted[words], classes, os.path.join(folder, "out"))
            print(f"| {words} | {classes} | {seconds:.1f} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
