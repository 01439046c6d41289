#!/usr/bin/env python3
"""Kills a rank, or makes a call of it fail, at each write, rename, link, sync, ... in turn (tests/robustness/crash_points.py).

crash_ranks.py --command FIRTH --shim SHIM [--firth-mpi FIRTH_MPI] [--ranks 2] [--points N] [--job NAME]
  --points N   calls to try for each job, rank and fault, spread over the run; 0 = all (default 2)

What fails is Firth's own calls in one rank: the shim is loaded by a script that the launcher starts in place of each rank, so that neither
the launcher nor its daemons have it, and it does not count what the MPI library does. Exit 77 = skipped: there is no launcher.
"""
import argparse
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "robustness")]

import campaign
import check_mpi
import crash_points

PATIENCE = int(os.environ.get("FIRTH_PATIENCE", "5"))
WRAPPER = """#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$FIRTH_FAULT_RANK" ] && export LD_PRELOAD="$FIRTH_FAULT_SHIM"
exec "$@"
"""
# Rank 0 writes all results; others write scratch files when n-grams are counted, or when memory is short.
JOBS = {
    "count": (campaign.Job("count", ["count", "text{x}.txt", "-o", "out"], ["out"]), (0,)),
    "lm count": (campaign.Job("lm count", ["lm", "count", "text{x}.txt", "-o", "out"], ["out"]), (0, 1)),
    "count small": (campaign.Job("count small", ["count", "text{x}.txt", "--memory", "64M", "-o", "out"], ["out"]), (1,)),
    "cluster": (campaign.Job("cluster", ["cluster", "text1.txt", "-c", "{x}", "--effort", "fast", "-o", "out"], ["out"], ("5", "8")), (0,)),
    "embed": (campaign.Job("embed", ["embed", "text{x}.txt", "-d", "4", "-o", "out"], ["out"]), (0,)),
    "checkpoint": (campaign.Job("checkpoint", ["cluster", "text{x}.txt", "-c", "5", "--checkpoint", "state", "-o", "out"], ["out"], resume=["--resume"]), (0,)),
}


class RankWorkshop(campaign.Workshop):
    """Runs jobs on ranks; their inputs, and the results that they replace, are made by one process."""

    def __init__(self, options):
        self.on_ranks = False
        super().__init__(options.command)
        self.mpi = os.path.abspath(options.firth_mpi)
        self.ranks = options.ranks
        self.wrapper = self.path / "rank.sh"
        self.wrapper.write_text(WRAPPER)
        self.wrapper.chmod(0o755)

    def program(self, arguments):
        if not self.on_ranks or arguments[0] == "convert":
            return super().program(arguments)
        # The shim's clock runs fast, so that a rank would be missed at once.
        return ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(self.ranks), str(self.wrapper), self.mpi,
                "--rank-timeout", "0", *arguments]

    def run(self, arguments, folder=None, limit=None, environment=None, timeout=60, **options):
        environment = {**check_mpi.launcher_environment(), **(environment or {})}
        return super().run(arguments, folder, limit, environment, timeout * PATIENCE, **options)

    def must(self, arguments, folder=None):
        before, self.on_ranks = self.on_ranks, False
        super().must(arguments, folder)
        self.on_ranks = before


class RankRunner(crash_points.Runner):
    KILLED = 137  # the launcher's for a rank that was killed
    ERROR = "firth-mpi: error (rank "

    def __init__(self, options):
        super().__init__(options, RankWorkshop(options))
        self.rank = 0
        self.workshop.on_ranks = True

    def environment(self, **faults):
        return {"FIRTH_FAULT_SHIM": self.shim, "FIRTH_FAULT_RANK": str(self.rank), "FIRTH_FAULT_OWN": "1", "FIRTH_FAULT_CLOCK": crash_points.CLOCK, **faults}

    def run(self, names):
        for place, name in enumerate(names or JOBS):
            job, ranks = JOBS[name]
            for self.rank in ranks:
                for over_old in (False, True):
                    calls, old, new = self.result(job, over_old)
                    self.tally.check(len(calls) > 0, f"{name}: rank {self.rank} writes nothing")
                    for fault in (self.try_kill, self.try_failure):
                        for number in campaign.evenly(len(calls), self.points, seed=place):
                            fault(job, over_old, number, calls[number - 1], old, new)
                self.tally.show(f"{name}, rank {self.rank} ({len(calls)} calls)")
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--firth-mpi", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--points", type=int, default=2)
    parser.add_argument("--job", action="append", default=[])
    parser.set_defaults(random=0, without="", calls="files")
    options = parser.parse_args()
    if shutil.which("mpirun") is None:
        print("skipped: mpirun is not installed; ./setup.sh packages installs it")
        return 77
    return RankRunner(options).run(options.job)


if __name__ == "__main__":
    sys.exit(main())
