#!/usr/bin/env python3
"""Runs every fuzz target for a share of the given time, on copies of its seeds; what is found is kept in a folder.

Usage: smoke.py --programs build/fuzz/fuzz --seeds tests/fuzz/seeds --seconds 60 [--runs N] [--max-bytes N] [--inputs DIR] [--target NAME]
  --runs N       end a target after N executions, too
  --max-bytes N  the longest input that is tried; without it, twice the longest seed, at least 512
  --inputs DIR   keep what was learnt (new inputs), in a folder per target, and begin with it

A line per target: executions, seconds of the processor, and the edges of the program that some input has taken.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

# The C library would give large blocks back to the system after every input, and get them again page by page.
KEEPS_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "1000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}


def fuzz(program, seeds, inputs, limits, findings):
    """Exit code, number of executions, edges, messages. A hostile file of some kilobytes must not take a gigabyte. Who is stopped for a
    while does not hang, so the time for one input is long. Without numbers of times that an edge was taken, as many edges are found in two
    thirds of the time."""
    command = [str(program), *limits, "-timeout=600", "-entropic=0", "-use_counters=0", "-print_funcs=0", "-rss_limit_mb=1500", "-print_final_stats=1", "-reload=0",
               f"-artifact_prefix={findings}/{program.name}-", str(inputs)]
    command += [str(seeds)] if seeds.is_dir() else []
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env={**os.environ, **KEEPS_MEMORY})
    executions = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    edges = re.findall(r" cov: (\d+)", done.stderr)
    return done.returncode, int(executions.group(1)) if executions else 0, int(edges[-1]) if edges else 0, done.stderr


def processor_seconds():
    """Of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=-1)
    parser.add_argument("--max-bytes", type=int, default=0)
    parser.add_argument("--inputs", type=pathlib.Path)
    parser.add_argument("--target", action="append", default=[])
    arguments = parser.parse_args()
    programs = sorted(path for path in arguments.programs.glob("fuzz_*") if os.access(path, os.X_OK) and
                      (not arguments.target or path.name.removeprefix("fuzz_") in arguments.target))
    if not programs:
        print("there are no fuzz programs: cmake --preset fuzz && cmake --build --preset fuzz")
        return 1
    findings = arguments.programs / "findings"
    findings.mkdir(exist_ok=True)
    share = max(1, round(arguments.seconds / len(programs)))
    failed, total = [], 0
    for program in programs:
        name = program.name.removeprefix("fuzz_")
        longest = arguments.max_bytes or max([256] + [seed.stat().st_size for seed in (arguments.seeds / name).glob("*")]) * 2
        limits = [f"-max_total_time={share}", f"-runs={arguments.runs}", f"-max_len={longest}"]
        with tempfile.TemporaryDirectory() as folder:
            inputs = arguments.inputs / name if arguments.inputs else pathlib.Path(folder)
            inputs.mkdir(parents=True, exist_ok=True)
            before = processor_seconds()
            code, executions, edges, messages = fuzz(program, arguments.seeds / name, inputs, limits, findings)
        total += executions
        print(f"{name}: {executions:,} executions, {processor_seconds() - before:.1f} s, {edges:,} edges", flush=True)
        if code != 0:
            failed.append(program.name)
            print(messages[-4000:])
    print(f"{len(programs)} targets, {share} s each at most, {total:,} executions, {len(failed)} failed {' '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
