"""What the examples share: running firth, and reading and writing .npy files without NumPy."""
import argparse
import array
import ast
import json
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time


class Shop:
    """A folder for the files of an example, and the command to run there."""

    def __init__(self, description, **sizes):
        parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--firth", default=shutil.which("firth") or "firth", help="the firth command")
        parser.add_argument("--folder", help="where to work, and leave everything; without it a temporary folder")
        parser.add_argument("--seed", type=int, default=1)
        for name, (default, text) in sizes.items():
            parser.add_argument("--" + name.replace("_", "-"), type=type(default), default=default, help=f"{text} [{default}]")
        self.options = parser.parse_args()
        self.temporary = None if self.options.folder else tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.options.folder or self.temporary.name)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, name):
        return self.folder / name

    def firth(self, *words):
        """Runs firth in the folder; what it prints."""
        line = [self.options.firth, *map(str, words)]
        done = subprocess.run(line, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(line)}\n{done.stderr}")
        return done.stdout

    def timed(self, *words):
        """The same; seconds of processor time and the most memory of any command so far, in MB."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.time()
        self.firth(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {"cpu_seconds": round(cpu, 2), "seconds": round(time.time() - begin, 2), "peak_mb": after.ru_maxrss // 1024}

    def figures(self, folder):
        """The figures of a folder's run.json."""
        return json.loads((self.path(folder) / "run.json").read_text(encoding="utf-8"))["figures"]

    def classes(self, folder):
        """Word -> class."""
        lines = (self.path(folder) / "classes.tsv").read_text(encoding="utf-8").splitlines()
        return {word: int(number) for word, number in (line.split("\t")[:2] for line in lines)}

    def sentences(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [line.split() for line in file]


def read_npy(path):
    """The shape and the numbers of a .npy file."""
    data = pathlib.Path(path).read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + length].decode("latin-1"))
    kind = {"|u1": "B", "<u2": "H", "<u4": "I", "<i4": "i", "<f4": "f"}[header["descr"]]
    numbers = array.array(kind)
    numbers.frombytes(data[10 + length:])
    return header["shape"], numbers


def write_npy(path, columns, numbers):
    """float32 rows with the given number of columns."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(numbers) // columns}, {columns}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin-1"))
        numbers.tofile(file)


def print_table(rows):
    """A list of dictionaries with the same keys."""
    heads = list(rows[0])
    table = [heads] + [[f"{value:.4f}" if isinstance(value, float) else str(value) for value in row.values()] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(heads))]
    for line in table:
        print("  ".join(cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(line, widths))))
