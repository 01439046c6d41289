#!/usr/bin/env python3
"""firth-mpi on three hosts that are network namespaces of this machine: the bytes of firth, also when packets are lost, and a
host that is cut off is noticed.

check_hosts.py --firth FIRTH --firth-mpi FIRTH_MPI

Needs root, ip, nft and Open MPI; exit 77 = skipped. The addresses exist inside the namespaces only.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from check_mpi import PATIENCE, RANK_TIMEOUT, RESULT_FILES, SEARCH, LONG_SEARCH, expect, launcher_environment, write_text

HOSTS = 3
NETWORK = "10.77.0"
AGENT = """#!/bin/bash
# In place of ssh: HOST COMMAND...
host=$1; shift
exec ip netns exec {prefix}$((${{host##*.}} - 1)) bash -c "$*"
"""


def quietly(*words):
    return subprocess.run(words, capture_output=True, text=True)


class Hosts:
    """Namespaces on one bridge, gone at the end."""

    def __init__(self, folder):
        self.folder = folder
        self.prefix = f"firth{os.getpid()}h"
        self.names = [f"{self.prefix}{i}" for i in range(HOSTS)]
        self.switch = f"firth{os.getpid()}s"
        (folder / "agent.sh").write_text(AGENT.format(prefix=self.prefix))
        (folder / "agent.sh").chmod(0o755)

    def __enter__(self):
        steps = [["ip", "netns", "add", self.switch], ["ip", "-n", self.switch, "link", "add", "br0", "type", "bridge"],
                 ["ip", "-n", self.switch, "link", "set", "br0", "up"]]
        for i, name in enumerate(self.names):
            steps += [["ip", "netns", "add", name], ["ip", "-n", name, "link", "set", "lo", "up"],
                      ["ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", f"port{i}", "netns", self.switch],
                      ["ip", "-n", self.switch, "link", "set", f"port{i}", "master", "br0", "up"],
                      ["ip", "-n", name, "addr", "add", f"{NETWORK}.{i + 1}/24", "dev", "eth0"],
                      ["ip", "-n", name, "link", "set", "eth0", "up"]]
        for step in steps:
            done = quietly(*step)
            if done.returncode != 0:
                self.__exit__()
                raise OSError(f"{' '.join(step)}: {done.stderr.strip()}")
        return self

    def __exit__(self, *_):
        for name in [*self.names, self.switch]:
            quietly("ip", "netns", "del", name)

    def filter(self, host, *rules):
        """Replaces the packet filter of a host."""
        text = "flush ruleset\ntable inet t {\n" + "".join(
            f"chain {hook} {{ type filter hook {hook} priority 0; {rule}; }}\n" for hook, rule in rules) + "}\n"
        done = subprocess.run(["ip", "netns", "exec", self.names[host], "nft", "-f", "-"], input=text, capture_output=True, text=True)
        expect(done.returncode == 0, done.stderr)

    def command(self, program, *arguments):
        addresses = ",".join(f"{NETWORK}.{i + 1}:1" for i in range(HOSTS))
        return ["ip", "netns", "exec", self.names[0], "mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "plm", "rsh",
                "--mca", "plm_rsh_agent", str(self.folder / "agent.sh"), "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24", "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24",
                "-x", "OMPI_ALLOW_RUN_AS_ROOT", "-x", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "-wdir", str(self.folder), "-H", addresses, "-n", str(HOSTS),
                program, *arguments]


# What mpirun says when its own daemons did not come up; firth-mpi has not run then.
DAEMONS_FAILED = ("unable to reliably start one or more daemons", "does not know how to route a message", "ORTE daemon has unexpectedly failed",
                  "has lost communication with a remote daemon")
LAUNCHES = 4


def launch(hosts, program, *arguments, environment):
    """A job that ran, with as many attempts as Open MPI's daemons need to come up."""
    for attempt in range(LAUNCHES):
        done = subprocess.run(hosts.command(program, *arguments), cwd=hosts.folder, env=environment, capture_output=True, text=True, timeout=120 * PATIENCE)
        if done.returncode == 0 or not any(words in done.stderr for words in DAEMONS_FAILED):
            break
        print(f"Open MPI's daemons did not come up (attempt {attempt + 1})", flush=True)
    return done


def same_bytes(hosts, options, environment):
    done = subprocess.run([options.firth, "cluster", "text.txt", "-o", "alone", *SEARCH], cwd=hosts.folder, capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    for name, loss in (("plain", 0), ("lossy", 5)):
        for host in range(HOSTS):
            hosts.filter(host, ("input", f"numgen random mod 1000 < {loss} counter drop" if loss else "counter"))
        done = launch(hosts, options.firth_mpi, "cluster", "text.txt", "-o", name, *SEARCH, environment=environment)
        expect(done.returncode == 0, f"{name}: {done.returncode}\n{done.stderr}")
        for file in RESULT_FILES:
            expect((hosts.folder / name / file).read_bytes() == (hosts.folder / "alone" / file).read_bytes(), f"{name}: {file} differs")
        print(f"three hosts, {name}: the same bytes", flush=True)


def errors_of(hosts):
    return (hosts.folder / "errors").read_text(encoding="utf-8")


def start_long_search(hosts, options, environment):
    """A job that has been at work for some seconds; its messages are in the file `errors`."""
    for _ in range(LAUNCHES):
        with open(hosts.folder / "errors", "w", encoding="utf-8") as errors:
            job = subprocess.Popen(hosts.command(options.firth_mpi, "--rank-timeout", RANK_TIMEOUT, "cluster", "text.txt", "-o", "cut", *LONG_SEARCH),
                                   cwd=hosts.folder, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        time.sleep(2 + PATIENCE)
        if job.poll() is None or not any(words in errors_of(hosts) for words in DAEMONS_FAILED):
            break
    expect(job.poll() is None, f"the job ended before its host was cut off\n{errors_of(hosts)}")
    return job


def partition(hosts, options, environment):
    """mpirun itself may wait for the lost host for ever; the ranks do not."""
    for host in range(HOSTS):
        hosts.filter(host, ("input", "counter"))
    job = start_long_search(hosts, options, environment)
    hosts.filter(2, ("input", "drop"), ("output", "drop"))
    until = time.time() + 60 * PATIENCE
    text = ""
    while time.time() < until and "has not been heard of" not in text:
        time.sleep(0.2)
        text = errors_of(hosts)
    job.terminate()
    try:
        job.wait(timeout=5)
    except subprocess.TimeoutExpired:
        job.kill()
    expect("has not been heard of" in text, text)
    expect(not (hosts.folder / "cut").exists(), "output of a job that was cut apart")
    print("a host that is cut off: noticed", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--firth", required=True)
    parser.add_argument("--firth-mpi", required=True)
    options = parser.parse_args()
    options.firth, options.firth_mpi = os.path.abspath(options.firth), os.path.abspath(options.firth_mpi)
    missing = [tool for tool in ("ip", "nft", "mpirun") if shutil.which(tool) is None]
    if missing or os.geteuid() != 0 or "Open MPI" not in quietly("mpirun", "--version").stdout:
        print("skipped: needs root, ip, nft and Open MPI" + (f"; there is no {', '.join(missing)}" if missing else ""))
        return 77
    environment = launcher_environment()
    with tempfile.TemporaryDirectory(prefix="firth-hosts-") as name:
        folder = pathlib.Path(name)
        write_text(folder / "text.txt", 60, 1500, 1)
        try:
            with Hosts(folder) as hosts:
                same_bytes(hosts, options, environment)
                partition(hosts, options, environment)
        except OSError as problem:
            print(f"skipped: no network namespaces here: {problem}")
            return 77
        except AssertionError as problem:
            print(problem)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
