#!/usr/bin/env python3
"""Odd outputs, closed streams, files that change, words that talk to the terminal: one check for each.

check_faults.py --command FIRTH [NAME...]   (all checks, or those named)
"""
import argparse
import gzip
import os
import pathlib
import pty
import random
import re
import resource
import signal
import stat
import subprocess
import sys
import threading
import time

import campaign
import command_lines
from command_lines import C1, ESCAPE

CLUSTER = ["cluster", "text1.txt", "-c", "5", "--effort", "fast"]


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_error(result, *parts, code=1):
    expect(result[0] == code and result[2].startswith("firth: error: "), f"exit code {result[0]}: {result[2]}")
    for part in parts:
        expect(part in result[2], f"'{part}' is not in: {result[2]}")


def devices(shop, folder):
    """Devices, FIFOs and standard output are written into, not replaced."""
    shop.must(["count", "text1.txt", "-o", "plain"], folder)
    plain = (folder / "plain").read_bytes()
    for name in ("-", "/dev/stdout", "/dev/fd/1"):
        done = subprocess.run([shop.command, "count", "text1.txt", "-o", name], cwd=folder, capture_output=True, timeout=60)
        expect(done.returncode == 0 and done.stdout == plain, f"-o {name}: {done.returncode} {done.stderr}")
    with open(folder / "redirected", "ab") as file:
        file.write(b"before")
        file.flush()
        subprocess.run([shop.command, "count", "text1.txt", "-o", "/dev/stdout"], cwd=folder, stdout=file, stderr=subprocess.DEVNULL, check=True)
    expect((folder / "redirected").read_bytes() == b"before" + plain, "standard output that is a file was replaced")
    os.mkfifo(folder / "fifo")
    got = []
    reader = threading.Thread(target=lambda: got.append((folder / "fifo").read_bytes()))
    reader.start()
    shop.must(["count", "text1.txt", "-o", "fifo"], folder)
    reader.join(timeout=10)
    expect(got == [plain] and stat.S_ISFIFO(os.stat(folder / "fifo").st_mode), "the FIFO did not get the bytes")
    os.symlink("/dev/null", folder / "null")
    for arguments in (["count", "text1.txt", "-o", "null"], ["lm", "train", "--words", "text1.txt", "-o", "null"],
                      ["lm", "export", "class1.lm", "--arpa", "null", "--srilm-classes", "/dev/null"],
                      ["convert", "model1", "null", "--to", "paths"]):
        shop.must(arguments, folder)
    expect(os.path.islink(folder / "null") and stat.S_ISCHR(os.stat("/dev/null").st_mode), "/dev/null was replaced")
    expect_error(shop.run(["count", "text1.txt", "-o", "/dev/full"], folder), "/dev/full")


def every_model_to_standard_output(shop, folder):
    for name in ("count", "lm train", "hmm train", "tag train", "parse train"):
        job = next(job for job in campaign.JOBS if job.name == name)
        shop.must(job.arguments(new=False), folder)
        done = subprocess.run([shop.command] + job.arguments(new=False)[:-1] + ["-"], cwd=folder, capture_output=True, timeout=60)
        expect(done.returncode == 0 and done.stdout == (folder / "out").read_bytes(), f"{name} -o -: {done.returncode} {done.stderr}")
    expect_error(shop.run(CLUSTER + ["-o", "-"], folder), "standard output", code=2)


def links_and_modes(shop, folder):
    (folder / "real").write_text("old")
    os.chmod(folder / "real", 0o640)
    os.symlink("real", folder / "link")
    shop.must(["convert", "model1", "link", "--to", "paths"], folder)
    expect(os.path.islink(folder / "link") and (folder / "real").read_text().startswith("0"), "the link was not followed")
    expect(stat.S_IMODE(os.stat(folder / "real").st_mode) == 0o640, "the mode was not kept")


def closed_streams(shop, folder):
    """A stream that is closed is an error for whoever needs it, and nobody else gets its number."""
    def close(*numbers):
        return lambda: [os.close(number) for number in numbers]

    for arguments in (["count", "-", "-o", "out"], ["convert", "-", "-", "--to", "paths"], ["lm", "score", "class1.lm", "-"]):
        expect_error(shop.run(arguments, folder, limit=close(0), stdin=None, timeout=20), "standard input")
    for numbers in ((1,), (0, 1), (0, 1, 2)):
        process = subprocess.Popen([shop.command, "convert", "model1", "-", "--to", "paths"], cwd=folder, preexec_fn=close(*numbers))
        expect(process.wait(timeout=20) == 1, f"closed {numbers}: exit code {process.returncode}")
        process = subprocess.Popen([shop.command, "count", "text1.txt", "-o", "out"], cwd=folder, preexec_fn=close(*numbers), stderr=subprocess.DEVNULL)
        expect(process.wait(timeout=20) == 0 and (folder / "out").stat().st_size > 64, f"closed {numbers}: count failed")


def odd_names(shop, folder):
    """Loops of links and names that are too long are errors, not bugs."""
    os.symlink("loop", folder / "loop")
    for name in ("loop", "x" * 300, "text1.txt/below"):
        for arguments in (["count", "text1.txt", "-o", name], CLUSTER + ["-o", name], ["embed", "text1.txt", "-d", "3", "-o", name],
                          ["embed", "text1.txt", "-d", "3", "-o", "out", "--word2vec", name], ["nearest", name, "w1"],
                          ["cluster", "text1.txt", "-c", "3", "--method", "brown", "-o", "out", "--checkpoint", name, "--resume"],
                          ["cluster", "text1.txt", "-c", "3", "--method", "brown", "-o", "out", "--trace", name], ["evaluate", name],
                          ["convert", name, "out2", "--to", "paths"], ["convert", "model1", name, "--to", "firth"],
                          ["lm", "train", "--words", "text1.txt", "-o", name], ["sample", "brown", "-o", name]):
            expect_error(shop.run(arguments, folder))
    expect(not (folder / "out").exists() and not campaign.litter(folder), f"left {sorted(p.name for p in folder.iterdir())}")


def outputs_before_work(shop, folder):
    """A folder that does not exist is found out before the input is read."""
    for arguments in (["count", "-", "-o", "no/out"], ["lm", "train", "--words", "-", "-o", "no/out"], ["hmm", "train", "-", "-c", "2", "-o", "no/out"],
                      ["tag", "train", "-", "-o", "no/out"], ["parse", "train", "-", "-o", "no/out"], ["cluster", "-", "-c", "2", "-o", "text1.txt/x"],
                      ["cluster", "-", "-c", "2", "--method", "brown", "--checkpoint", "no/c", "-o", "out"],
                      ["embed", "-", "-d", "2", "-o", "out", "--word2vec", "no/v"], ["tree", "classes1", "-", "-o", "text1.txt/x"],
                      ["assign", "--model", "model1", "-", "-o", "text1.txt/x"], ["convert", "-", "no/out", "--to", "paths"]):
        read_end, write_end = os.pipe()
        expect_error(shop.run(arguments, folder, stdin=read_end, timeout=20))
        os.close(read_end)
        os.close(write_end)
    expect(not (folder / "out").exists(), "an empty folder was left")


def same_names(shop, folder):
    (folder / "mine.txt").write_text("a b a b\n")
    expect_error(shop.run(["count", "mine.txt", "-o", "./mine.txt"], folder), "also an input", code=2)
    expect((folder / "mine.txt").read_text() == "a b a b\n", "the text was lost")
    for name in ("x", "./x"):
        expect_error(shop.run(["lm", "export", "class1.lm", "--arpa", "x", "--srilm-classes", name], folder), "same file", code=2)
    shop.must(["embed", "text1.txt", "-d", "3", "-o", "new", "--word2vec", "new/v.txt"], folder)
    expect((folder / "new/v.txt").exists(), "a file in the folder of the results")


def stale_files(shop, folder):
    """What an earlier run wrote does not stay beside new classes; other files do."""
    shop.must(["cluster", "text1.txt", "-c", "5", "--method", "spectral", "--write-vectors", "-o", "out"], folder)
    shop.must(CLUSTER + ["--flat-cuts", "3", "-o", "out2"], folder)
    (folder / "out2/notes.txt").write_text("mine")
    for name in ("out", "out2"):
        shop.must(CLUSTER + ["-o", name], folder)
    left = sorted(p.name for p in (folder / "out").iterdir())
    expect(left == ["bigrams.tsv", "classes.tsv", "merges.tsv", "paths", "preprocessing.txt", "run.json"], f"left {left}")
    expect(not (folder / "out2/flat-3.tsv").exists() and (folder / "out2/notes.txt").read_text() == "mine", "flat-3.tsv, notes.txt")


def two_writers(shop, folder):
    """Two processes that write one folder: one of them wins as a whole."""
    results = []
    for classes in ("5", "8"):
        shop.must(["cluster", "text1.txt", "-c", classes, "--effort", "fast", "-o", "out"], folder)
        results.append(campaign.snapshot(folder, ["out"]))
    for _ in range(6):
        running = [subprocess.Popen([shop.command, "cluster", "text1.txt", "-c", classes, "--effort", "fast", "-o", "out"], cwd=folder,
                                    stderr=subprocess.PIPE) for classes in ("5", "8", "5", "8")]
        codes = [(process.communicate(timeout=60)[1], process.returncode) for process in running]
        expect(all(code == 0 for _, code in codes), f"{codes}")
        expect(campaign.snapshot(folder, ["out"]) in results, "a mixture")
    expect(not campaign.litter(folder), f"left {campaign.litter(folder)}")


def readers_and_a_writer(shop, folder):
    """A folder is read as a whole while it is replaced."""
    known = set()
    for classes in ("5", "8"):
        shop.must(["cluster", "text1.txt", "-c", classes, "--effort", "fast", "-o", "out"], folder)
        known.add(shop.run(["convert", "out", "-", "--to", "paths"], folder)[1])
    writers = [subprocess.Popen(["sh", "-c", f"for i in 1 2 3 4 5 6; do '{shop.command}' convert {source} out --to firth || exit 1; done"], cwd=folder)
               for source in ("model1", "model2")]
    known |= {shop.run(["convert", name, "-", "--to", "paths"], folder)[1] for name in ("model1", "model2")}
    while any(writer.poll() is None for writer in writers):
        code, out, err = shop.run(["convert", "out", "-", "--to", "paths"], folder)
        expect(code == 0 and out in known, f"a mixture was read: {code} {err}")
    expect(all(writer.returncode == 0 for writer in writers), "a writer failed")


def wait_for_input(pid, mapped):
    """Until the process has mapped a file and sleeps: it waits for standard input."""
    quiet = 0
    for _ in range(2000):
        time.sleep(0.02)
        with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/stat") as status:
            asleep = mapped in maps.read() and status.read().rsplit(")", 1)[1].split()[0] == "S"
        quiet = quiet + 1 if asleep else 0
        if quiet == 10:
            return
    raise AssertionError(f"{mapped} is not used")


def changed_file(shop, folder):
    """A mapped model that is cut short while it is used. (A tagger is copied when it is loaded.)"""
    (folder / "big.txt").write_text(campaign.text(3, words=60000, vocabulary=5000))
    trees = (folder / "trees1.mrg").read_text() + "".join(f"(S (N n{i}) (V v{i % 7}))\n" for i in range(2000))
    (folder / "big.mrg").write_text(trees)
    (folder / "words").write_text("".join(f"n{i} v{i % 7}\n" for i in range(1500, 2000)))
    shop.must(["lm", "train", "--words", "big.txt", "--order", "2", "-o", "other"], folder)
    for make, use in ((["lm", "train", "--words", "big.txt"], ["lm", "score"]), (["hmm", "train", "big.txt", "-c", "5", "--iterations", "1"], ["hmm", "tag"]),
                      (["lm", "mix", "other", "word.lm", "--weights", "0.5,0.5"], ["lm", "score"]),
                      (["parse", "train", "big.mrg", "--algorithm", "pcfg"], ["parse", "run"])):
        shop.must(make + ["-o", "model"], folder)
        process = subprocess.Popen([shop.command, *use, "model", "-"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for_input(process.pid, "/model")
        os.truncate(folder / "model", 100)
        _, err = process.communicate((folder / ("words" if use[0] == "parse" else "big.txt")).read_bytes(), timeout=60)
        expect(process.returncode == 1 and b"model: the file changed while it was read" in err, f"{use}: {process.returncode} {err}")


def changed_counts(shop, folder):
    """A count file that is cut short while it is clustered."""
    (folder / "big.txt").write_text(campaign.text(5, words=200_000, vocabulary=20_000))
    shop.must(["count", "big.txt", "-o", "big.counts"], folder)
    process = subprocess.Popen([shop.command, "cluster", "big.counts", "-c", "200", "--effort", "max", "-o", "out"], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while process.poll() is None and "big.counts" not in pathlib.Path(f"/proc/{process.pid}/maps").read_text():
        time.sleep(0.005)
    os.truncate(folder / "big.counts", 100)
    _, err = process.communicate(timeout=120)
    expect(process.returncode == 1 and b"big.counts: the " in err, f"{process.returncode} {err}")
    expect(not (folder / "out").exists() and not campaign.litter(folder), "something was left")


def escapes(shop, folder):
    """Words and names with control characters do not reach a terminal."""
    word = "a" + ESCAPE + C1
    (folder / "words.txt").write_text(f"{word} b c {word} c b {word} b\n" * 20)
    (folder / ("odd" + ESCAPE)).write_text("x")
    bad = f"\\data\\\nngram 1=1\n\n\\1-grams:\n-1.0 {word} {word} {word}\n"
    (folder / "bad.arpa").write_text(bad)
    (folder / "bad.mrg").write_text(f"( (S {word} (\n")
    (folder / "bad.tsv").write_text(f"{word}\t1\n{word}\t1\n")
    shown = [shop.run(["cluster", "words.txt", "-c", "2", "--method", "brown", "-o", "out"], folder)[2]]
    for arguments in (["lm", "score", "bad.arpa", "words.txt"], ["parse", "train", "bad.mrg", "-o", "g"], ["evaluate", "bad.tsv"],
                      ["convert", "odd" + ESCAPE, "-", "--to", "paths"], ["count", "nothing" + ESCAPE, "-o", "c"], ["count" + ESCAPE],
                      ["count", "words.txt", "--distances", ESCAPE, "-o", "c"], ["count", "--" + ESCAPE]):
        code, out, err = shop.run(arguments, folder)
        expect(code in (1, 2), f"{arguments}: {code}")
        shown.append(out + err)
    for text in shown:
        expect("\x1b" not in text and "\x07" not in text and "\u009b" not in text, f"raw control characters: {text!r}")
    expect(any("\\x1b" in text and "\\u009b" in text for text in shown), "not shown escaped either")


def on_a_terminal(shop, folder, arguments):
    """Exit code, and what a terminal gets on standard output and standard error."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(shop.command, [shop.command] + arguments)
    shown = b""
    try:
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    except OSError:  # how a terminal says that nobody writes any more
        pass
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code, re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown.decode(errors="replace"))  # colours and cleared lines of the progress


def outputs_on_a_terminal(shop, folder):
    """Whatever is written to a terminal under any name shows control characters of words as text; a pipe gets the bytes."""
    command_lines.odd_files(shop, folder)
    for arguments in command_lines.ON_A_TERMINAL:
        code, shown = on_a_terminal(shop, folder, arguments)
        allowed = (1,) if "x" + command_lines.WORD in arguments else (0, 2)  # a word that is not there; bytes for a terminal
        expect(code in allowed, f"{arguments}: {code} {shown[-300:]}")
        expect(not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", shown), f"{arguments}: raw control characters: {shown[-300:]!r}")
    expect(command_lines.WORD in shop.run(["convert", "d", "-", "--to", "newick"], folder)[1], "a pipe did not get the bytes")


def long_quotations(shop, folder):
    """A field of a megabyte is not quoted whole."""
    word = "x" * 1_000_000
    (folder / "bad.arpa").write_text(f"\\data\\\nngram 1=1\n\n\\1-grams:\n{word}\t{word}\t{word}\n")
    (folder / "bad.tsv").write_text(f"a\t{word}\nb\t{word}\nc c c\t1\t{word}\n")
    (folder / "bad.mrg").write_text(f"( (S ({word}\n")
    (folder / "bad.counts").write_text(f"{word} b {word}\n")
    for arguments in (["lm", "score", "bad.arpa", "text1.txt"], ["convert", "bad.tsv", "-", "--to", "srilm", "--from", "paths"],
                      ["evaluate", "bad.tsv", "--from", "classes"], ["parse", "train", "bad.mrg", "-o", "g"],
                      ["count", "bad.counts", "--format", "counts", "-o", "c"], ["count", "text1.txt", "--distances", word[:100000], "-o", "c"],
                      ["nearest", "bad.tsv", word[:100000]], ["lm", "predict", "class1.lm", word[:100000]]):
        code, _, err = shop.run(arguments, folder)
        expect(len(err) < 2000, f"{arguments[:2]}: a message of {len(err)} bytes")


def too_much_names_its_file(shop, folder):
    """Counts that are valid, but more than a method can work with, are an error of their file."""
    (folder / "huge.txt").write_text("".join(f"{left} {right} {1 << 52}\n" for left in "abcd" for right in "abcd" if left != right))
    shop.must(["count", "huge.txt", "--format", "counts", "-o", "huge"], folder)
    for method in ("auto", "exchange"):
        expect_error(shop.run(["cluster", "huge", "-c", "2", "--min-count", "1", "--method", method, "-o", "out"], folder), "huge: at most")


def no_long_waits(shop, folder):
    """What once took a minute or more takes seconds of the processor: ties in ALLSAME and SVD2, thousands of tags, a tree of 100,000 levels."""
    (folder / "once.txt").write_text("".join(" ".join(f"w{i + j}" for j in range(10)) + "\n" for i in range(0, 2000, 10)))
    (folder / "tags.mrg").write_text("".join(f"(S (L{i} (T{i} w{i})) (M{i} (U{i} v{i})))\n" for i in range(1000)))
    (folder / "deep.mrg").write_text("(X " * 100_000 + "w" + ")" * 100_000 + "\n")
    (folder / "tied.txt").write_text("".join(" ".join(f"w{i * step % 5000}" for i in range(5000)) + " " for step in (1, 5, 7, 11)))
    seconds = 10 * shop.memory_factor
    for arguments in (["cluster", "once.txt", "-c", "10", "--method", "brown", "--variant", "allsame", "-o", "out"],
                      ["cluster", "tied.txt", "-c", "4999", "--method", "svd2", "--threads", "1", "-o", "out"], ["parse", "train", "tags.mrg", "-o", "grammar2"],
                      ["parse", "score", "deep.mrg", "deep.mrg"]):
        code, _, err = shop.run(arguments, folder, limit=campaign.limit_of(resource.RLIMIT_CPU, seconds), timeout=600)
        expect(code == 0, f"{arguments}: {code} {err[-300:]}")


def a_label_for_every_token(shop, folder):
    """What grows with the square of the number of labels is bounded, or refused with what it needs, before it is taken."""
    labels = range(12_000)
    (folder / "own.mrg").write_text("".join(f"(S (A{i} w{i}) (B{i} v{i}))\n" for i in labels[::2]))
    (folder / "own.tsv").write_text("".join(f"w{i}\tT{i}\n" + "\n" * (i % 10 == 9) for i in labels))
    (folder / "own.txt").write_text("".join(f"w{i}" + " \n"[i % 10 == 9] for i in labels))
    refused = {"tag": "more than 1024 different tags", "hmm": "needs 5"}
    for arguments in (["parse", "train", "own.mrg", "--algorithm", "pcfg"], ["parse", "train", "--sequences", "own.tsv", "--algorithm", "pcfg"],
                      ["tag", "train", "own.tsv"], ["hmm", "train", "own.txt", "-c", "12000", "--memory", "500M"]):
        code, err, peak = peak_megabytes(shop, folder, arguments + ["-o", "m"])
        expect(peak < 1000 * shop.memory_factor, f"{arguments}: {peak} MB")
        expect(code == (1 if arguments[0] in refused else 0) and refused.get(arguments[0], "") in err, f"{arguments}: {code} {err[-300:]}")


def few_descriptors_and_no_threads(shop, folder):
    for number in (3, 4, 5, 6, 8):
        for arguments in (["--version"], ["count", "text1.txt", "-o", "out"], ["cluster", "text1.txt", "-c", "3", "--threads", "4", "-o", "folder"]):
            code, _, err = shop.run(arguments, folder, limit=campaign.limit_of(resource.RLIMIT_NOFILE, number))
            expect(code in (0, 1, 127), f"ulimit -n {number}: {arguments}: {code} {err}")  # 127: the libraries cannot be loaded


def every_reader_unpacks(shop, folder):
    """Lists of words and constraints, too: compressed, with a byte-order mark, with CRLF."""
    (folder / "order").write_bytes(gzip.compress(b"\xef\xbb\xbfw3\r\nw1\r\n"))
    (folder / "rules").write_bytes(gzip.compress(b"\xef\xbb\xbftogether w1 w2\r\napart w3 w4\r\n"))
    (folder / "words").write_bytes(gzip.compress(b"\xef\xbb\xbfw1\r\nw2\r\n"))
    shop.must(["cluster", "text1.txt", "-c", "3", "--method", "brown", "--order", "order", "-o", "out"], folder)
    shop.must(["cluster", "text1.txt", "-c", "3", "--effort", "fast", "--constraints", "rules", "-o", "out"], folder)
    shop.must(["count", "text1.txt", "--vocab", "words", "-o", "c"], folder)
    classes = dict(line.split("\t") for line in (folder / "out/classes.tsv").read_text().splitlines())
    expect(classes["w1"] == classes["w2"] and classes["w3"] != classes["w4"], f"the constraints do not hold: {classes}")


def checkpoint_in_the_output_folder(shop, folder):
    """A checkpoint is written during the run, also into a folder that is made at its end."""
    (folder / "big.txt").write_text(campaign.text(5, words=200_000, vocabulary=20_000))
    process = subprocess.Popen([shop.command, "cluster", "big.txt", "-c", "200", "--effort", "max", "--checkpoint", "new/state", "-o", "new"],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for _ in range(600):
        if (folder / "new/state").exists() or process.poll() is not None:
            break
        time.sleep(0.05)
    expect((folder / "new/state").exists() and not (folder / "new/classes.tsv").exists(), "no checkpoint, or results before the end")
    process.kill()
    process.communicate()


def peak_megabytes(shop, folder, arguments):
    """Exit code, standard error, and the most memory that the process had."""
    process = subprocess.Popen([shop.command] + arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    err = process.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, err, usage.ru_maxrss // 1024


def bombs(shop, folder):
    """A small compressed file that holds any amount of nothing is refused, and takes little memory."""
    for name, piece in (("zeros.gz", bytes(1 << 20)), ("letters.gz", b"x" * (1 << 20))):
        with gzip.open(folder / name, "wb", compresslevel=1) as file:
            for _ in range(300):
                file.write(piece)
    readers = [["count", "BOMB", "-o", "c"], ["lm", "train", "--words", "BOMB", "-o", "m"], ["hmm", "train", "BOMB", "-c", "2", "-o", "m"],
               ["tag", "train", "BOMB", "-o", "m"], ["parse", "train", "BOMB", "-o", "m"], ["convert", "BOMB", "-", "--to", "paths"],
               ["lm", "score", "BOMB", "text1.txt"], ["nearest", "BOMB", "w1"], ["features", "model1", "BOMB"],
               ["count", "text1.txt", "--vocab", "BOMB", "-o", "c"], ["evaluate", "model1", "--gold", "BOMB"]]
    for arguments in readers:
        code, err, peak = peak_megabytes(shop, folder, [word.replace("BOMB", "zeros.gz") for word in arguments])
        expect(code == 1 and "zeros.gz" in err and peak < 300 * shop.memory_factor, f"{arguments}: exit code {code}, {peak} MB: {err}")
    for arguments in readers[:5]:
        code, err, peak = peak_megabytes(shop, folder, [word.replace("BOMB", "letters.gz") for word in arguments] + ["--memory", "100M"])
        expect(code == 1 and "letters.gz" in err and peak < 150 * shop.memory_factor, f"{arguments}: exit code {code}, {peak} MB: {err}")


def memory_of_taggers(shop, folder):
    """Training keeps to its limit, or is refused."""
    draw = random.Random(1)
    lines = ["".join(f"w{int(draw.random() ** 2 * 20000)}\tT{draw.randrange(5)}\n" for _ in range(20)) for _ in range(8000)]
    (folder / "few.tsv").write_text("\n".join(lines[:4000]))
    (folder / "many.tsv").write_text("\n".join(lines))
    codes = set()
    for objective in ("crf", "perceptron"):
        for name, limit in (("few.tsv", 32), ("few.tsv", 64), ("few.tsv", 96), ("few.tsv", 128), ("many.tsv", 112)):
            code, err, peak = peak_megabytes(shop, folder, ["tag", "train", name, "--passes", "2", "--objective", objective, "--memory", f"{limit}M", "-o", "m"])
            expect(code == 0 or (code == 1 and "needs" in err and "--memory" in err), f"{objective}, {limit} MB: {code} {err}")
            expect(peak < (limit * 1.1 + 16) * shop.memory_factor, f"{objective}: {peak} MB, {limit} are allowed")
            codes.add(code)
    expect(codes == {0, 1}, f"exit codes {codes}")


def models_from_a_pipe(shop, folder):
    """Models and count files are mapped: a pipe is refused with a message that says so. Everything else may come from one."""
    for words in (["tag", "run", "PIPE:tagger", "text1.txt"], ["lm", "score", "PIPE:class1.lm", "text1.txt"], ["hmm", "tag", "PIPE:hmm", "text1.txt"],
                  ["parse", "run", "PIPE:grammar", "text1.txt"], ["count", "--merge", "PIPE:counts1", "counts2", "-o", "out"], ["cluster", "PIPE:counts1", "-c", "3", "-o", "out"]):
        place = next(i for i, word in enumerate(words) if word.startswith("PIPE:"))
        line = " ".join([f"'{shop.command}'"] + words[:place] + ["<(cat " + words[place].removeprefix("PIPE:") + ")"] + words[place + 1:])
        done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
        expect(done.returncode == 1 and "from a pipe" in done.stderr and not (folder / "out").exists(), f"{line}: {done.returncode} {done.stderr}")
    for line in ("lm score <(FIRTH lm export class1.lm --arpa /dev/stdout -q) text1.txt --classes <(FIRTH lm export class1.lm --srilm-classes /dev/stdout -q)",
                 "nearest <(cat vectors.txt) w1", "report <(cat classes1) -o page", "evaluate <(cat classes1) --text <(cat text1.txt)"):
        line = "FIRTH " + line
        done = subprocess.run(["bash", "-c", line.replace("FIRTH", f"'{shop.command}'")], cwd=folder, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{line}: {done.returncode} {done.stderr}")


def signs_of_life(shop, folder):
    """Work that has nothing to report says so after some seconds."""
    process = subprocess.Popen([shop.command, "lm", "score", "class1.lm", "-", "--progress", "always"], cwd=folder, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    line = process.stderr.readline().decode()
    expect(re.search("0:[0-5][05]", line), f"not a word: {line}")
    process.stdin.close()
    process.wait(timeout=20)


def ctrl_c_everywhere(shop, folder):
    """Whatever a command waits for or works at, one Ctrl-C ends it with code 130 and leaves nothing behind."""
    read_end, write_end = os.pipe()
    running = [(arguments, subprocess.Popen([shop.command] + arguments, cwd=folder, stdin=read_end, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))) for arguments in command_lines.WAITING + command_lines.ENDLESS]
    time.sleep(3)
    for arguments, process in running:
        expect(process.poll() is None, f"{arguments} did not wait: {process.returncode} {process.stderr.read() if process.poll() is not None else ''}")
        process.send_signal(signal.SIGINT)
    for arguments, process in running:
        err = process.communicate(timeout=30)[1]
        expect(process.returncode == 130 and b"interrupted" in err, f"{arguments}: {process.returncode} {err}")
    os.close(read_end)
    os.close(write_end)
    expect(not (folder / "out").exists() and not campaign.litter(folder), f"left {sorted(p.name for p in folder.iterdir())}")


CHECKS = {check.__name__: check for check in (
    devices, every_model_to_standard_output, links_and_modes, closed_streams, odd_names, outputs_before_work, same_names, stale_files, two_writers,
    readers_and_a_writer, changed_file, changed_counts, escapes, outputs_on_a_terminal, long_quotations, too_much_names_its_file, no_long_waits, a_label_for_every_token, few_descriptors_and_no_threads,
    every_reader_unpacks, checkpoint_in_the_output_folder, bombs, memory_of_taggers, models_from_a_pipe, signs_of_life, ctrl_c_everywhere)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", required=True)
    parser.add_argument("--memory-factor", type=int, default=1, help="limits of memory times N (sanitizers)")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    shop = campaign.Workshop(options.command)
    shop.memory_factor = options.memory_factor
    failed = 0
    for name in options.names or CHECKS:
        try:
            CHECKS[name](shop, shop.fresh_folder())
            print(f"ok {name}")
        except AssertionError as problem:
            failed += 1
            print(f"FAILED {name}: {problem}")
    shop.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
