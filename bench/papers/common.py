"""What the scripts of this folder share: running the command, its CPU time, tables and pictures."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import plot_lines  # noqa: E402  (the folder above is not a package)


class Firth:
    """The command, and a folder for what it writes on the way."""

    def __init__(self, command, folder, threads):
        self.command, self.folder, self.threads = command, pathlib.Path(folder), threads

    def run(self, *arguments):
        words = [self.command, *map(str, arguments)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}\n{done.stderr}")
        return done.stdout

    def timed(self, *arguments):
        """CPU seconds, user and system, of one run."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(*arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def path(self, name):
        return self.folder / name

    def cluster(self, text, method, classes, *options):
        """The folder of a clustering; its CPU seconds are kept in `seconds`."""
        name = "-".join([pathlib.Path(str(text)).name, method, str(classes), *map(str, options)])
        folder = self.path(name.replace("/", "_"))
        limit = [] if "--min-count" in options or method in ("pos", "svd2") else ["--min-count", 1]  # the papers keep all words
        self.seconds = self.timed("cluster", text, "--method", method, "-c", classes, "-o", folder,
                                  "--threads", self.threads, *limit, *options)
        return folder

    def ami(self, classes, text, norm="bigrams", *options):
        return json.loads(self.run("evaluate", classes, "--text", text, "--json", *options))["ami"][norm]

    def gold(self, classes, gold, tag, *options):
        return json.loads(self.run("evaluate", classes, "--gold", gold, "--tag", tag, "--json", *options))["gold"]


def numbers(text):
    return [int(item) for item in text.split(",") if item]


def parser(description, *arguments):
    """A parser with FIRTH, the inputs that are named, and --out."""
    result = argparse.ArgumentParser(description=description.splitlines()[0])
    result.add_argument("firth", help="the command")
    for name in arguments:
        result.add_argument(name)
    result.add_argument("--threads", type=int, default=1, help="for clusterings; 0 = all cores")
    result.add_argument("--out", default=".", help="folder for the table (TSV) and the picture (SVG)")
    return result


class Report:
    """A table that is printed row by row and written as NAME.tsv; with draw() also as NAME.svg."""

    def __init__(self, out, name, columns):
        self.tsv = pathlib.Path(out) / f"{name}.tsv"
        self.tsv.parent.mkdir(parents=True, exist_ok=True)
        self.rows = []
        self.add(*columns)

    def add(self, *cells):
        self.rows.append([f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells])
        self.tsv.write_text("".join("\t".join(row) + "\n" for row in self.rows), encoding="utf-8")
        print("\t".join(self.rows[-1]), flush=True)

    def draw(self, title, y_title, **style):
        plot_lines.draw(self.tsv, self.tsv.with_suffix(".svg"), plot_lines.Style(title, y_title, **style))


def workspace(options):
    """A Firth whose files vanish with the block."""
    folder = tempfile.TemporaryDirectory()
    firth = Firth(options.firth, folder.name, options.threads)
    firth.keep = folder
    return firth
