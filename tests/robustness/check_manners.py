#!/usr/bin/env python3
"""How the command behaves in a shell: Ctrl-C, a closed pipe, a full disk, bad bytes. Nothing may be left behind.

check_manners.py --command FIRTH [NAME...]   (all checks, or those named)
"""
import argparse
import fcntl
import gzip
import lzma
import os
import pty
import pathlib
import random
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

SLOW_JOBS = {
    "count": ["count", "-", "-o", "out"],
    "convert": ["convert", "-", "out", "--to", "classes"],
    "constraints": ["cluster", "big.txt", "-c", "4", "--constraints", "-", "-o", "out"],
    "auto": ["cluster", "big.txt", "-c", "400", "--effort", "max", "-o", "out"],
    "brown": ["cluster", "big.txt", "-c", "3000", "--method", "brown", "-o", "out"],
    "exchange": ["cluster", "big.txt", "-c", "400", "--method", "exchange", "--restarts", "1000", "-o", "out"],
    "spectral": ["cluster", "big.txt", "-c", "1500", "--method", "spectral", "-o", "out"],
}


# Searches that hand over the best classes so far when they are interrupted.
ANYTIME_JOBS = {"auto", "exchange"}


class Folder:
    def __init__(self, command):
        self.command = command
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="firth-manners-"))

    def start(self, arguments, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.Popen([self.command] + arguments, cwd=self.path, stderr=subprocess.PIPE, **options)

    def run(self, arguments, **options):
        process = self.start(arguments, **options)
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")

    def write(self, name, content):
        (self.path / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def names(self):
        return sorted(p.name for p in self.path.iterdir())


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def big_text(words=400000, vocabulary=20000):
    draw = random.Random(1)
    ranks = [int(vocabulary ** draw.random()) for _ in range(words)]
    return "\n".join(" ".join(f"w{r}" for r in ranks[i:i + 20]) for i in range(0, words, 20)) + "\n"


def interrupt(folder, job, after):
    """Presses Ctrl-C once: the messages of the job, and the seconds until it ended."""
    read_end, write_end = os.pipe()  # what `count -` waits for
    # A job in the background may have inherited that Ctrl-C is ignored, and Firth respects that.
    process = folder.start(SLOW_JOBS[job], stdin=read_end, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(read_end)
    time.sleep(after)
    expect(process.poll() is None, f"{job} ended before it was interrupted: {process.stderr}")
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    seconds = time.monotonic() - before
    os.close(write_end)
    expect(process.returncode == 130, f"{job}: exit code {process.returncode}, {err.decode()}")
    expect("interrupted" in err.decode(), f"{job}: no word about it: {err.decode()}")
    expect("error" not in err.decode(), f"{job}: called an error: {err.decode()}")
    expect(err.decode().count("interrupted") == 1, f"{job}: said twice: {err.decode()}")
    return err.decode(), seconds


def interrupted(folder, job):
    """One Ctrl-C ends a job within a second (or the seconds of FIRTH_PATIENCE), with code 130 and no files. A search that has
    something to hand over writes it, complete, and may take three times as long: it makes the tree."""
    folder.write("big.txt", big_text())
    err, seconds = interrupt(folder, job, 1.5)
    patience = float(os.environ.get("FIRTH_PATIENCE", "1"))
    if job not in ANYTIME_JOBS:
        expect(seconds < patience, f"{job}: took {seconds:.1f} s to stop")
        expect(folder.names() == ["big.txt"], f"{job}: left {folder.names()}")
        return
    if "these are the best classes" not in err:  # on a busy machine nothing may have been found so soon
        expect(folder.names() == ["big.txt"], f"{job}: left {folder.names()}")
        err, seconds = interrupt(folder, job, 15)
    expect(seconds < 3 * patience, f"{job}: took {seconds:.1f} s to stop")
    expect("these are the best classes" in err, f"{job}: {err}")
    expect(sorted(p.name for p in (folder.path / "out").iterdir()) ==
           ["bigrams.tsv", "classes.tsv", "merges.tsv", "paths", "preprocessing.txt", "run.json"], f"{job}: left {folder.names()}")
    classes = {line.split("\t")[1] for line in (folder.path / "out/classes.tsv").read_text().splitlines()}
    expect(len(classes) == 400, f"{job}: {len(classes)} classes")


def closed_pipe(folder):
    folder.write("big.txt", big_text(50000))
    code, _, err = folder.run(["cluster", "big.txt", "-c", "20", "--effort", "fast", "-o", "out"])
    expect(code == 0, err)
    line = f"'{folder.command}' convert out - --to paths | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=folder.path, capture_output=True, text=True, timeout=60)
    expect(done.stdout.endswith("\n0\n") and done.stderr == "", f"closed pipe: {done.stdout!r} {done.stderr!r}")


def full_disk(folder):
    """A limit on the size of files looks like a full disk to every write."""
    folder.write("big.txt", big_text())

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    for arguments in (["count", "big.txt", "-o", "out"], ["count", "big.txt", "--memory", "40M", "-o", "out"],
                      ["cluster", "big.txt", "-c", "10", "--effort", "fast", "-o", "out"],
                      ["lm", "train", "--words", "big.txt", "-o", "out"], ["sample", "brown", "-n", "500", "-m", "5", "-o", "out"]):
        code, _, err = folder.run(arguments, preexec_fn=limit)
        expect(code == 1 and err.startswith("firth: error: "), f"{arguments}: {code} {err}")
        left = [n for n in folder.names() if n != "big.txt"]
        expect(not left or not any((folder.path / n).is_file() or list((folder.path / n).iterdir()) for n in left),
               f"{arguments} left {left}")
        for name in left:
            shutil.rmtree(folder.path / name)


def full_disk_drawing(folder):
    """A drawing is complete or not there."""
    folder.write("paths", "00\ta\t3\n01\tb\t2\n1\tc\t1\n")
    folder.write("gold", "a\tX\nb\tY\nc\tX\n")
    arguments = ["evaluate", "paths", "--gold", "gold", "--sweep", "1,2,3", "--svg", "out.svg"]
    code, _, err = folder.run(arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    expect(code == 1 and "out.svg" in err, f"{code} {err}")
    expect(folder.names() == ["gold", "paths"], f"left {folder.names()}")
    code, _, err = folder.run(arguments)
    expect(code == 0 and "out.svg" in folder.names(), f"{code} {err}")


def bad_text(folder):
    """Every odd text gives a clear answer: what it is, where it is."""
    cases = {
        "empty": (b"", 1, ""), "spaces": (b" \n\t\n", 1, ""), "one": (b"word", 0, None), "crlf": (b"a b a\r\nb a b\r\n", 0, None),
        "bom": (b"\xef\xbb\xbfa b a b\n", 0, None), "nul": (b"a b\nc\0d\n", 1, "nul:2:2"), "broken": (b"a b\nab \xff\n", 1, "broken:2:4"),
        "long": (b"x" * 10_000_000 + b" y x y\n", 0, None), "line": (b"a b c d " * 1_250_000, 0, None),
    }
    for name, (content, expected, place) in cases.items():
        folder.write(name, content)
        code, _, err = folder.run(["count", name, "-o", "counts"])
        if place == "":  # an empty corpus can be counted; to cluster it is an error
            expect(code in (0, 1), f"{name}: {code} {err}")
            code, _, err = folder.run(["cluster", name, "-c", "2", "-o", "out"])
            expect(code == 1 and name in err, f"{name}: {code} {err}")
        else:
            expect(code == expected, f"{name}: {code} {err}")
            expect(place is None or place in err, f"{name}: {err}")
    code, _, err = folder.run(["count", "broken", "--invalid-utf8", "replace", "-o", "counts"])
    expect(code == 0, err)


def compressed(folder):
    """The same counts from plain, gzip, zstd and xz, whatever the name; a truncated file is an error that names it."""
    text = big_text(20000).encode()
    folder.write("plain", text)
    folder.write("gzip", gzip.compress(text))
    folder.write("xz.txt", lzma.compress(text))
    names = ["plain", "gzip", "xz.txt"]
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "plain", "-o", "zstd.gz"], cwd=folder.path, check=True)
        names.append("zstd.gz")
    results = set()
    for name in names:
        code, _, err = folder.run(["count", name, "-o", name + ".counts"])
        expect(code == 0, err)
        results.add((folder.path / (name + ".counts")).read_bytes())
        if name == "plain":
            continue
        folder.write("cut", (folder.path / name).read_bytes()[:-100])
        code, _, err = folder.run(["count", "cut", "-o", "cut.counts"])
        expect(code == 1 and "cut" in err, f"truncated {name}: {code} {err}")
    expect(len(results) == 1, "compression changed the counts")


def compressed_clusters(folder):
    """Cluster files may be compressed too."""
    paths = "".join(f"{'01'[i % 2]}\tw{i}\t{100 - i}\n" for i in range(50)).encode()
    folder.write("paths", paths)
    folder.write("paths.gz", gzip.compress(paths))
    folder.write("paths.xz", lzma.compress(paths))
    _, plain, _ = folder.run(["convert", "paths", "-", "--to", "classes"])
    for name in ("paths.gz", "paths.xz"):
        code, out, err = folder.run(["convert", name, "-", "--to", "classes"])
        expect(code == 0 and out == plain, f"{name}: {code} {err}")


def converse(folder, arguments, pieces):
    """Writes each piece into a pipe and waits for the lines of its answer before the next; gives all of the output."""
    process = folder.start([*arguments, "-"], stdin=subprocess.PIPE)
    out = ""
    for piece, lines in pieces:
        process.stdin.write(piece.encode())
        process.stdin.flush()
        for _ in range(lines):
            ready, _, _ = select.select([process.stdout], [], [], 30)
            expect(ready, f"{arguments[:2]}: no answer to {piece!r}")
            out += os.read(process.stdout.fileno(), 1).decode()
            while not out.endswith("\n"):
                out += os.read(process.stdout.fileno(), 1).decode()
    process.stdin.close()
    out += process.stdout.read().decode()
    expect(process.wait(30) == 0, "it failed")
    return out


def answered_at_once(folder):
    """Who writes a sentence into a pipe and waits gets the answer before the pipe ends; all answers are those of a file."""
    folder.write("trees.mrg", "(S (N cats) (V sleep))\n(S (N dogs) (V bark))\n" * 3)
    folder.write("classes.tsv", "dogs\t0\ncats\t1\n")
    folder.write("tags.conll", "cats N\nsleep V\n\ndogs N\nbark V\n\n" * 3)
    for made in (["parse", "train", "trees.mrg", "-o", "grammar"], ["tag", "train", "tags.conll", "-o", "tagger"]):
        code, _, err = folder.run(made)
        expect(code == 0, err)
    text = [("dogs\n", 1), ("cats sleep\n", 1), ("\n", 1), ("dogs bark\ncats bark\n", 2)]  # the first is shorter than a mark of compression
    trees = [("(S (N dogs)\n", 0), ("(V bark))\n(S\n", 1), ("(N cats) (V sleep))\n", 1)]
    words_to_tag = [("The dogs bark .\n", 5), ("\ncats sleep\nca", 3), ("ts\n", 2)]
    rows = [("dogs N\nbark V\n\ncats N\n", 3), ("sleep V\n\n", 3)]
    tabs = [("dogs\tN\n\nbark\tV\n", 2), ("\n", 2)]
    for arguments, pieces in (
        (["parse", "run", "grammar"], text),
        (["parse", "run", "grammar", "--from-trees"], trees),
        (["tag", "run", "tagger"], words_to_tag),
        (["tag", "run", "tagger", "--format", "text"], [("dogs BARK\n", 3), ("cats\n", 2)]),
        (["tag", "run", "tagger", "--format", "columns"], rows),
        (["tag", "run", "tagger"], tabs),
        (["features", "classes.tsv", "--to", "jsonl"], [("The dogs bark .\n", 1), ("cats sleep\n", 1)]),
    ):
        folder.write("whole", "".join(piece for piece, _ in pieces))
        _, whole, _ = folder.run([*arguments, "whole"])
        out = converse(folder, arguments, pieces)
        expect(out == whole, f"{arguments}: {out!r}, but from a file {whole!r}")


def typed_at_once(folder):
    """What is typed at a terminal is text: 'cats sleep' is tagged before another line tells that it is no row of columns."""
    folder.write("tags.conll", "cats N\nsleep V\n\n" * 3)
    folder.run(["tag", "train", "tags.conll", "-o", "tagger"])
    master, slave = pty.openpty()
    process = folder.start(["tag", "run", "tagger", "-"], stdin=slave)
    os.close(slave)
    os.write(master, b"cats sleep\n")
    ready, _, _ = select.select([process.stdout], [], [], 30)
    expect(ready, "no answer")
    os.write(master, b"\x04")
    expect(process.stdout.read() == b"cats\tN\nsleep\tV\n\n" and process.wait(30) == 0, "another answer")
    os.close(master)


def narrow_terminal(folder):
    """Help fits a terminal of 80 columns, and has 100 in a file. Names of options and command lines stay whole."""
    def widest(stdout, read):
        process = folder.start(["lm", "train", "--help"], stdout=stdout)
        if stdout != subprocess.PIPE:
            os.close(stdout)
        lines = read(process).decode().splitlines()
        process.wait(30)
        expect(len(lines) > 50, f"no help: {lines}")
        return max(len(line) for line in lines if not line.startswith(("Usage:", "  firth", "  -")))

    def from_terminal(_):
        text = b""
        try:
            while part := os.read(master, 4096):
                text += part
        except OSError:  # the other end was closed
            pass
        return text

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    narrow = widest(slave, from_terminal)
    os.close(master)
    expect(narrow <= 80, f"{narrow} columns on a terminal of 80")
    wide = widest(subprocess.PIPE, lambda process: process.stdout.read())
    expect(80 < wide <= 100, f"{wide} columns in a pipe")


CHECKS = {f"interrupted_{job}": (lambda folder, job=job: interrupted(folder, job)) for job in SLOW_JOBS}
CHECKS.update({c.__name__: c for c in (closed_pipe, full_disk, full_disk_drawing, bad_text, compressed, compressed_clusters, answered_at_once, typed_at_once, narrow_terminal)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for name in options.names or CHECKS:
        folder = Folder(os.path.abspath(options.command))
        try:
            CHECKS[name](folder)
            print(f"ok {name}")
        except AssertionError as problem:
            failed += 1
            print(f"FAILED {name}: {problem}")
        finally:
            shutil.rmtree(folder.path, ignore_errors=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
