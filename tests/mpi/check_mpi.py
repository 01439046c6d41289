#!/usr/bin/env python3
"""firth-mpi against firth, byte for byte, and what happens when ranks fail.

check_mpi.py --firth FIRTH --firth-mpi FIRTH_MPI [--mpirun mpirun] [--ranks 1,2,3,4] [--kills 2] [NAME...]   (all checks, or those named)

Exit 77 = skipped: there is no mpirun. `--kills 50` is the long form of the check with the same name.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

RESULT_FILES = ("paths", "classes.tsv", "merges.tsv", "bigrams.tsv")
PATIENCE = int(os.environ.get("FIRTH_PATIENCE", "5"))
SEARCH = ["-c", "30", "--effort", "normal", "--seed", "7", "--threads", "1"]
KILLED_SEARCH = ["-c", "40", "--effort", "high", "--seed", "7", "--threads", "1"]
RANK_TIMEOUT = str(2 * PATIENCE)  # a rank of a busy machine may be silent for some seconds
LONG_SEARCH = ["-c", "60", "--effort", "max", "--seed", "7", "--threads", "1"]


def launcher_environment():
    """Open MPI's daemons share a map of the machine through memory at a guessed address, and crash now and then where it is taken: off."""
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rtc="^hwloc",
                OMPI_MCA_btl_vader_single_copy_mechanism="none", OPENBLAS_NUM_THREADS="1")


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def send_signal(pid, number):
    """To a process that may have ended by itself."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def write_text(path, words, lines, seed):
    """Words of hidden classes that follow each other, so that there is something to find."""
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(lines):
            kind = rng.randrange(12)
            line = []
            for _ in range(rng.randrange(1, 30)):
                kind = (3 * kind + 1 + rng.randrange(2)) % 12 if rng.random() < 0.8 else rng.randrange(12)
                line.append(f"c{kind}w{int(rng.random() * rng.random() * words)}")
            file.write(" ".join(line) + "\n")


class Shop:
    """The commands, a folder with texts, and the launcher."""

    def __init__(self, options, folder):
        self.firth = os.path.abspath(options.firth)
        self.firth_mpi = os.path.abspath(options.firth_mpi)
        self.ranks = [int(n) for n in options.ranks.split(",")]
        self.kills = options.kills
        self.mpirun = options.mpirun
        self.turn = 0
        self.folder = pathlib.Path(folder)
        version = subprocess.run([self.mpirun, "--version"], capture_output=True, text=True).stdout
        self.open_mpi = "Open MPI" in version or "OpenRTE" in version
        self.environment = launcher_environment()
        write_text(self.folder / "text.txt", 60, 4000, 1)
        write_text(self.folder / "more.txt", 90, 2500, 2)

    def some_ranks(self):
        """One number of ranks, another one at every call; all of them in the long form."""
        if self.kills > 2:
            return self.ranks
        self.turn += 1
        return [self.ranks[self.turn % len(self.ranks)]]

    def launcher(self, ranks):
        extra = ["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"] if self.open_mpi else []
        return [self.mpirun, *extra, "-n", str(ranks)]

    def run(self, command, **settings):
        environment = dict(self.environment, **settings.pop("environment", {}))
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120 * PATIENCE, **settings)

    def alone(self, *arguments):
        done = self.run([self.firth, *arguments])
        expect(done.returncode == 0, f"firth {arguments}: {done.stderr}")

    def on_ranks(self, ranks, *arguments, **settings):
        return self.run(self.launcher(ranks) + [self.firth_mpi, *arguments], **settings)

    def must_on_ranks(self, ranks, *arguments, **settings):
        done = self.on_ranks(ranks, *arguments, **settings)
        expect(done.returncode == 0, f"{ranks} ranks, {arguments}: exit code {done.returncode}\n{done.stderr}")
        return done

    def start_on_ranks(self, ranks, *arguments):
        return subprocess.Popen(self.launcher(ranks) + [self.firth_mpi, *arguments], cwd=self.folder, env=self.environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def rank_processes(self, job, wanted):
        """The process ids of the ranks of a running job, once all of them are there."""
        until = time.time() + 60 * PATIENCE
        while time.time() < until and job.poll() is None:
            found = [pid for pid in children(job.pid) if is_program(pid, self.firth_mpi)]
            if len(found) == wanted:
                return sorted(found)
            time.sleep(0.05)
        raise AssertionError(f"the ranks did not start: {job.stderr.read() if job.poll() is not None else 'too slow'}")

    def expect_same_folder(self, wanted, found, what):
        for name in RESULT_FILES:
            same = (self.folder / wanted / name).read_bytes() == (self.folder / found / name).read_bytes()
            expect(same, f"{what}: {name} differs")


def children(pid):
    """All processes below one."""
    below = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        below.append((int(entry.parent.name), int(fields[1])))
    found, new = [], {pid}
    while new:
        new = {child for child, parent in below if parent in new}
        found += new
    return found


def is_program(pid, program):
    try:
        return os.readlink(f"/proc/{pid}/exe") == os.path.realpath(program)
    except OSError:
        return False


def count(shop):
    """The bytes of `firth count`, whatever the options."""
    cases = {"lines": [], "stream": ["--stream", "--distances", "1,2"], "small": ["--memory", "64M", "--threads", "2"],
             "rare": ["--min-count", "3", "--lowercase"], "drop": ["--min-count", "3", "--rare", "drop"]}
    for name, options in cases.items():
        shop.alone("count", "text.txt", "more.txt", "-o", f"{name}.counts", *options)
        wanted = (shop.folder / f"{name}.counts").read_bytes()
        for ranks in shop.ranks if name == "lines" else shop.some_ranks():
            shop.must_on_ranks(ranks, "count", "text.txt", "more.txt", "-o", "out.counts", *options)
            expect((shop.folder / "out.counts").read_bytes() == wanted, f"count {name} on {ranks} ranks")


def ngrams(shop):
    """The bytes of `firth lm count`, and a model from the file."""
    cases = {"three": [], "five": ["--order", "5", "--memory", "1M", "--lowercase"], "stream": ["--stream", "--order", "2"],
             "bare": ["--order", "2", "--no-boundaries"]}
    for name, options in cases.items():
        shop.alone("lm", "count", "text.txt", "more.txt", "-o", f"{name}.ngrams", *options)
        wanted = (shop.folder / f"{name}.ngrams").read_bytes()
        for ranks in shop.ranks if name == "three" else shop.some_ranks():
            pieces = {"FIRTH_MPI_MAX_MESSAGE": "1000"} if ranks == 3 else {}
            shop.must_on_ranks(ranks, "lm", "count", "text.txt", "more.txt", "-o", "out.ngrams", *options, environment=pieces)
            expect((shop.folder / "out.ngrams").read_bytes() == wanted, f"lm count {name} on {ranks} ranks")
    shop.must_on_ranks(max(shop.ranks), "lm", "count", "text.txt", "-o", "text.ngrams")
    shop.must_on_ranks(1, "lm", "train", "--words", "--from-counts", "text.ngrams", "-o", "counted.lm")
    shop.alone("lm", "train", "--words", "text.txt", "-o", "text.lm")
    expect((shop.folder / "counted.lm").read_bytes() == (shop.folder / "text.lm").read_bytes(), "a model from n-grams counted on ranks differs")
    done = shop.on_ranks(2, "lm", "count", "--merge", "three.ngrams", "-o", "none")
    expect(done.returncode == 2 and "lm count --merge" in done.stderr and not (shop.folder / "none").exists(), done.stderr)


def cluster(shop):
    """The bytes of `firth cluster` from text and from counts, also when every message has to go in pieces."""
    shop.alone("count", "text.txt", "-o", "text.counts")
    cases = {"auto": SEARCH, "exchange": ["-c", "25", "--method", "exchange", "--init", "random", "--restarts", "4", "--seed", "3"],
             "fast": ["-c", "60", "--effort", "fast", "--boundaries", "--flat-cuts", "10,20"]}
    for name, options in cases.items():
        shop.alone("cluster", "text.txt", "-o", name, *options)
        for ranks in shop.ranks if name == "auto" else shop.some_ranks():
            source = "text.txt" if ranks % 2 == 0 else "text.counts"
            pieces = {"FIRTH_MPI_MAX_MESSAGE": "1000"} if ranks == 3 else {}
            shutil.rmtree(shop.folder / "out", ignore_errors=True)
            shop.must_on_ranks(ranks, "cluster", source, "-o", "out", *options, environment=pieces)
            shop.expect_same_folder(name, "out", f"{name} on {ranks} ranks")
            if name == "fast":
                same = (shop.folder / "out/flat-10.tsv").read_bytes() == (shop.folder / "fast/flat-10.tsv").read_bytes()
                expect(same, "flat cuts differ")


def sharded(shop):
    """The same bytes when every rank holds a part of the neighbour lists; what cannot be done so is refused."""
    shop.alone("count", "text.txt", "-o", "text.counts")
    (shop.folder / "rules.txt").write_text("together c0w0 c1w1\napart c2w0 c2w1 c2w2 c2w3\nout c3w3\n")
    cases = {"auto": SEARCH, "exchange": ["-c", "25", "--method", "exchange", "--init", "random", "--restarts", "2", "--seed", "3"],
             "rules": ["-c", "30", "--boundaries", "--constraints", "rules.txt", "--flat-cuts", "10"]}
    for name, options in cases.items():
        shop.alone("cluster", "text.counts", "-o", name, *options)
        for ranks in [n for n in shop.ranks if n > 1] if name == "auto" else [max(shop.ranks)]:
            source = "text.txt" if ranks == 2 else "text.counts"
            shutil.rmtree(shop.folder / "out", ignore_errors=True)
            shop.must_on_ranks(ranks, "--shard-lists", "cluster", source, "-o", "out", *options)
            shop.expect_same_folder(name, "out", f"{name} with sharded lists on {ranks} ranks")
    done = shop.must_on_ranks(2, "--shard-lists", "cluster", "text.counts", "-o", "none", "-c", "30", "--dry-run")
    expect("each of 2 ranks" in done.stdout, done.stdout)
    for options in (["-c", "auto"], ["-c", "5", "--method", "spectral"], ["-c", "5", "--class-size", "equal"]):
        done = shop.on_ranks(2, "--shard-lists", "cluster", "text.counts", "-o", "none", *options)
        expect(done.returncode == 2 and "shard" in done.stderr, f"{options}: {done.returncode}: {done.stderr}")
    done = shop.on_ranks(2, "--shard-lists", "count", "text.txt", "-o", "none")
    expect(done.returncode == 2 and "--shard-lists" in done.stderr, done.stderr)
    expect(not (shop.folder / "none").exists(), "output of a command that was refused")


def spectral(shop):
    """The bytes of `firth embed` and `firth cluster --method spectral`: rows in several groups, single precision."""
    write_text(shop.folder / "wide.txt", 700, 4000, 3)
    shop.alone("embed", "wide.txt", "-o", "vectors", "-d", "8")
    method = ["--method", "spectral", "-c", "10", "--min-count", "1"]
    shop.alone("cluster", "wide.txt", "-o", "spectral", *method)
    for ranks in shop.ranks:
        shop.must_on_ranks(ranks, "embed", "wide.txt", "-o", f"vectors-{ranks}", "-d", "8")
        for name in ("vectors.npy", "vectors.vocab"):
            same = (shop.folder / "vectors" / name).read_bytes() == (shop.folder / f"vectors-{ranks}" / name).read_bytes()
            expect(same, f"embed on {ranks} ranks: {name} differs")
    for ranks in shop.some_ranks():
        shop.must_on_ranks(ranks, "cluster", "wide.txt", "-o", "spectral-ranks", *method)
        shop.expect_same_folder("spectral", "spectral-ranks", f"spectral on {ranks} ranks")


def messages(shop):
    """How programs say that they were started in the wrong way; firth itself does not know MPI."""
    expect("libmpi" not in shop.run(["ldd", shop.firth]).stdout, "firth is linked with MPI")
    loaded = shop.run([shop.firth, "count", "text.txt", "-o", "/dev/null"], environment={"LD_DEBUG": "libs"}).stderr
    expect("libc.so" in loaded and "libmpi" not in loaded, "firth loads MPI")
    done = shop.run(shop.launcher(2) + [shop.firth, "count", "text.txt", "-o", "/dev/null"])
    expect(done.stderr.count("2 copies of firth are running") == 1, done.stderr)
    done = shop.run([shop.firth_mpi, "count", "text.txt", "-o", "x.counts"])
    expect(done.returncode == 0 and "mpirun -n 4 firth-mpi" in done.stderr, done.stderr)
    done = shop.on_ranks(2, "cluster", "text.txt", "-c", "20", "-o", "brown", "--method", "brown")
    expect(done.returncode == 2 and "--method brown does not run on several ranks" in done.stderr, done.stderr)
    expect(not (shop.folder / "brown").exists(), "output of a command that was refused")
    done = shop.on_ranks(2, "lm", "train", "text.txt", "--words", "-o", "x.lm")
    expect(done.returncode == 2 and "'lm train' does not run on several ranks" in done.stderr and "'lm count' does" in done.stderr, done.stderr)
    done = shop.on_ranks(2, "cluster", "text.txt", "-c", "20", "-o", "x", "--nonsense")
    expect(done.returncode == 2 and "--nonsense" in done.stderr, done.stderr)
    one = [shop.firth_mpi, "count", "text.txt", "-o", "one.counts"]
    other = [shop.firth_mpi, "count", "more.txt", "-o", "one.counts"]
    done = shop.run(shop.launcher(1) + one + [":", "-n", "1"] + other)
    expect(done.returncode == 2 and "different commands" in done.stderr, done.stderr)
    done = shop.on_ranks(2, "--version")
    expect(done.returncode == 0 and done.stdout.count("firth ") == 1, done.stdout)


def bad_input(shop):
    """An error is that of firth, with its exit code, and leaves nothing."""
    text = (shop.folder / "text.txt").read_bytes()
    (shop.folder / "bad.txt").write_bytes(text[:-1000] + b"\xff" + text[-999:])
    wanted = shop.run([shop.firth, "count", "bad.txt", "-o", "bad.counts"])
    problem = wanted.stderr.split("error: ", 1)[1].strip()
    for ranks in (2, 4):
        done = shop.on_ranks(ranks, "count", "bad.txt", "-o", "bad.counts")
        expect(done.returncode == 1 and problem in done.stderr, f"{done.returncode}: {done.stderr}\nnot: {problem}")
        expect("firth-mpi: error (rank 0, host " in done.stderr, done.stderr)
        done = shop.on_ranks(ranks, "cluster", "bad.txt", "-c", "20", "-o", "bad")
        expect(done.returncode == 1, f"exit code {done.returncode}")
    done = shop.on_ranks(2, "cluster", "missing.txt", "-c", "20", "-o", "bad")
    expect(done.returncode == 1 and "missing.txt" in done.stderr, done.stderr)
    done = shop.on_ranks(2, "cluster", "text.txt", "-c", "20", "-o", "bad", "--memory", "1M")
    expect(done.returncode == 1 and "memory" in done.stderr.lower(), done.stderr)
    expect(not (shop.folder / "bad").exists() and not (shop.folder / "bad.counts").exists(), "output after an error")


def kills(shop):
    """A rank is killed at some moment; the search goes on with another number of ranks, to the same bytes."""
    began = time.time()
    shop.alone("cluster", "text.txt", "-o", "whole", *KILLED_SEARCH)
    seconds = time.time() - began
    rng = random.Random(5)
    hits = 0
    for turn in range(shop.kills):
        ranks = rng.choice([2, 3, 4])
        shutil.rmtree(shop.folder / "out", ignore_errors=True)
        (shop.folder / "point").unlink(missing_ok=True)
        job = shop.start_on_ranks(ranks, "cluster", "text.txt", "-o", "out", "--checkpoint", "point", *KILLED_SEARCH)
        victims = shop.rank_processes(job, ranks)
        time.sleep(rng.random() * seconds)
        if job.poll() is None:
            send_signal(rng.choice(victims), signal.SIGKILL)
        job.communicate(timeout=120 * PATIENCE)
        if job.returncode != 0:
            hits += 1
            expect(job.returncode in ((137,) if shop.open_mpi else (137, 9)), f"exit code {job.returncode} after kill -9")  # Hydra: the signal
            if (shop.folder / "out").exists():  # it was hit after its last step
                shop.expect_same_folder("whole", "out", f"kill {turn}: what was left")
        again = rng.choice([n for n in (1, 2, 3) if n != ranks])
        shop.must_on_ranks(again, "cluster", "text.txt", "-o", "out", "--checkpoint", "point", "--resume", *KILLED_SEARCH)
        shop.expect_same_folder("whole", "out", f"kill {turn}: {ranks} ranks, then {again}")
    expect(hits > 0, "no job was hit: they are too short for this machine")
    print(f"kills: {hits} of {shop.kills} jobs were hit")


def stopped_rank(shop):
    """A rank that does not answer is noticed."""
    for victim in (0, 1):
        job = shop.start_on_ranks(3, "--rank-timeout", RANK_TIMEOUT, "cluster", "text.txt", "-o", "stopped", *LONG_SEARCH)
        ranks = shop.rank_processes(job, 3)
        time.sleep(1 + 0.2 * PATIENCE)
        send_signal(ranks[victim], signal.SIGSTOP)
        began = time.time()
        _, errors = job.communicate(timeout=120 * PATIENCE)
        expect(job.returncode != 0 and "has not been heard of" in errors, f"{job.returncode}: {errors}")
        expect(time.time() - began < 60 * PATIENCE, "it took too long")
        expect(not (shop.folder / "stopped").exists(), "output of a job that was stopped")


def interrupted(shop):
    """SIGTERM to the ranks, as Slurm sends it: the best so far is written, and the checkpoint; exit code 130."""
    job = shop.start_on_ranks(3, "cluster", "text.txt", "-o", "early", "--checkpoint", "early.point", *LONG_SEARCH)
    ranks = shop.rank_processes(job, 3)
    until = time.time() + 60 * PATIENCE
    while not (shop.folder / "early.point").exists() and time.time() < until and job.poll() is None:
        time.sleep(0.1)
    for pid in ranks:
        send_signal(pid, signal.SIGTERM)
    _, errors = job.communicate(timeout=120 * PATIENCE)
    expect(job.returncode == 130, f"exit code {job.returncode}: {errors}")
    expect((shop.folder / "early" / "paths").exists() and (shop.folder / "early.point").exists(), errors)


def piped(shop):
    """Standard input belongs to rank 0, named or not."""
    text = (shop.folder / "more.txt").read_text(encoding="utf-8")
    if not shop.open_mpi:  # Hydra ends a job that does not read fast enough: "process reading stdin too slowly"
        text = "".join(text.splitlines(keepends=True)[:100])
    (shop.folder / "piped.txt").write_text(text, encoding="utf-8")
    options = ["-c", "10", "--effort", "fast"]
    shop.alone("cluster", "piped.txt", "-o", "alone", *options)
    for name, inputs in (("named", ["-"]), ("unnamed", [])):
        shop.must_on_ranks(2, "cluster", *inputs, "-o", name, *options, input=text)
        shop.expect_same_folder("alone", name, f"standard input, {name}")
    done = shop.on_ranks(2, "cluster", "-o", "none", *options, input="")
    expect(done.returncode != 0 and not (shop.folder / "none").exists(), done.stderr)


def report(shop):
    """--rank-report has a line for each rank."""
    shop.must_on_ranks(3, "--rank-report", "ranks.tsv", "cluster", "text.txt", "-o", "out-report", "-c", "20", "--effort", "fast")
    lines = (shop.folder / "ranks.tsv").read_text().splitlines()
    expect(len(lines) == 4 and lines[0].startswith("rank\twork_seconds"), "\n".join(lines))
    expect(all(float(line.split("\t")[1]) > 0 and int(line.split("\t")[3]) > 10 for line in lines[1:]), "\n".join(lines))


def recipes(shop):
    """The blocks of docs/cluster.md that are marked as tested, in one folder, one after the other."""
    lines = (shop.folder / "text.txt").read_text().splitlines(keepends=True)
    for part in range(3):
        (shop.folder / f"part-{part}.txt").write_text("".join(lines[part::3]))
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
    blocks = [text.split("```sh\n", 1)[1].split("```", 1)[0] for text in page.split("<!-- tested -->")[1:]]
    expect(len(blocks) >= 2, "docs/cluster.md has no tested blocks")
    tools = shop.folder / "tools"
    tools.mkdir()
    for name, program in (("firth", shop.firth), ("firth-mpi", shop.firth_mpi)):
        (tools / name).symlink_to(program)
    found = []
    for block in blocks:
        block = block.replace("mpirun -n", " ".join(shop.launcher(1)[:-1]))
        done = shop.run(["bash", "-e", "-c", block], environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        expect(done.returncode == 0, f"{block}\n{done.stderr}")
        found.append((shop.folder / "all.counts").read_bytes())
    expect(found[0] == found[1], "the parts and the ranks give different counts")


CHECKS = [messages, count, ngrams, cluster, sharded, spectral, bad_input, kills, stopped_rank, interrupted, piped, report, recipes]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--firth", required=True)
    parser.add_argument("--firth-mpi", required=True)
    parser.add_argument("--mpirun", default="mpirun", help="the launcher of the MPI that firth-mpi was built with")
    parser.add_argument("--ranks", default="1,2,3,4")
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if shutil.which(options.mpirun) is None:
        print(f"skipped: {options.mpirun} is not installed; ./setup.sh packages installs it")
        return 77
    failed = 0
    for check in CHECKS:
        if options.names and check.__name__ not in options.names:
            continue
        with tempfile.TemporaryDirectory(prefix="firth-mpi-") as folder:
            began = time.time()
            try:
                check(Shop(options, folder))
                print(f"{check.__name__}: ok ({time.time() - began:.1f} s)", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as problem:
                failed += 1
                print(f"{check.__name__}: {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
