#!/usr/bin/env python3
"""Damages every kind of file and reads it: an error that names the file, or a result; for files with checksums always the error.

damage.py --command FIRTH [--server PROGRAM] [--tries N] [--kind NAME] [--seed N]
  --server PROGRAM  firth_command_server of the same build, which is many times as fast with sanitizers
  --tries N         damaged files of each kind (default 12)
  --seed N          other damages
"""
import argparse
import gzip
import lzma
import os
import random
import shutil
import struct
import sys

import campaign


class Kind:
    """A file that is made (by commands, by what it contains, or as a copy), damaged and read. `checked`: every damage must be noticed."""

    def __init__(self, name, make, file, read, checked=False):
        self.name, self.make, self.file, self.read, self.checked = name, make, file, read, checked

    def write(self, workshop, folder):
        if isinstance(self.make, bytes):
            (folder / self.file).write_bytes(self.make)
            return
        if isinstance(self.make, str):
            shutil.copy(folder / self.make, folder / self.file)
            return
        for arguments in self.make:
            workshop.must(arguments, folder)


TEXT = campaign.text(1, words=400)
LINES = [line.split() for line in TEXT.splitlines()]
JSON_LINES = "".join(f'{{"id": {i}, "text": "{" ".join(line)}"}}\n' for i, line in enumerate(LINES)).encode()
CSV = b"id,text\n" + "".join(f'{i},"{" ".join(line)}, ""so"""\n' for i, line in enumerate(LINES)).encode()
COLUMNS = "".join("".join(f"{word}\tX\t{i}\n" for i, word in enumerate(line)) + "\n" for line in LINES).encode()
CONLLU = "".join("# text\n" + "".join(f"{i + 1}\t{word}\t_\tNOUN\tN\t_\t0\troot\t_\t_\n" for i, word in enumerate(line)) + "\n" for line in LINES).encode()
IDS = [[int(word[1:]) for word in line] for line in LINES]
COUNT_TABLE = "".join(f"{left} {right} {len(left) + len(right)}\n" for line in LINES for left, right in zip(line, line[1:])).encode()
NAMES = "".join(f"name{i}\n" for i in range(200)).encode()
WORDS = "".join(f"w{i}\n" for i in range(1, 60)).encode()
RULES = b"together w1 w2\napart w3 w4\nseed S w5 w6\nout w7\n# a comment\n" + b"".join(b"apart w%d w%d\n" % (i, i + 1) for i in range(10, 40))
PHRASES = "".join(f"{left}\t{right}\t2\t3\t3\t0.5\t1\n" for line in LINES for left, right in zip(line[::4], line[1::4])).encode()
HYPOTHESES = "".join(f"{i} ||| {' '.join(line[:length])} ||| Dist= {-i / 8} LM0= -{length}.5 1e-3 ||| -{i}\n" for i, line in enumerate(LINES) for length in (3, 4)).encode()
REFERENCES = "".join(f"{i}\t{' '.join(line[:4])}\n" for i, line in enumerate(LINES)).encode()
COUNT = ["count", "f", "-o", "c"]


KINDS = [
    Kind("counts", [["count", "text1.txt", "-o", "f"]], "f", ["evaluate", "model1", "--text", "f"], checked=True),
    Kind("language model", [["lm", "train", "--words", "text1.txt", "-o", "f"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("quantised model", [["lm", "train", "--words", "text1.txt", "-o", "w"], ["lm", "export", "w", "--firth", "f", "--quantize"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("n-grams", [["lm", "count", "text1.txt", "-o", "f"]], "f", ["lm", "train", "--words", "--from-counts", "f", "-o", "m"], checked=True),
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
    Kind("json", [["convert", "model1", "f", "--to", "json"]], "f", ["convert", "f", "-", "--to", "classes"]),
    Kind("folder: classes", [["convert", "model1", "d", "--to", "firth"]], "d/classes.tsv", ["convert", "d", "-", "--to", "classes"]),
    Kind("folder: paths", [["convert", "model1", "d", "--to", "firth"]], "d/paths", ["convert", "d", "-", "--to", "classes"]),
    Kind("folder: merges", [["convert", "model1", "d", "--to", "firth"]], "d/merges.tsv", ["convert", "d", "-", "--to", "classes"]),
    Kind("vectors", [["embed", "text1.txt", "-d", "4", "-o", "d"]], "d/vectors.npy", ["nearest", "d", "w1"]),
    Kind("vector words", [["embed", "text1.txt", "-d", "4", "-o", "d"]], "d/vectors.vocab", ["nearest", "d", "w1"]),
    Kind("text", [["convert", "model1", "f", "--to", "paths"]], "f", ["count", "f", "-o", "c"]),
    Kind("gzip", gzip.compress(TEXT.encode()), "f", COUNT),
    Kind("xz", lzma.compress(TEXT.encode()), "f", COUNT),
    Kind("JSON lines", JSON_LINES, "f", COUNT + ["--format", "jsonl"]),
    Kind("CSV", CSV, "f", COUNT + ["--format", "csv"]),
    Kind("columns", COLUMNS, "f", COUNT + ["--format", "columns"]),
    Kind("CoNLL-U", CONLLU, "f", COUNT + ["--format", "conllu"]),
    Kind("ids", "".join(" ".join(map(str, line)) + "\n" for line in IDS).encode(), "f", COUNT + ["--format", "ids", "--id-names", "names"]),
    Kind("binary ids", b"".join(struct.pack(f"<{len(line)}H", *line) for line in IDS), "f", COUNT + ["--format", "u16", "--id-names", "names"]),
    Kind("names of ids", NAMES, "f", ["count", "ids", "--format", "ids", "--id-names", "f", "-o", "c"]),
    Kind("count table", COUNT_TABLE, "f", COUNT + ["--format", "counts"]),
    Kind("vocabulary", WORDS, "f", ["count", "text1.txt", "--vocab", "f", "-o", "c"]),
    Kind("order", WORDS, "f", ["cluster", "text1.txt", "-c", "3", "--method", "brown", "--order", "f", "-o", "out"]),
    Kind("constraints", RULES, "f", ["cluster", "text1.txt", "-c", "40", "--effort", "fast", "--constraints", "f", "-o", "out"]),
    Kind("checkpoint", [["cluster", "text1.txt", "-c", "4", "--checkpoint", "f", "-o", "out"]], "f",
         ["cluster", "text1.txt", "-c", "4", "--checkpoint", "f", "--resume", "-o", "out"], checked=True),
    Kind("checkpoint of hmm", [["hmm", "train", "text1.txt", "-c", "3", "--iterations", "3", "--checkpoint", "f", "-o", "m"]], "f",
         ["hmm", "train", "text1.txt", "-c", "3", "--iterations", "3", "--checkpoint", "f", "--resume", "-o", "m"], checked=True),
    Kind("checkpoint of vectors", [["embed", "text1.txt", "-d", "4", "--checkpoint", "f", "-o", "d"]], "f",
         ["embed", "text1.txt", "-d", "4", "--checkpoint", "f", "--resume", "-o", "d"], checked=True),
    Kind("checkpoint of a grammar", [["parse", "train", "trees1.mrg", "-m", "2", "--em-steps", "2", "--checkpoint", "f", "-o", "m"]], "f",
         ["parse", "train", "trees1.mrg", "-m", "2", "--em-steps", "2", "--checkpoint", "f", "--resume", "-o", "m"], checked=True),
    Kind("mixture", [["lm", "mix", "class1.lm", "word.lm", "--weights", "0.5,0.5", "-o", "f"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("tagger with vectors", [["tag", "train", "tagged1.tsv", "--vectors", "vectors", "--clusters", "model1", "-o", "f"]], "f",
         ["tag", "run", "f", "tagged2.tsv"], checked=True),
    Kind("latent grammar", [["parse", "train", "trees1.mrg", "--algorithm", "spectral", "-m", "2", "-o", "f"]], "f", ["parse", "run", "f", "text2.txt"], checked=True),
    Kind("folder: bigrams", [["convert", "model1", "d", "--to", "firth"], ["cluster", "text1.txt", "-c", "4", "--effort", "fast", "-o", "d"]], "d/bigrams.tsv",
         ["assign", "--model", "d", "text2.txt", "-o", "out"]),
    Kind("folder: run.json", [["cluster", "text1.txt", "-c", "4", "--effort", "fast", "-o", "d"]], "d/run.json", ["report", "d", "-o", "page"]),
    Kind("word2vec text", [["embed", "text1.txt", "-d", "3", "-o", "v", "--word2vec", "f"]], "f", ["nearest", "f", "w1"]),
    Kind("word2vec binary", [["embed", "text1.txt", "-d", "3", "-o", "v", "--word2vec-binary", "f"]], "f", ["nearest", "f", "w1"]),
    Kind("page", [["report", "model1", "-o", "f"]], "f", ["convert", "f", "-", "--to", "paths"]),
    Kind("zstd", [["convert", "model1", "f.zst", "--to", "classes"]], "f.zst", ["convert", "f.zst", "-", "--to", "classes", "--from", "classes"]),
    Kind("phrases", [["phrases", "text1.txt", "--min-count", "2", "-o", "joined"]], "joined", ["count", "joined", "-o", "c"]),
    Kind("list of phrases", PHRASES, "f", ["phrases", "text1.txt", "--list", "f", "-o", "joined"]),
    Kind("prototypes", "tagged-prototypes.tsv", "f", ["tag", "apply", "f", "model1", "text2.txt"]),
    Kind("new words", b"".join(b"new%d\tw%d\t0.01\n" % (i, i) for i in range(1, 9)), "f", ["lm", "add-words", "class1.lm", "f", "-o", "m"]),
    Kind("model with new words", [["lm", "add-words", "class1.lm", "new.txt", "-o", "f"]], "f", ["lm", "score", "f", "text2.txt"], checked=True),
    Kind("folder: means", [["cluster", "--vectors", "vectors", "-c", "4", "-o", "d"]], "d/means-cosine.npy", ["assign", "d", "--vectors", "vectors"]),
    Kind("folder: words of means", [["cluster", "--vectors", "vectors", "-c", "4", "-o", "d"]], "d/means-cosine.vocab", ["assign", "d", "--vectors", "vectors"]),
    Kind("vectors to cluster", [["embed", "text1.txt", "-d", "4", "-o", "d"]], "d/vectors.npy", ["cluster", "--vectors", "d", "-c", "4", "-o", "out"]),
    Kind("folder: preprocessing", [["cluster", "text1.txt", "-c", "4", "--effort", "fast", "-o", "d"]], "d/preprocessing.txt",
         ["assign", "d", "text2.txt", "-o", "out"]),
    Kind("names of classes' ids", b"w0\n" + WORDS, "f", ["convert", "model1", "out", "--to", "ids", "--id-names", "f"]),
    Kind("names", NAMES, "f", ["tag", "train", "tagged1.tsv", "--lexicon", "f", "-o", "m"]),
    Kind("ARPA of a mixture", [["lm", "export", "mixed1.lm", "--expanded-arpa", "f", "--prune", "0.001"]], "f", ["lm", "score", "f", "text2.txt"]),
    Kind("mkcls", [["convert", "model1", "f", "--to", "mkcls"]], "f", ["convert", "f", "-", "--to", "classes", "--from", "mkcls"]),
    Kind("compared run", [["compare", "text1.txt", "--methods", "brown", "--classes", "3", "-o", "d"]], "d/brown-3-seed1/run.json",
         ["compare", "text1.txt", "--methods", "brown", "--classes", "3", "-o", "d"]),
    Kind("counts of firth-mpi", [[campaign.MPI, "count", "text1.txt", "-o", "f"]], "f", [campaign.MPI, "cluster", "f", "-c", "3", "--effort", "fast", "-o", "out"], checked=True),
    Kind("tagged", campaign.tagged(3).encode(), "f", ["tag", "train", "f", "-o", "m"]),
    Kind("gold", campaign.tagged(3).encode(), "f", ["evaluate", "model1", "--gold", "f"]),
    Kind("guessed trees", campaign.trees(1).encode(), "f", ["parse", "score", "trees1.mrg", "f"]),
    Kind("lists of hypotheses", HYPOTHESES, "f", ["lm", "rescore", "class1.lm", "f"]),
    Kind("references", REFERENCES, "f", ["lm", "rescore", "class1.lm", "hypotheses", "--held-out", "hypotheses", "--references", "f"]),
    Kind("other clustering", [["convert", "model2", "f", "--to", "paths"]], "f", ["report", "model1", "--compare", "f", "-o", "page"]),
    Kind("labelled sentences", campaign.tagged(3).encode(), "f", ["pipeline", "text1.txt", "--labelled", "f", "-c", "4", "--passes", "1", "-o", "out"]),
    Kind("start of a search", [["convert", "model1", "f", "--to", "paths"]], "f", ["cluster", "text1.txt", "-c", "4", "--method", "exchange", "--init", "f", "-o", "out"]),
    Kind("classes to train with", [["convert", "model1", "f", "--to", "classes"]], "f", ["lm", "train", "--classes", "f", "text1.txt", "-o", "m"]),
    Kind("classes of an ARPA file", [["lm", "export", "class1.lm", "--arpa", "a", "--srilm-classes", "f"]], "f", ["lm", "score", "a", "--classes", "f", "text2.txt"]),
    Kind("classes of a tagger", [["convert", "model1", "f", "--to", "merges"]], "f", ["tag", "train", "tagged1.tsv", "--clusters", "f", "--passes", "1", "-o", "m"]),
    Kind("sentences to score on", campaign.tagged(3).encode(), "f", ["tag", "train", "tagged1.tsv", "--dev", "f", "--passes", "1", "-o", "m"]),
    Kind("tests to compare on", campaign.tagged(3).encode(), "f", ["tag", "compare", "tagged1.tsv", "--test", "f", "--passes", "1", "--bootstrap", "5"]),
    Kind("sentences to choose by", campaign.tagged(3).encode(), "f", ["choose", "text1.txt", "--max-classes", "3", "--train", "f", "--dev", "tagged1.tsv"]),
    Kind("GloVe", b"".join(b"w%d 0.5 1.5 -%d.25\n" % (i, i) for i in range(1, 40)), "f", ["nearest", "f", "w1"]),
    Kind("sequences", campaign.tagged(3).encode(), "f", ["parse", "train", "f", "--sequences", "--algorithm", "pcfg", "-o", "m"]),
    Kind("tagger to score", "tagger", "f", ["tag", "score", "--model", "f", "tagged2.tsv"], checked=True),
    Kind("another grammar", "grammar", "f", ["parse", "run", "grammar", "--with", "f", "text2.txt"], checked=True),
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
        self.workshop = campaign.Workshop(options.command, options.server)
        self.tries, self.first_seed = options.tries, options.seed
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
        (folder / "ids").write_text("\n".join(" ".join(map(str, line)) for line in IDS) + "\n")
        (folder / "names").write_bytes(NAMES)
        (folder / "hypotheses").write_bytes(HYPOTHESES)
        kind.write(self.workshop, folder)
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
        self.tally.show(kind.name)
        shutil.rmtree(folder)

    def run(self, names):
        for seed, kind in enumerate(KINDS):
            built = kind.read[0] != campaign.MPI or os.path.exists(self.workshop.mpi)
            if built and (not names or kind.name in names):
                self.attack(kind, self.first_seed + seed)
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--server")
    parser.add_argument("--tries", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", action="append", default=[])
    options = parser.parse_args()
    sys.exit(Runner(options).run(options.kind))


if __name__ == "__main__":
    main()
