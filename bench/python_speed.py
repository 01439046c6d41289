#!/usr/bin/env python3
"""CPU seconds of calls of the Python package beside the same work of the command, in alternation, one thread.

Usage: python_speed.py COMMAND PACKAGE TEXT [--pairs N] [--jobs cluster,count,...]

COMMAND is firth, PACKAGE the folder with the Python package, TEXT plain text; tagged sentences are made from TEXT with the classes of its words as tags.
Prints per job the least and the median of both, and the median of the ratios of neighbouring runs. A busy machine makes all of them slower, which
the alternation evens out; the median of ratios is the figure to trust.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

# Python: what is prepared, what is timed. Command: the words that do the same.
JOBS = {
    "cluster": ("", "firth.cluster(text, 200, effort='fast', threads=1).save('python')",
                ["cluster", "{text}", "-c", "200", "--effort", "fast", "--threads", "1", "-o", "command"]),
    "count": ("", "firth.count(text, threads=1).save('python.counts')", ["count", "{text}", "--threads", "1", "-o", "command.counts"]),
    "count generator": ("lines = open(text, encoding='utf-8').read().splitlines()",
                        "firth.count(texts=(line for line in lines), threads=1).save('python.counts')",
                        ["count", "{text}", "--threads", "1", "-o", "command.counts"]),
    "count open file": ("", "firth.count(texts=open(text, encoding='utf-8'), threads=1).save('python.counts')",
                        ["count", "{text}", "--threads", "1", "-o", "command.counts"]),
    "Tagger.tag": ("tagger = firth.load('tagger'); words = [line.split() for line in open('few.txt', encoding='utf-8')]", "tagger.tag(words, threads=1)",
                   ["tag", "run", "tagger", "few.txt"]),
    "encode": ("import numpy; classes = firth.load('classes'); words = [line.split() for line in open('few.txt', encoding='utf-8')]",
               "for each in words: classes.encode(each)", ["features", "classes", "few.txt", "--to", "jsonl"]),
    "features": ("classes = firth.load('classes'); words = [line.split() for line in open('few.txt', encoding='utf-8')]",
                 "for each in words: classes.features(each)", ["features", "classes", "few.txt", "--to", "jsonl"]),
}
LINES = 4000  # of TEXT, for tagging


def seconds_of_child(words, folder, **options):
    """CPU seconds of a process and all that it started, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


def seconds_of_call(package, text, job, folder):
    """CPU seconds of the call alone, and of the whole process."""
    prepared, timed, _ = JOBS[job]
    program = ["import time, firth", f"text = {text!r}", prepared, "begin = time.process_time()", timed, "print(time.process_time() - begin)"]
    whole, printed = seconds_of_child([sys.executable, "-c", "\n".join(program)], folder, env={**os.environ, "PYTHONPATH": package})
    return float(printed), whole


def prepare(command, text, folder):
    """Classes of the text, some of its lines, and a tagger that has learned a class per word from them."""
    run = dict(cwd=folder, check=True, capture_output=True, text=True)
    subprocess.run([command, "cluster", text, "-c", "45", "--method", "brown", "-o", "classes"], **run)
    with open(text, encoding="utf-8") as file:
        lines = [line.split() for _, line in zip(range(LINES), file)]
    lines = [words for words in lines if words]
    (folder / "few.txt").write_text("".join(" ".join(words) + "\n" for words in lines), "utf-8")
    classes = dict(line.rstrip("\n").split("\t")[:2] for line in open(folder / "classes" / "classes.tsv", encoding="utf-8"))
    tagged = "".join("".join(f"{word}\t{classes.get(word, 'none')}\n" for word in words) + "\n" for words in lines[:1000])
    (folder / "tagged.tsv").write_text(tagged, "utf-8")
    subprocess.run([command, "tag", "train", "tagged.tsv", "--passes", "3", "-o", "tagger"], **run)


def measure(command, package, text, job, pairs, folder):
    words = [command] + [word.format(text=text) for word in JOBS[job][2]]
    rows = []
    for _ in range(pairs):
        rows.append((seconds_of_child(words, folder)[0], *seconds_of_call(package, text, job, folder)))
    return rows


def import_seconds(package, pairs):
    program = "import time; begin = time.process_time(); import firth; print(time.process_time() - begin)"
    environment = {**os.environ, "PYTHONPATH": package}
    return [float(seconds_of_child([sys.executable, "-c", program], ".", env=environment)[1]) for _ in range(pairs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command"), parser.add_argument("package"), parser.add_argument("text")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--jobs", default=",".join(JOBS))
    given = parser.parse_args()
    command, package, text = (str(pathlib.Path(path).resolve()) for path in (given.command, given.package, given.text))
    print(f"import firth: least {min(times := import_seconds(package, given.pairs)):.3f}, median {statistics.median(times):.3f} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="firth-python-") as name:
        folder = pathlib.Path(name)
        prepare(command, text, folder)
        for job in given.jobs.split(","):
            rows = measure(command, package, text, job, given.pairs, folder)
            theirs, call, whole = zip(*rows)
            ratio, whole_ratio = (statistics.median(b / a for a, b in zip(theirs, column)) for column in (call, whole))
            print(f"{job}: command least {min(theirs):.3f} median {statistics.median(theirs):.3f}, call least {min(call):.3f} median "
                  f"{statistics.median(call):.3f}, ratio {ratio:.3f}; whole process of Python {min(whole):.3f}, ratio {whole_ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
