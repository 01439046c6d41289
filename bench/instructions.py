#!/usr/bin/env python3
"""How many instructions two builds of the command take for the same jobs, on one thread: no clock, so a busy machine does no harm.

Usage: instructions.py OLD NEW TEXT [--tagged CONLLU] [--trees TREES] [--jobs count,brown,...]

TEXT is plain text. Every job runs under valgrind --tool=callgrind, some fifty times slower than without. Prints one line per job: millions of
instructions of OLD and of NEW, and the change. Trees and tagged sentences are needed for the jobs parse and tag only.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# What is counted, after what prepares it (not counted). {text}, {tagged} and {trees} are inputs, everything else is in the folder. Both builds
# must do the same work: options whose defaults have changed are given, and "?--option=value" only to a build that has the option.
JOBS = {
    "count": ([], ["count", "{text}", "-o", "counts", "--threads", "1"]),
    "brown": ([["count", "{text}", "-o", "counts"]],
              ["cluster", "counts", "-c", "200", "--method", "brown", "--min-count", "1", "-o", "brown", "--threads", "1"]),
    "auto fast": ([["count", "{text}", "-o", "counts"]],
                  ["cluster", "counts", "-c", "100", "--effort", "fast", "--min-count", "1", "-o", "auto", "--threads", "1"]),
    "lm train": ([], ["lm", "train", "--words", "{text}", "-o", "lm", "--threads", "1"]),
    "tag run": ([["tag", "train", "{tagged}", "--passes", "2", "--beam", "1", "?--recipe=fast", "?--objective=perceptron", "-o", "tagger"]], ["tag", "run", "tagger", "{tagged}"]),
    "parse run": ([["parse", "train", "{trees}", "--algorithm", "pcfg", "-o", "grammar"]], ["parse", "run", "grammar", "few.txt", "--threads", "1"]),
}
PARSED_LINES = 40


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return done.stderr


def complete(command, words, inputs):
    """The command line of a job, as this build understands it."""
    line = [command]
    for word in words:
        if not word.startswith("?"):
            line.append(word.format(**inputs))
        elif word[1:].split("=")[0] in subprocess.run([command, *words[:2], "--help"], capture_output=True, text=True).stdout:
            line.append(word[1:])
    return line


def instructions(command, job, inputs):
    preparation, counted = JOBS[job]
    with tempfile.TemporaryDirectory(prefix="firth-instructions-") as folder:
        lines = pathlib.Path(inputs["text"]).read_text(encoding="utf-8").splitlines()
        short = [line for line in lines if 5 < len(line.split()) < 40][:PARSED_LINES]
        (pathlib.Path(folder) / "few.txt").write_text("\n".join(short) + "\n", encoding="utf-8")
        for words in preparation:
            run(complete(command, words, inputs), folder)
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        report = run([*valgrind, *complete(command, counted, inputs)], folder)
    return int(re.search(r"Collected : (\d+)", report)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("text")
    parser.add_argument("--tagged")
    parser.add_argument("--trees")
    parser.add_argument("--jobs", default=",".join(JOBS))
    arguments = parser.parse_args()
    inputs = {name: str(pathlib.Path(path).resolve()) for name, path in vars(arguments).items() if name in {"text", "tagged", "trees"} and path}
    old, new = (str(pathlib.Path(path).resolve()) for path in (arguments.old, arguments.new))
    print(f"{'job':<12}{'old, M':>12}{'new, M':>12}{'change':>10}")
    for job in arguments.jobs.split(","):
        if (job == "tag run" and not arguments.tagged) or (job == "parse run" and not arguments.trees):
            print(f"{job:<12}left out: give its input", flush=True)
            continue
        before, after = instructions(old, job, inputs), instructions(new, job, inputs)
        print(f"{job:<12}{before / 1e6:>12.1f}{after / 1e6:>12.1f}{100 * (after / before - 1):>+9.2f}%", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
