#!/usr/bin/env python3
"""Every command with little address space, few descriptors, few threads, small files: an error message or the result, never more.

resource_limits.py --command FIRTH [--values N]
  --values N   limits to try for each command and resource; 0 = all (default 2)
"""
import argparse
import os
import pwd
import resource
import shutil
import sys

import campaign

MEGABYTE = 1 << 20
READERS = [
    ["evaluate", "model1", "--text", "text1.txt"], ["convert", "model1", "-", "--to", "json"], ["lm", "score", "class1.lm", "text1.txt"],
    ["lm", "sample", "class1.lm", "-n", "3"], ["features", "model1", "text1.txt"], ["--version"], ["cluster", "--help"],
    ["cluster", "text1.txt", "-c", "4", "--method", "svd2", "-o", "out"], ["cluster", "text1.txt", "-c", "4", "--method", "pos", "-o", "out"],
    ["parse", "train", "trees1.mrg", "--algorithm", "spectral", "-m", "2", "-o", "out"],
]
ADDRESS_SPACE = [32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 144, 160, 176, 192, 208, 224, 256, 320, 384, 512]
DESCRIPTORS = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16]
FILE_SIZES = [0, 1, 100, 1000, 4096, 10000, 20000]
THREADS = [1, 2, 3, 4, 6, 8]


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


class Runner:
    def __init__(self, options):
        self.workshop = campaign.Workshop(options.command)
        self.values = options.values
        self.tally = campaign.Tally("resource limits")
        os.chmod(self.workshop.path, 0o777)

    def attempt(self, arguments, name, limit):
        folder = self.workshop.fresh_folder()
        os.chmod(folder, 0o777)
        code, out, err = self.workshop.run(arguments, folder, limit=limit, timeout=30)
        where = f"{' '.join(arguments)}, {name}"
        self.tally.tries += 1
        could_not_start = code == 127 or (code == 1 and "error while loading shared libraries" in err) or "Permission denied" in err
        self.tally.check(code in (0, 1) or could_not_start, f"{where}: exit code {code}: {err[-300:]}")
        if code == 1 and not could_not_start:
            self.tally.check("firth: error: " in err, f"{where}: no message: {err[-300:]}")
            made = [p for p in folder.iterdir() if not p.is_symlink()]
            self.tally.check(not made, f"{where}: left {[p.name for p in made]}")
        self.tally.check(not campaign.litter(folder), f"{where}: left {campaign.litter(folder)}")
        shutil.rmtree(folder, ignore_errors=True)

    def run(self):
        commands = [job.arguments(new=False) for job in campaign.JOBS] + READERS
        for arguments in commands:
            for name, limit in limits(self.values):
                self.attempt(arguments, name, limit)
            for name, limit in thread_limits(self.values):
                self.attempt(arguments, name, limit)
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--values", type=int, default=2)
    sys.exit(Runner(parser.parse_args()).run())


if __name__ == "__main__":
    main()
