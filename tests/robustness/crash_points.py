#!/usr/bin/env python3
"""Kills every command that writes, or makes a call fail, at each write, rename, link, sync, ... in turn.

crash_points.py --command FIRTH --shim SHIM [--points N] [--job NAME] [--without LIST] [--calls KIND] [--random N]
  --points N      calls to try for each job and fault, spread over the run; 0 = all (default 8)
  --calls KIND    instead of calls that change files, allocations (memory) or threads that are started (threads): they fail
  --random N      instead, kill jobs in turn at N random moments
  --without LIST  what the file system does not have: tmpfile, exchange, proc, link, flock

After a kill the outputs are the old result or the new one, as a whole; what is left besides has a hidden name of Firth's and is gone
after the next run. After a failure (exit code 1) the old result is there and nothing else.
"""
import argparse
import os
import random
import shutil
import sys
import time

import campaign

CLOCK = "100000"  # checkpoints are due all the time


class Runner:
    KILLED = -9  # exit code of a run whose process was killed
    ERROR = ": error: "  # what an error message has

    def __init__(self, options, workshop=None):
        self.workshop = workshop or campaign.Workshop(options.command)
        self.shim = os.path.abspath(options.shim)
        self.without = options.without
        self.points = options.points
        self.calls = options.calls
        self.random = options.random
        self.ended_before = 0
        self.tally = campaign.Tally(f"crash points ({options.calls})" + (f" without {options.without}" if options.without else ""))

    def environment(self, **faults):
        return {"LD_PRELOAD": self.shim, "FIRTH_FAULT_WITHOUT": self.without, "FIRTH_FAULT_CLOCK": CLOCK, "FIRTH_FAULT_CALLS": self.calls, **faults}

    def prepare(self, job, over_old):
        folder = self.workshop.fresh_folder()
        if over_old:
            self.workshop.must(job.arguments(new=False), folder)
            for checkpoint in folder.rglob(campaign.CHECKPOINT):  # that of another run
                checkpoint.unlink()
        return folder

    def result(self, job, over_old):
        """The calls of an undisturbed run, and what it writes."""
        folder = self.prepare(job, over_old)
        old = campaign.snapshot(folder, job.outputs)
        code, _, err = self.workshop.run(job.arguments(new=True), folder, environment=self.environment(FIRTH_FAULT_LOG="calls.log"))
        self.tally.check(code == 0, f"{job.name}: undisturbed: {code} {err}")
        calls = (folder / "calls.log").read_text().split()
        (folder / "calls.log").unlink()
        new = campaign.snapshot(folder, job.outputs)
        self.tally.check(not campaign.litter(folder), f"{job.name}: undisturbed: left {campaign.litter(folder)}")
        shutil.rmtree(folder)
        return calls, old, new

    def is_whole(self, job, now, old, new):
        if job.together:
            return now in (old, new)
        # Files in several places: each is the old one or the new one.
        return all(now.get(name) in (old.get(name), new.get(name)) for name in {*now, *old, *new})

    def rerun(self, job, where, folder, new):
        """The next run cleans up; it continues from a checkpoint, if there is one."""
        code, _, err = self.workshop.run(job.arguments(new=True) + job.resume, folder, environment=self.environment())
        self.tally.check(code == 0, f"{where}: the next run: {code} {err}")
        self.tally.check(campaign.snapshot(folder, job.outputs) == new, f"{where}: the next run gives another result")
        # Without locks nobody knows what is still in use, so it stays.
        self.tally.check("flock" in self.without or not campaign.litter(folder), f"{where}: the next run leaves {campaign.litter(folder)}")

    def try_kill(self, job, over_old, number, name, old, new):
        where = f"{job.name}, {'over an old result' if over_old else 'fresh'}, killed at call {number} ({name})"
        folder = self.prepare(job, over_old)
        code, _, err = self.workshop.run(job.arguments(new=True), folder, environment=self.environment(FIRTH_FAULT="kill", FIRTH_FAULT_AT=str(number)))
        self.tally.tries += 1
        # How many checkpoints there are is a matter of time.
        self.tally.check(code == self.KILLED or (job.resume and code == 0), f"{where}: exit code {code}: {err}")
        self.look_after_kill(job, where, folder, old, new)

    def look_after_kill(self, job, where, folder, old, new):
        journal = list(folder.rglob(".firth-journal"))
        if not journal:  # otherwise the next reader finishes the work
            now = campaign.snapshot(folder, job.outputs)
            self.tally.check(self.is_whole(job, now, old, new), f"{where}: a mixture: {sorted(now)}")
            # A checkpoint has its folder before there is a result.
            self.tally.check(job.resume or not campaign.empty_folders(folder) or campaign.litter(folder), f"{where}: an empty folder")
        elif any((folder / "out" / n).exists() for n in ("paths", "classes.tsv")):
            code, _, err = self.workshop.run(["convert", "out", "x", "--to", "classes"], folder)
            self.tally.check(code == 0, f"{where}: cannot be read: {err}")
            self.tally.check(campaign.snapshot(folder, job.outputs) == new, f"{where}: not finished by a reader")
        self.rerun(job, where, folder, new)
        shutil.rmtree(folder)

    def try_failure(self, job, over_old, number, name, old, new):
        where = f"{job.name}, {'over an old result' if over_old else 'fresh'}, call {number} ({name}) fails"
        folder = self.prepare(job, over_old)
        code, _, err = self.workshop.run(job.arguments(new=True), folder, environment=self.environment(FIRTH_FAULT="fail", FIRTH_FAULT_AT=str(number)))
        self.tally.tries += 1
        now = campaign.snapshot(folder, job.outputs)
        self.tally.check(code in (0, 1), f"{where}: exit code {code}: {err}")
        if code == 0:
            self.tally.check(now == new, f"{where}: exit code 0, but the result is not there")
        else:
            self.tally.check(self.ERROR in err, f"{where}: {err}")
            # Without memory, the last words of a run may fail, after its result is there.
            whole = now == old if job.together and self.calls == "files" else self.is_whole(job, now, old, new)
            self.tally.check(whole or list(folder.rglob(".firth-journal")), f"{where}: exit code 1, but the files changed")
            self.tally.check(name in ("unlink", "unlinkat", "rmdir") or not campaign.litter(folder) or list(folder.rglob(".firth-journal")),
                             f"{where}: left {campaign.litter(folder)}")
            self.tally.check(not campaign.empty_folders(folder), f"{where}: an empty folder")
        self.rerun(job, where, folder, new)
        shutil.rmtree(folder)

    def try_random_kills(self, job, draw, count):
        """Half of them over an old result, half of them near the end of the run, where files get their names."""
        for over_old in (False, True):
            started = time.monotonic()
            _, old, new = self.result(job, over_old)
            length = time.monotonic() - started
            kills = 0
            while kills < count // 2:
                after = length * (draw.uniform(0.8, 1.1) if kills % 2 else draw.uniform(0, 1))
                where = f"{job.name}, {'over an old result' if over_old else 'fresh'}, killed after {after:.4f} s"
                folder = self.prepare(job, over_old)
                code = self.workshop.kill_after(after, job.arguments(new=True), folder, self.environment())
                # How long a run takes depends on what else the machine does.
                length *= 0.8 if code == 0 else 1.05
                kills += code != 0
                self.tally.tries += code != 0
                self.ended_before += code == 0
                self.tally.check(code in (0, -9), f"{where}: exit code {code}")
                self.look_after_kill(job, where, folder, old, new)
            self.tally.show(job.name)

    def run(self, names):
        jobs = self.workshop.jobs(names or ())
        if self.random:
            draw = random.Random(1)
            for job in jobs:
                self.try_random_kills(job, draw, max(2, -(-self.random // len(jobs))))
            print(f"besides, {self.ended_before} runs ended before they were killed")
            self.workshop.close()
            return self.tally.finish()
        for place, job in enumerate(jobs):
            for over_old in (False, True):
                calls, old, new = self.result(job, over_old)
                for fault in (self.try_kill, self.try_failure) if self.calls == "files" else (self.try_failure,):
                    for number in campaign.evenly(len(calls), self.points, seed=place):
                        fault(job, over_old, number, calls[number - 1], old, new)
            self.tally.show(job.name)
        self.workshop.close()
        return self.tally.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--job", action="append", default=[])
    parser.add_argument("--without", default="")
    parser.add_argument("--calls", choices=("files", "memory", "threads"), default="files")
    options = parser.parse_args()
    sys.exit(Runner(options).run(options.job))


if __name__ == "__main__":
    main()
