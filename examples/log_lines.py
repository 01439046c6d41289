#!/usr/bin/env python3
"""Log lines: which words are keywords and which are variables.

Words of a log that stand for variables (addresses, numbers, names) keep the same company, so they share classes, and such a
class has many different words, each of them seen rarely. Keywords have classes of a few words that are seen again and again. A
class is taken for one of variables if its words are seen less often, on average, than the lines divided by twenty times
the number of classes. Lines are made from templates, so the truth is known.
"""
import collections
import random

import common

TEMPLATES = """
session opened for user {user} by {pid}
session closed for user {user}
connection from {ip} port {port} accepted
connection from {ip} port {port} refused
block {block} received from {ip} of size {size}
block {block} deleted by user {user}
VM {vm} started on host {ip}
VM {vm} paused on host {ip}
request {block} took {size} ms
disk {disk} usage {percent} percent
"""


def make_log(shop):
    """log.txt, and which words are variables."""
    draw = random.Random(shop.options.seed)
    makers = {
        "user": lambda: f"u{draw.randrange(300)}", "pid": lambda: str(draw.randrange(1000, 9999)),
        "ip": lambda: ".".join(str(draw.randrange(256)) for _ in range(4)), "port": lambda: str(draw.randrange(1024, 65536)),
        "block": lambda: f"blk_{draw.randrange(10 ** 6)}", "size": lambda: str(draw.randrange(10 ** 5, 10 ** 7)),
        "vm": lambda: f"vm-{draw.randrange(400)}", "disk": lambda: f"/dev/sd{draw.choice('abcdefgh')}{draw.randrange(40)}",
        "percent": lambda: f"{draw.randrange(100)}%"}
    templates = [template.split() for template in TEMPLATES.strip().splitlines()]
    variables = set()
    with open(shop.path("log.txt"), "w", encoding="ascii") as file:
        for _ in range(shop.options.lines):
            line = []
            for word in draw.choice(templates):
                name = word.strip("{}")
                line.append(makers[name]() if name in makers and word != name else word)
                if line[-1] != word:
                    variables.add(line[-1])
            file.write(" ".join(line) + "\n")
    return variables


def main():
    shop = common.Shop(__doc__, lines=(20000, "lines of log"), classes=(25, "classes"))
    variables = make_log(shop)
    shop.firth("cluster", "log.txt", "-c", shop.options.classes, "-o", "out")
    classes = shop.classes("out")
    counts = collections.Counter(word for line in shop.sentences("log.txt") for word in line)
    members = collections.defaultdict(list)
    for word, number in classes.items():
        members[number].append(word)
    limit = shop.options.lines / (20 * shop.options.classes)
    found, rows = set(), []
    for words in sorted(members.values(), key=len, reverse=True):
        rare = sum(counts[word] for word in words) / len(words) < limit
        if rare:
            found.update(words)
        rows.append({"class of": "variables" if rare else "keywords", "words": len(words), "variables among them": sum(w in variables for w in words),
                     "examples": " ".join(sorted(words, key=lambda w: -counts[w])[:5])})
    common.print_table(rows)
    right = len(found & variables)
    precision, recall = right / max(len(found), 1), right / max(len(variables), 1)
    tokens = sum(counts[w] for w in counts if (w in found) == (w in variables)) / sum(counts.values())
    print(f"variables: precision {precision:.3f}, recall {recall:.3f}; words of the log told apart: {tokens:.3f}")


main()
