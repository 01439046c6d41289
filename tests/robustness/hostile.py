#!/usr/bin/env python3
"""Models that somebody made on purpose: numbers in them replaced by large and odd ones, and all checksums right.

hostile.py --command FIRTH [--tries N] [--seed N] [--model NAME] [--memory-factor X]
  --tries N          made-up files of each model (default 2)
  --memory-factor X  what a sanitizer takes on top

Every command that reads them says an error that names the file, or gives a result, within 10 seconds of the processor and 400 MB.
"""
import argparse
import ctypes
import ctypes.util
import os
import random
import resource
import shutil
import struct
import subprocess
import sys

import campaign

SKIPPED = 77
MEGABYTES, SECONDS = 400, 10
# The layout of src/base/section_file.hpp: size of the file, number of sections and checksum of the table in the header; in a row of the
# table the offset, size and checksum of a section.
HEADER, ROW, SIZE, SECTIONS, TABLE_SUM, OFFSET, BYTES, SUM = 64, 32, 16, 24, 32, 8, 16, 24
MODELS = {
    "counts1": [["evaluate", "model1", "--text", "FILE"], ["cluster", "FILE", "-c", "3", "--effort", "fast", "-o", "out"], ["count", "--merge", "FILE", "FILE", "-o", "out"]],
    "ngrams1": [["lm", "train", "--words", "--from-counts", "FILE", "-o", "out"], ["lm", "count", "--merge", "FILE", "FILE", "-o", "out"]],
    "class1.lm": [["lm", "score", "FILE", "text2.txt"], ["lm", "sample", "FILE", "-n", "3"], ["lm", "export", "FILE", "--arpa", "out"],
                  ["lm", "export", "FILE", "--expanded-arpa", "out", "--prune", "0.01"], ["lm", "export", "FILE", "--srilm-classes", "out"],
                  ["lm", "add-words", "FILE", "new.txt", "-o", "out"], ["lm", "mix", "FILE", "word.lm", "--held-out", "text2.txt", "-o", "out"]],
    "word.lm": [["lm", "score", "FILE", "text2.txt"], ["lm", "export", "FILE", "--arpa", "out"], ["lm", "rescore", "FILE", "lists.txt"]],
    "small.lm": [["lm", "score", "FILE", "text2.txt"], ["lm", "sample", "FILE", "-n", "3"], ["lm", "export", "FILE", "--arpa", "out"],
                 ["lm", "export", "FILE", "--expanded-arpa", "out", "--prune", "0.01"]],
    "mixed1.lm": [["lm", "score", "FILE", "text2.txt"], ["lm", "export", "FILE", "--expanded-arpa", "out", "--prune", "0.01"]],
    "hmm": [["hmm", "tag", "FILE", "text2.txt"]],
    "tagger": [["tag", "run", "FILE", "text2.txt"]],
    "rich-tagger": [["tag", "run", "FILE", "text2.txt"], ["tag", "score", "--model", "FILE", "tagged2.tsv"]],
    "grammar": [["parse", "run", "FILE", "text2.txt"], ["parse", "probability", "FILE", "trees2.mrg"]],
    "latent-grammar": [["parse", "run", "FILE", "text2.txt"], ["parse", "score", "trees2.mrg", "--model", "FILE"]],
}
NUMBERS = {"<I": (0, 1, 1 << 16, 1 << 24, 1 << 28, (1 << 31) - 1, 1 << 31, (1 << 32) - 1),
           "<Q": (0, 1, 1 << 20, 1 << 28, 1 << 31, 1 << 32, 1 << 40, 1 << 52, 1 << 62, (1 << 63) - 1, (1 << 64) - 1)}


def checksum_function():
    """XXH3 of the library that Firth uses itself."""
    name = ctypes.util.find_library("xxhash")
    if name is None:
        return None
    function = ctypes.CDLL(name).XXH3_64bits
    function.argtypes, function.restype = [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_uint64
    return lambda data: function(data, len(data))


def number(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def change(draw, data):
    """One number of one section, or one size or offset in the table."""
    row = HEADER + ROW * draw.randrange(number(data, SECTIONS))
    if draw.random() < 0.12:
        struct.pack_into("<Q", data, row + draw.choice((OFFSET, BYTES)), draw.choice(NUMBERS["<Q"]))
        return
    form = draw.choice(list(NUMBERS))
    width = struct.calcsize(form)
    places = min(number(data, row + BYTES), len(data) - number(data, row + OFFSET)) // width if number(data, row + OFFSET) < len(data) else 0
    if places > 0:
        place = draw.randrange(min(places, 16) if draw.random() < 0.6 else places)  # what counts others comes first
        struct.pack_into(form, data, number(data, row + OFFSET) + width * place, draw.choice(NUMBERS[form]))


def repair(data, checksum):
    struct.pack_into("<Q", data, SIZE, len(data))
    rows = number(data, SECTIONS)
    for row in range(HEADER, HEADER + ROW * rows, ROW):
        offset, size = number(data, row + OFFSET), number(data, row + BYTES)
        if offset <= len(data) and size <= len(data) - offset:
            struct.pack_into("<Q", data, row + SUM, checksum(bytes(data[offset:offset + size])))
    struct.pack_into("<Q", data, TABLE_SUM, checksum(bytes(data[HEADER:HEADER + ROW * rows])))


class Runner:
    def __init__(self, options, checksum):
        self.workshop = campaign.Workshop(options.command)
        self.options, self.checksum = options, checksum
        self.accepted = 0
        self.tally = campaign.Tally("made-up models")

    def run_measured(self, arguments, folder):
        """Exit code, message, megabytes."""
        seconds = SECONDS * self.options.memory_factor
        with open(folder / "errors", "wb") as errors:
            process = subprocess.Popen(self.workshop.program(arguments), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                       preexec_fn=campaign.limit_of(resource.RLIMIT_CPU, seconds))
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, (folder / "errors").read_text(errors="replace"), used.ru_maxrss // 1024

    def attempt(self, name, place, folder):
        for words in MODELS[name]:
            arguments = [word.replace("FILE", "made-up") for word in words]
            code, err, megabytes = self.run_measured(arguments, folder)
            where = f"{name} {place}: {' '.join(arguments)}"
            self.tally.tries += 1
            self.accepted += code == 0
            self.tally.check(code in (0, 1), f"{where}: exit code {code}: {err[-300:]}")
            self.tally.check(code != 1 or "made-up" in err, f"{where}: the message does not name the file: {err[-300:]}")
            self.tally.check(megabytes <= MEGABYTES * self.options.memory_factor, f"{where}: {megabytes} MB")
            for path in (folder / "out",):
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def run(self, names):
        folder = self.workshop.fresh_folder()
        for seed, name in enumerate(MODELS):
            if names and name not in names:
                continue
            good = (folder / name).read_bytes()
            draw = random.Random(1000 * self.options.seed + seed)
            for place in range(self.options.tries):
                data = bytearray(good)
                for _ in range(draw.choice((1, 1, 2))):
                    change(draw, data)
                repair(data, self.checksum)
                (folder / "made-up").write_bytes(data)
                self.attempt(name, place, folder)
            self.tally.show(name)
        print(f"{self.accepted} of them were accepted")
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--tries", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", action="append", default=[], choices=MODELS)
    parser.add_argument("--memory-factor", type=int, default=1)
    options = parser.parse_args()
    checksum = checksum_function()
    if checksum is None:
        print("skipped: the library xxhash is not there")
        sys.exit(SKIPPED)
    sys.exit(Runner(options, checksum).run(options.model))


if __name__ == "__main__":
    main()
