"""What the runners of this folder share: inputs, jobs, running the command, and looking at what it left."""
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile

HIDDEN = re.compile(r"^\.firth-([a-z0-5]{12}\.part|journal)$")
MPI = "firth-mpi"  # as the first word of a command: that program, on one rank, instead of firth
COULD_NOT_START = 127
PATIENCE = 20  # seconds of the clock for a second of the processor
CHECKPOINT = "state"  # comes and goes while a result is made
# What differs from run to run without meaning anything.
TIMES = re.compile(rb',?\s*"((?:cpu_)?seconds|peak_memory_bytes)": [0-9.e+-]+|\n *"--resume": "true",')


def text(seed, words=3000, vocabulary=120):
    draw = random.Random(seed)
    ranks = [int(vocabulary ** draw.random()) for _ in range(words)]
    return "\n".join(" ".join(f"w{r}" for r in ranks[i:i + 12]) for i in range(0, words, 12)) + "\n"


def tagged(seed, sentences=60):
    draw = random.Random(seed)
    return "".join("".join(f"w{draw.randrange(30)}\tT{draw.randrange(4)}\n" for _ in range(8)) + "\n" for _ in range(sentences))


def trees(seed, count=60):
    draw = random.Random(seed)
    return "".join(f"( (S (NP (D d{draw.randrange(3)}) (N n{draw.randrange(9)})) (VP (V v{draw.randrange(5)}) "
                   f"(NP (N n{draw.randrange(9)})))))\n" for _ in range(count))


class Job:
    """A command that writes. {x} in its words becomes what differs between two results. `together`: the outputs appear all at once;
    `resume`: words that continue a run that was killed."""

    def __init__(self, name, words, outputs, variants=("1", "2"), together=True, resume=()):
        self.name, self.words, self.outputs, self.variants, self.together = name, words, outputs, variants, together
        self.resume = list(resume)

    def arguments(self, new):
        return [word.replace("{x}", self.variants[1 if new else 0]) for word in self.words]


JOBS = [
    Job("count", ["count", "text{x}.txt", "-o", "out"], ["out"]),
    Job("cluster", ["cluster", "text1.txt", "-c", "{x}", "--effort", "fast", "-o", "out"], ["out"], ("5", "8")),
    Job("cluster new parents", ["cluster", "text1.txt", "-c", "{x}", "--effort", "fast", "-o", "a/b/out"], ["a"], ("5", "8")),
    Job("flat cuts", ["cluster", "text1.txt", "-c", "{x}", "--effort", "fast", "--flat-cuts", "2,3", "-o", "out"], ["out"], ("5", "8")),
    Job("brown", ["cluster", "text{x}.txt", "-c", "5", "--method", "brown", "--trace", "trace", "-o", "out"], ["out", "trace"], together=False),
    Job("vectors", ["cluster", "text{x}.txt", "-c", "5", "--method", "spectral", "--write-vectors", "-o", "out"], ["out"]),
    Job("embed", ["embed", "text{x}.txt", "-d", "4", "-o", "out"], ["out"]),
    Job("tree", ["tree", "classes{x}", "text1.txt", "-o", "out"], ["out"]),
    Job("assign", ["assign", "--model", "model{x}", "text2.txt", "-o", "out"], ["out"]),
    Job("convert", ["convert", "model{x}", "out", "--to", "paths"], ["out"]),
    Job("convert to firth", ["convert", "model{x}", "out", "--to", "firth"], ["out"]),
    Job("sample brown", ["sample", "brown", "-n", "60", "-m", "4", "--tokens", "2000", "--seed", "{x}", "-o", "out"], ["out"]),
    Job("sample lpcfg", ["sample", "lpcfg", "--trees", "30", "--words", "20", "--seed", "{x}", "-o", "out"], ["out"]),
    Job("count merge", ["count", "--merge", "counts1", "counts{x}", "-o", "out"], ["out"]),
    Job("brown checkpoint", ["cluster", "text{x}.txt", "-c", "5", "--method", "brown", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("auto checkpoint", ["cluster", "text{x}.txt", "-c", "5", "--checkpoint", "out/state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("spectral checkpoint", ["cluster", "text{x}.txt", "-c", "5", "--method", "spectral", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("parse checkpoint", ["parse", "train", "trees{x}.mrg", "-m", "2", "--em-steps", "3", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("hmm checkpoint", ["hmm", "train", "text{x}.txt", "-c", "3", "--iterations", "4", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("embed word2vec", ["embed", "text{x}.txt", "-d", "3", "-o", "out", "--word2vec", "v.txt", "--word2vec-binary", "v.bin"],
        ["out", "v.txt", "v.bin"], together=False),
    Job("cluster word2vec", ["cluster", "text{x}.txt", "-c", "5", "--method", "spectral", "-o", "out", "--word2vec", "v.txt"], ["out", "v.txt"], together=False),
    Job("report", ["report", "model{x}", "--text", "text1.txt", "-o", "page.html", "--svg", "tree.svg"], ["page.html", "tree.svg"], together=False),
    Job("compare", ["compare", "model1", "model{x}", "--text", "text1.txt", "-o", "out"], ["out"]),
    Job("choose", ["choose", "text{x}.txt", "--max-classes", "8", "--svg", "out"], ["out"]),
    Job("sweep", ["evaluate", "model1", "--sweep", "2,{x}", "--gold", "tagged1.tsv", "--svg", "out"], ["out"], ("3", "4")),
    Job("lm train", ["lm", "train", "--words", "text{x}.txt", "-o", "out"], ["out"]),
    Job("lm count", ["lm", "count", "text{x}.txt", "-o", "out"], ["out"]),
    Job("lm count merge", ["lm", "count", "--merge", "ngrams1", "ngrams{x}", "-o", "out"], ["out"]),
    Job("lm train from counts", ["lm", "train", "--words", "--from-counts", "ngrams1", "ngrams{x}", "-o", "out"], ["out"]),
    Job("lm export", ["lm", "export", "class{x}.lm", "--arpa", "arpa", "--srilm-classes", "srilm"], ["arpa", "srilm"], together=False),
    Job("lm export all", ["lm", "export", "class{x}.lm", "text1.txt", "--expanded-arpa", "expanded", "--prune", "0.001", "--map-text", "mapped", "--model", "again"],
        ["expanded", "mapped", "again"], together=False),
    Job("lm export quantised", ["lm", "export", "class{x}.lm", "--firth", "out", "--quantize", "--held-out", "text2.txt"], ["out"]),
    Job("lm mix", ["lm", "mix", "class{x}.lm", "word.lm", "--held-out", "text2.txt", "-o", "out"], ["out"]),
    Job("hmm train", ["hmm", "train", "text{x}.txt", "-c", "3", "--iterations", "2", "-o", "out"], ["out"]),
    Job("tag train", ["tag", "train", "tagged{x}.tsv", "-o", "out"], ["out"]),
    Job("parse train", ["parse", "train", "trees{x}.mrg", "--algorithm", "pcfg", "-o", "out"], ["out"]),
    Job("phrases", ["phrases", "text{x}.txt", "--min-count", "2", "--threshold", "0.1", "-o", "out"], ["out"]),
    Job("convert to codes", ["convert", "model{x}", "out.npy", "--to", "codes"], ["out.npy", "out.vocab"], together=False),
    Job("convert to ids", ["convert", "model{x}", "out", "--to", "ids", "--id-names", "names"], ["out"]),
    Job("convert to depth", ["convert", "model{x}", "out", "--to", "depth=2"], ["out"]),
    Job("convert to mkcls", ["convert", "model{x}", "out", "--to", "mkcls"], ["out", "out.cats"], together=False),
    Job("convert to newick", ["convert", "model{x}", "out", "--to", "newick"], ["out"]),
    Job("several cuts", ["convert", "model{x}", "out", "--to", "paths", "--cut", "2,3"], ["out"]),
    Job("cluster mkcls", ["cluster", "text{x}.txt", "-c", "5", "--effort", "fast", "--mkcls", "vcb", "-o", "out"], ["out", "vcb", "vcb.cats"], together=False),
    Job("pipeline", ["pipeline", "text{x}.txt", "--labelled", "tagged1.tsv", "-c", "4", "--passes", "1", "-o", "out"], ["out"]),
    Job("embed checkpoint", ["embed", "text{x}.txt", "-d", "4", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]),
    Job("cluster vectors", ["cluster", "--vectors", "vectors", "-c", "{x}", "-o", "out"], ["out"], ("5", "8")),
    Job("cluster vectors kmeans", ["cluster", "--vectors", "vectors.txt", "--method", "kmeans", "-c", "{x}", "-o", "out"], ["out"], ("5", "8")),
    Job("assign vectors", ["assign", "means{x}", "--vectors", "vectors", "-o", "out"], ["out"]),
    Job("prototypes", ["prototypes", "model{x}", "text1.txt", "-o", "out"], ["out"]),
    Job("compare methods", ["compare", "text1.txt", "--methods", "brown", "--classes", "{x}", "-o", "out"], ["out/brown-3-seed1", "out/brown-4-seed1"], ("3", "3,4"),
        together=False),
    Job("lm add-words", ["lm", "add-words", "class{x}.lm", "new.txt", "-o", "out"], ["out"]),
    Job("mixture to ARPA", ["lm", "export", "mixed{x}.lm", "--expanded-arpa", "out", "--prune", "0.001"], ["out"]),
    Job("mpi count", [MPI, "count", "text{x}.txt", "-o", "out"], ["out"]),
    Job("mpi cluster", [MPI, "cluster", "text1.txt", "-c", "{x}", "--effort", "fast", "-o", "out"], ["out"], ("5", "8")),
]


class Server:
    """command_server.cpp, which runs commands without starting a program for each."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([os.path.abspath(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.files = [folder / ".server-out", folder / ".server-err"]

    def run(self, arguments, folder, timeout):
        fields = [str(folder), *map(str, self.files), str(round(timeout)), *arguments]
        self.process.stdin.write("\x1f".join(fields) + "\n")
        self.process.stdin.flush()
        code = int(self.process.stdout.readline())
        out, err = (path.read_bytes().decode(errors="replace") for path in self.files)
        return (None, "", "it hung") if code in (-signal.SIGALRM, -signal.SIGXCPU) else (code, out, err)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Workshop:
    """A folder with the inputs of all jobs. With a server, commands without limits run there."""

    def __init__(self, command, server=None):
        self.server = None
        self.command = os.path.abspath(command)
        self.mpi = os.path.join(os.path.dirname(self.command), MPI)
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="firth-robustness-"))
        if server:
            self.server = Server(server, self.path)
        for seed in (1, 2):
            (self.path / f"text{seed}.txt").write_text(text(seed))
            (self.path / f"tagged{seed}.tsv").write_text(tagged(seed))
            (self.path / f"trees{seed}.mrg").write_text(trees(seed))
            (self.path / "names").write_text("".join(f"w{i}\n" for i in range(200)))
            (self.path / "lists.txt").write_text("".join(f"{i // 3} ||| w{i} w{i + 1} ||| Dist= -{i} LM0= -2.5 ||| -{i}\n" for i in range(60)))
            (self.path / "new.txt").write_text("new1\tw3\nnew2\tw4\t0.01\n")
            self.must(["count", f"text{seed}.txt", "-o", f"counts{seed}"])
            self.must(["lm", "count", f"text{seed}.txt", "-o", f"ngrams{seed}"])
        for seed, classes in ((1, 4), (2, 6)):
            self.must(["cluster", "text1.txt", "-c", str(classes), "--effort", "fast", "-o", f"model{seed}"])
            self.must(["convert", f"model{seed}", f"classes{seed}", "--to", "classes"])
            self.must(["lm", "train", "--classes", f"model{seed}", "text1.txt", "-o", f"class{seed}.lm"])
        self.must(["lm", "train", "--words", "text1.txt", "--order", "2", "-o", "word.lm"])
        self.must(["lm", "export", "class1.lm", "--firth", "small.lm", "--quantize"])
        self.must(["embed", "text1.txt", "-d", "3", "-o", "vectors", "--word2vec", "vectors.txt"])
        for seed, classes in ((1, 4), (2, 6)):
            self.must(["lm", "mix", f"class{seed}.lm", "word.lm", "--weights", "0.5,0.5", "-o", f"mixed{seed}.lm"])
            self.must(["cluster", "--vectors", "vectors", "-c", str(classes), "-o", f"means{seed}"])
        self.must(["prototypes", "model1", "text1.txt", "-o", "prototypes.tsv"])
        (self.path / "tagged-prototypes.tsv").write_text((self.path / "prototypes.tsv").read_text().replace("\t?\t", "\tN\t"))
        self.must(["phrases", "text1.txt", "--min-count", "2", "--threshold", "0.1", "-o", "joined.txt"])
        self.must(["hmm", "train", "text1.txt", "-c", "3", "--iterations", "2", "-o", "hmm"])
        self.must(["tag", "train", "tagged1.tsv", "-o", "tagger"])
        self.must(["tag", "train", "tagged1.tsv", "--clusters", "model1", "--vectors", "vectors", "--passes", "1", "-o", "rich-tagger"])
        self.must(["parse", "train", "trees1.mrg", "--algorithm", "pcfg", "-o", "grammar"])
        self.must(["parse", "train", "trees1.mrg", "--algorithm", "spectral", "-m", "2", "-o", "latent-grammar"])

    def program(self, arguments):
        return [self.mpi] + arguments[1:] if arguments[0] == MPI else [self.command] + arguments

    def jobs(self, names=()):
        """Those named, or all but those of firth-mpi: Open MPI starts a daemon for each, which fails at times on its own."""
        return [job for job in JOBS if (job.name in names if names else job.words[0] != MPI)]

    def close(self):
        if self.server:
            self.server.close()
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, arguments, folder=None, limit=None, environment=None, timeout=60, **options):
        """Exit code (negative: a signal; None: it hung), standard output, standard error. `timeout`: seconds of one processor, since
        a process that waits for others, or is stopped for a while, does not hang."""
        if self.server and arguments[0] != MPI and limit is None and not environment and not options:
            return self.server.run(arguments, folder or self.path, timeout)
        options.setdefault("stdin", subprocess.DEVNULL)

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout + 1))
            if limit:
                limit()

        try:
            process = subprocess.Popen(self.program(arguments), cwd=folder or self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**os.environ, **(environment or {})}, preexec_fn=limits, **options)
        except BlockingIOError:  # the limit of processes is reached before the command starts
            return COULD_NOT_START, "", "no process could be started"
        try:
            out, err = process.communicate(timeout=PATIENCE * timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, "", "it hung"
        if process.returncode == -signal.SIGXCPU:
            return None, "", "it hung"
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")

    def kill_after(self, seconds, arguments, folder, environment):
        """Exit code of a run that is killed if it takes longer than that."""
        process = subprocess.Popen(self.program(arguments), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env={**os.environ, **environment})
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait()

    def must(self, arguments, folder=None):
        code, _, err = self.run(arguments, folder)
        if code != 0:
            raise AssertionError(f"{' '.join(arguments)}: exit code {code}: {err}")

    def fresh_folder(self):
        """A copy of the inputs by links, for one run."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.path, prefix="run-"))
        for entry in self.path.iterdir():
            if not entry.name.startswith(("run-", ".server-")):
                os.symlink(entry, folder / entry.name)
        return folder


def normal(path, data):
    return TIMES.sub(b"", data) if path.name == "run.json" else data


def snapshot(folder, names):
    """Content of all files below the outputs, hidden names of Firth left out."""
    found = {}
    for name in names:
        top = folder / name
        for path in ([top] if top.is_file() else sorted(top.rglob("*")) if top.is_dir() else []):
            if path.is_file() and path.name != CHECKPOINT and not HIDDEN.match(path.name) and not any(HIDDEN.match(p) for p in path.parts):
                found[str(path.relative_to(folder))] = hashlib.sha256(normal(path, path.read_bytes())).hexdigest()
    return found


def litter(folder):
    """Everything that is not an input or an output, by its path."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                  if not path.is_symlink() and any(HIDDEN.match(p) or p.endswith(".part") for p in path.parts))


def empty_folders(folder):
    return [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_dir() and not p.is_symlink() and not any(p.iterdir())]


def evenly(count, wanted, seed):
    """Numbers from 1 to count: all of them, or `wanted` at random places, the first and the last among them."""
    if wanted <= 0 or count <= wanted:
        return list(range(1, count + 1))
    draw = random.Random(seed)
    return sorted({1, count, *draw.sample(range(1, count + 1), wanted)})


class Tally:
    """Counts tries, keeps failures."""

    def __init__(self, title):
        self.title, self.tries, self.failures = title, 0, []

    def check(self, condition, message):
        if not condition:
            self.failures.append(message)

    def show(self, place):
        """How far a long run is."""
        print(f"{place}: {self.tries} tries, {len(self.failures)} failures so far", flush=True)

    def finish(self):
        for failure in self.failures[:40]:
            print("FAILED", failure)
        print(f"{self.title}: {self.tries} tries, {len(self.failures)} failures")
        return 1 if self.failures else 0


def limit_of(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


def load_json(path):
    return json.loads(path.read_text())
