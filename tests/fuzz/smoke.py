#!/usr/bin/env python3
"""Runs every fuzz target for a share of the given time, on copies of its seeds; what is found is kept in a folder.

Usage: smoke.py --programs build/fuzz/fuzz --seeds tests/fuzz/seeds --seconds 60
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile


def fuzz(program, seeds, seconds, findings):
    with tempfile.TemporaryDirectory() as new_inputs:
        command = [str(program), f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=4096", "-verbosity=0",
                   f"-artifact_prefix={findings}/{program.name}-", new_inputs]
        command += [str(seeds)] if seeds.is_dir() else []
        return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    arguments = parser.parse_args()
    programs = sorted(path for path in arguments.programs.glob("fuzz_*") if os.access(path, os.X_OK))
    if not programs:
        print("there are no fuzz programs: cmake --preset fuzz && cmake --build --preset fuzz")
        return 1
    findings = arguments.programs / "findings"
    findings.mkdir(exist_ok=True)
    share = max(1, round(arguments.seconds / len(programs)))
    failed = []
    for program in programs:
        done = fuzz(program, arguments.seeds / program.name.removeprefix("fuzz_"), share, findings)
        if done.returncode != 0:
            failed.append(program.name)
            print(done.stderr[-4000:])
    print(f"{len(programs)} targets, {share} s each, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
