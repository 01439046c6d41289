#!/usr/bin/env python3
"""Every command with little address space, few descriptors, few threads, small files, a full disk: an error message or the result,
never more.

resource_limits.py --command FIRTH [--values N] [--part I/N]
  --values N   limits to try for each command and resource; 0 = all (default 2)
  --part I/N   only every N-th command, from the I-th: a long run in pieces

Full disks are file systems in memory, which only root can mount; without that they are left out, and it is said so.
"""
import argparse
import os
import pwd
import re
import resource
import shutil
import subprocess
import sys

import campaign

MEGABYTE = 1 << 20
MESSAGE = re.compile("firth(-mpi)?: error: ")
READERS = [
    ["evaluate", "model1", "--text", "text1.txt"], ["evaluate", "model1", "--gold", "tagged1.tsv"], ["convert", "model1", "-", "--to", "json"],
    ["show", "model1", "w1"], ["compare", "text1.txt", "--methods", "brown", "--classes", "3", "-o", "out"], ["features", "model1", "text1.txt"], ["nearest", "vectors", "w1"], ["--version"], ["cluster", "--help"],
    ["lm", "score", "class1.lm", "text1.txt"], ["lm", "rescore", "class1.lm", "lists.txt"], ["lm", "sample", "class1.lm", "-n", "3"], ["lm", "predict", "class1.lm"],
    ["hmm", "tag", "hmm", "text1.txt"], ["tag", "run", "tagger", "text1.txt"], ["tag", "score", "--model", "tagger", "tagged2.tsv"],
    ["tag", "compare", "tagged1.tsv", "--test", "tagged2.tsv", "--clusters", "model1", "--passes", "1", "--samples", "5"],
    ["parse", "run", "grammar", "text1.txt"], ["parse", "score", "trees1.mrg", "trees1.mrg"], ["parse", "probability", "grammar", "trees1.mrg"],
    ["cluster", "text1.txt", "-c", "4", "--method", "svd2", "-o", "out"], ["cluster", "text1.txt", "-c", "4", "--method", "pos", "-o", "out"],
    ["parse", "train", "trees1.mrg", "--algorithm", "spectral", "-m", "2", "-o", "out"],
    ["phrases", "text1.txt", "--min-count", "2"], ["tag", "apply", "tagged-prototypes.tsv", "model1", "text1.txt"], ["assign", "means1", "--vectors", "vectors"],
    ["choose", "text1.txt", "--max-classes", "6"], ["compare", "model1", "model2", "--text", "text1.txt"],
    ["cluster", "--vectors", "vectors", "-c", "4", "--method", "divide", "-o", "out"], ["convert", "model1", "-", "--to", "codes"],
]
ADDRESS_SPACE = [32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 256, 320, 384, 512]
DESCRIPTORS = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16]
FILE_SIZES = [0, 1, 100, 1000, 4096, 10000, 20000]
THREADS = [1, 2, 3, 4, 6, 8]
FREE_KILOBYTES = [0, 4, 8, 16, 32, 64, 128, 256]


def limits(values):
    """Name, function for the child, whether threads are asked for."""
    def some(all_values, scale, kind, name):
        for place in campaign.evenly(len(all_values), values, seed=len(name)):
            value = all_values[place - 1]
            yield f"{name} {value}", campaign.limit_of(kind, value * scale)

    yield from some(ADDRESS_SPACE, MEGABYTE, resource.RLIMIT_AS, "address space (MB)")
    yield from some(DESCRIPTORS, 1, resource.RLIMIT_NOFILE, "descriptors")
    yield from some(FILE_SIZES, 1, resource.RLIMIT_FSIZE, "file size")


def thread_limits(values):
    """Only somebody else than root is held to the limit of processes."""
    user = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else None

    def child(value):
        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (value, value))
            if user is not None:
                os.setgid(65534)
                os.setuid(user)
        return limit

    for place in campaign.evenly(len(THREADS), values, seed=1):
        yield f"threads {THREADS[place - 1]}", child(THREADS[place - 1])


def is_checkpoint(path):
    """What a run that failed may leave: the state, or the finished clusterings, that it can go on from."""
    if not path.is_dir():
        return path.name == campaign.CHECKPOINT
    names = [p.name for p in path.iterdir()]
    return names == [campaign.CHECKPOINT] or (names != [] and all(re.search("-seed[0-9]+$", name) for name in names))


class Disk:
    """A small file system with the inputs, and a file that leaves only so much of it free."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.path = workshop.path / "run-disk"
        self.path.mkdir(exist_ok=True)
        self.works = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "firth", str(self.path)], capture_output=True, check=False).returncode == 0
        for entry in workshop.path.iterdir() if self.works else []:
            if not entry.name.startswith("run-"):
                os.symlink(entry, self.path / entry.name)
        self.inputs = {p.name for p in self.path.iterdir()} | {"ballast"}

    def close(self):
        if self.works:
            subprocess.run(["umount", str(self.path)], check=True)

    def clean(self):
        for path in list(self.path.iterdir()):
            if path.name not in self.inputs or path.name == "ballast":
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def outputs(self):
        return [p.name for p in self.path.iterdir() if p.name not in self.inputs and not is_checkpoint(p)]

    def leave(self, kilobytes):
        status = os.statvfs(self.path)
        (self.path / "ballast").write_bytes(bytes(max(0, status.f_bavail * status.f_bsize - kilobytes * 1024)))


class Runner:
    def __init__(self, options):
        self.workshop = campaign.Workshop(options.command)
        self.values = options.values
        self.part, self.parts = map(int, options.part.split("/"))
        self.tally = campaign.Tally("resource limits")
        os.chmod(self.workshop.path, 0o777)

    def attempt(self, arguments, name, limit):
        folder = self.workshop.fresh_folder()
        os.chmod(folder, 0o777)
        code, out, err = self.workshop.run(arguments, folder, limit=limit, timeout=30)
        where = f"{' '.join(arguments)}, {name}"
        self.tally.tries += 1
        could_not_start = code == 127 or (code == 1 and "error while loading shared libraries" in err) or "Permission denied" in err or \
            (arguments[0] == campaign.MPI and code not in (0, None) and re.search("MPI_ERRORS_ARE_FATAL|PMIX ERROR|MPI_Init|opal_|orte_|evsig_|evutil_", err))
        self.tally.check(code in (0, 1) or could_not_start, f"{where}: exit code {code}: {err[-300:]}")
        if code == 1 and not could_not_start:
            self.tally.check(MESSAGE.search(err), f"{where}: no message: {err[-300:]}")
            made = [p for p in folder.iterdir() if not p.is_symlink() and not is_checkpoint(p)]
            self.tally.check(not made, f"{where}: left {[p.name for p in made]}")
        self.tally.check(not campaign.litter(folder), f"{where}: left {campaign.litter(folder)}")
        shutil.rmtree(folder, ignore_errors=True)

    def attempt_on_disk(self, disk, job, free, over_old):
        disk.clean()
        if over_old:
            self.workshop.must(job.arguments(new=False), disk.path)
        old = campaign.snapshot(disk.path, job.outputs)
        disk.leave(free)
        where = f"{job.name}, {free} kB free{', over an old result' if over_old else ''}"
        code, _, err = self.workshop.run(job.arguments(new=True), disk.path)
        self.tally.tries += 1
        self.tally.check(code in (0, 1), f"{where}: exit code {code}: {err[-300:]}")
        self.tally.check(not campaign.litter(disk.path), f"{where}: left {campaign.litter(disk.path)}")
        if code == 1:
            now = campaign.snapshot(disk.path, job.outputs)
            whole = now == old if job.together else all(now.get(name) == digest for name, digest in old.items())
            self.tally.check(MESSAGE.search(err) and whole, f"{where}: {sorted(now)}: {err[-300:]}")
            self.tally.check(over_old or not disk.outputs(), f"{where}: left {disk.outputs()}")

    def fill_disks(self):
        disk = Disk(self.workshop)
        if not disk.works:
            print("full disks: left out, nothing can be mounted here")
            return
        for place, job in list(enumerate(self.workshop.jobs()))[self.part - 1::self.parts]:
            for number in campaign.evenly(len(FREE_KILOBYTES), self.values, seed=place):
                for over_old in (False, True):
                    self.attempt_on_disk(disk, job, FREE_KILOBYTES[number - 1], over_old)
        disk.close()

    def run(self):
        commands = [job.arguments(new=False) for job in self.workshop.jobs()] + READERS
        for arguments in commands[self.part - 1::self.parts]:
            for name, limit in limits(self.values):
                self.attempt(arguments, name, limit)
            for name, limit in thread_limits(self.values):
                self.attempt(arguments, name, limit)
        self.fill_disks()
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--values", type=int, default=2)
    parser.add_argument("--part", default="1/1")
    sys.exit(Runner(parser.parse_args()).run())


if __name__ == "__main__":
    main()
