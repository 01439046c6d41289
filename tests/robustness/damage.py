#!/usr/bin/env python3
"""Damages every kind of file and reads it: an error that names the file, or a result; for files with checksums always the error.

damage.py --command FIRTH [--tries N] [--kind NAME]
  --tries N   damaged files of each kind (default 12)
"""
import argparse
import random
import shutil
import sys

import campaign


class Kind:
    def __init__(self, name, make, file, read, checked=False):
        self.name, self.make, self.file, self.read, self.checked = name, make, file, read, checked


KINDS = [
    Kind("counts", [["count", "text1.txt", "-o", "f"]], "f", ["evaluate", "model1", "--text", "f"], checked=True),
    Kind("language model", [["lm", "train", "--words", "text1.txt", "-o", "f"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("class model", [["lm", "train", "--classes", "model1", "text1.txt", "-o", "f"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("hmm", [["hmm", "train", "text1.txt", "-c", "3", "--iterations", "2", "-o", "f"]], "f", ["hmm", "tag", "f", "text2.txt"], checked=True),
    Kind("tagger", [["tag", "train", "tagged1.tsv", "-o", "f"]], "f", ["tag", "run", "f", "tagged2.tsv"], checked=True),
    Kind("grammar", [["parse", "train", "trees1.mrg", "--algorithm", "pcfg", "-o", "f"]], "f", ["parse", "run", "f", "text2.txt"], checked=True),
    Kind("arpa", [["lm", "export", "class1.lm", "--arpa", "f"]], "f", ["lm", "score", "f", "text2.txt"]),
    Kind("srilm", [["lm", "export", "class1.lm", "--srilm-classes", "f"]], "f", ["convert", "f", "-", "--to", "classes"]),
    Kind("paths", [["convert", "model1", "f", "--to", "paths"]], "f", ["convert", "f", "-", "--to", "json"]),
    Kind("classes", [["convert", "model1", "f", "--to", "classes"]], "f", ["convert", "f", "-", "--to", "classes"]),
    Kind("merges", [["convert", "model1", "f", "--to", "merges"]], "f", ["convert", "f", "-", "--to", "classes", "--from", "merges"]),
    Kind("clark", [["convert", "model1", "f", "--to", "clark"]], "f", ["convert", "f", "-", "--to", "classes"]),
    Kind("json", [["convert", "model1", "f", "--to", "json"]], "f", ["convert", "f", "-", "--to", "paths"]),
    Kind("folder: classes", [["convert", "model1", "d", "--to", "firth"]], "d/classes.tsv", ["convert", "d", "-", "--to", "classes"]),
    Kind("folder: paths", [["convert", "model1", "d", "--to", "firth"]], "d/paths", ["convert", "d", "-", "--to", "classes"]),
    Kind("folder: merges", [["convert", "model1", "d", "--to", "firth"]], "d/merges.tsv", ["convert", "d", "-", "--to", "classes"]),
    Kind("vectors", [["embed", "text1.txt", "-d", "4", "-o", "d"]], "d/vectors.npy", ["nearest", "d", "w1"]),
    Kind("vector words", [["embed", "text1.txt", "-d", "4", "-o", "d"]], "d/vectors.vocab", ["nearest", "d", "w1"]),
    Kind("text", [["convert", "model1", "f", "--to", "paths"]], "f", ["count", "f", "-o", "c"]),
    Kind("trees", [["sample", "lpcfg", "--trees", "30", "--words", "20", "-o", "d"]], "d/trees.mrg", ["parse", "train", "d/trees.mrg", "--algorithm", "pcfg", "-o", "g"]),
]


def damaged(draw, good):
    """One of: a bit flipped, cut off, a block twice or missing or swapped, bytes put in."""
    data = bytearray(good)
    way = draw.randrange(6)
    at = draw.randrange(len(data))
    size = draw.choice((1, 8, 64, 512))
    if way == 0:
        data[at] ^= 1 << draw.randrange(8)
    elif way == 1:
        del data[at:]
    elif way == 2:
        del data[at:at + size]
    elif way == 3:
        data[at:at] = data[at:at + size]
    elif way == 4:
        other = draw.randrange(len(data))
        data[at:at + size], data[other:other + size] = data[other:other + size], data[at:at + size]
    else:
        data[at:at] = draw.choice((b"\xff", b"\0", b"\t", b"\n", b"\r\n", b"\xef\xbb\xbf", b"nan", b"-1", b"9" * 30))
    return ("bit flip", "cut", "missing block", "block twice", "swapped blocks", "inserted")[way], bytes(data)


class Runner:
    def __init__(self, options):
        self.workshop = campaign.Workshop(options.command)
        self.tries = options.tries
        self.tally = campaign.Tally("damaged files")

    def judge(self, kind, way, code, err):
        where = f"{kind.name}: {way}"
        self.tally.tries += 1
        self.tally.check(code in (0, 1), f"{where}: exit code {code}: {err[-300:]}")
        self.tally.check(code != 1 or kind.file.split("/")[0] in err, f"{where}: the message does not name the file: {err[-300:]}")
        self.tally.check(len(err) < 5000, f"{where}: a message of {len(err)} bytes")
        self.tally.check(not kind.checked or code == 1, f"{where}: not noticed")

    def attack(self, kind, seed):
        folder = self.workshop.fresh_folder()
        for arguments in kind.make:
            self.workshop.must(arguments, folder)
        path = folder / kind.file
        good = path.read_bytes()
        code, _, err = self.workshop.run(kind.read, folder)
        self.tally.check(code == 0, f"{kind.name}: undamaged: {code} {err}")
        draw = random.Random(seed)
        for _ in range(self.tries):
            way, bad = damaged(draw, good)
            if bad == good:
                continue
            path.write_bytes(bad)
            code, _, err = self.workshop.run(kind.read, folder, timeout=60)
            self.judge(kind, way, code, err)
        shutil.rmtree(folder)

    def run(self, names):
        for seed, kind in enumerate(KINDS):
            if not names or kind.name in names:
                self.attack(kind, seed)
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--tries", type=int, default=12)
    parser.add_argument("--kind", action="append", default=[])
    options = parser.parse_args()
    sys.exit(Runner(options).run(options.kind))


if __name__ == "__main__":
    main()
