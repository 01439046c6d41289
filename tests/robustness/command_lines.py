"""Command lines for all commands: what waits for standard input, and what shows words on a terminal. check_tables.py holds them
against the list of commands."""

# Whatever reads, with nothing to read. Commands without an input are not here.
WAITING = [
    ["count", "-", "-o", "out"], ["cluster", "-", "-c", "2", "-o", "out"], ["choose", "-"], ["compare", "-", "--methods", "brown", "--classes", "2"],
    ["compare", "model1", "model2", "--text", "-"], ["embed", "-", "-d", "2", "-o", "out"], ["tree", "classes1", "-", "-o", "out"],
    ["assign", "--model", "model1", "-", "-o", "out"], ["convert", "-", "out", "--to", "paths"], ["evaluate", "-"], ["evaluate", "model1", "--text", "-"],
    ["evaluate", "model1", "--gold", "-"], ["report", "-", "-o", "out"], ["show", "-"], ["features", "model1", "-"],
    ["lm", "train", "--words", "-", "-o", "out"], ["lm", "score", "class1.lm", "-"], ["lm", "predict", "class1.lm"],
    ["lm", "mix", "class1.lm", "word.lm", "--held-out", "-", "-o", "out"], ["lm", "export", "class1.lm", "-", "--map-text", "out"],
    ["hmm", "train", "-", "-c", "2", "-o", "out"], ["hmm", "tag", "hmm", "-"], ["tag", "train", "-", "-o", "out"], ["tag", "run", "tagger", "-"],
    ["tag", "score", "--model", "tagger", "-"], ["parse", "train", "-", "-o", "out"], ["parse", "run", "grammar", "-"], ["parse", "score", "trees1.mrg", "-"],
    ["parse", "probability", "grammar", "-"], ["phrases", "-"], ["lm", "count", "-", "-o", "out"], ["lm", "rescore", "class1.lm", "-"],
    ["lm", "add-words", "class1.lm", "-", "-o", "out"], ["prototypes", "model1", "-", "-o", "out"], ["tag", "apply", "tagged-prototypes.tsv", "model1", "-"],
    ["tag", "compare", "-", "--test", "tagged1.tsv", "--clusters", "model1"], ["pipeline", "-", "--labelled", "tagged1.tsv", "-c", "3", "-o", "out"],
    ["nearest", "-", "w1"],
]
# Nothing to wait for, but long: they end by themselves only after hours.
ENDLESS = [
    ["lm", "sample", "class1.lm", "-n", "1000000000000"], ["sample", "brown", "-n", "1000000", "-m", "1000", "--tokens", "1000000000000", "-o", "out"],
    ["sample", "lpcfg", "--trees", "1000000000", "-o", "out"],
]

ESCAPE = "\x1b]0;title\x07"
C1 = "\u009b2J"
WORD = "a" + ESCAPE + C1


def odd_files(shop, folder):
    """Texts, tags, trees, lists and models, all with a word that talks to the terminal; d is a folder of classes."""
    (folder / "words.txt").write_text(f"{WORD} b c {WORD} c b {WORD} b d e\n" * 20)
    (folder / "words.tsv").write_text(f"{WORD}\tT{WORD}\nb\tU\nc\tB-{WORD}\n\n" * 10)
    (folder / "words.mrg").write_text(f"(S (N{WORD} {WORD}) (V b))\n(S (N{WORD} c) (V b))\n" * 10)
    (folder / "words.nbest").write_text(f"1{WORD} ||| {WORD} b ||| -1\n1{WORD} ||| b c ||| -2\n")
    (folder / "words.new").write_text(f"n{WORD}\tb\n")
    for arguments in (["cluster", "words.txt", "-c", "2", "--effort", "fast", "-o", "d"], ["lm", "train", "--words", "words.txt", "-o", "words.lm"],
                      ["lm", "train", "--classes", "d", "words.txt", "-o", "classes.lm"], ["prototypes", "d", "words.txt", "-o", "p"],
                      ["embed", "words.txt", "-d", "2", "-o", "e"], ["tag", "train", "words.tsv", "-o", "t"], ["hmm", "train", "words.txt", "-c", "2", "-o", "h"],
                      ["parse", "train", "words.mrg", "--algorithm", "pcfg", "-o", "g"]):
        shop.must(arguments, folder)
    (folder / "tagged-p").write_text((folder / "p").read_text().replace("\t?\t", f"\tN{WORD}\t"))


ON_A_TERMINAL = [["convert", "d", name, "--to", form] for form in ("paths", "classes", "merges", "srilm", "clark", "mkcls", "newick", "codes", "json")
                 for name in ("-", "/dev/stdout", "/dev/tty")] + [
    ["phrases", "words.txt", "--min-count", "2", "--threshold", "0.1", "-o", "-"], ["phrases", "words.txt", "--min-count", "2", "--threshold", "0.1"],
    ["lm", "export", "words.lm", "--arpa", "-"], ["lm", "export", "classes.lm", "--srilm-classes", "/dev/stdout"], ["lm", "export", "classes.lm", "--expanded-arpa", "-"],
    ["lm", "export", "classes.lm", "words.txt", "--map-text", "-"], ["prototypes", "d", "words.txt", "-o", "-"], ["count", "words.txt", "-o", "-"],
    ["report", "d", "-o", "-"], ["cluster", "words.txt", "-c", "2", "--mkcls", "/dev/stdout", "-o", "d2"],
    ["embed", "words.txt", "-d", "2", "--word2vec", "/dev/stdout", "-o", "e2"], ["tag", "run", "t", "words.txt"], ["tag", "score", "--model", "t", "words.tsv"],
    ["tag", "train", "words.tsv", "--dev", "words.tsv", "-o", "o" + WORD], ["tag", "compare", "words.tsv", "--test", "words.tsv", "--clusters", "d", "--passes", "1"],
    ["tag", "apply", "tagged-p", "d", "words.txt"], ["features", "d", "words.txt"], ["show", "d"], ["show", "d", WORD], ["show", "d", "x" + WORD], ["nearest", "e", "b"],
    ["nearest", "e", "x" + WORD], ["lm", "sample", "words.lm", "-n", "3"], ["lm", "predict", "words.lm", "b"], ["lm", "count", "words.txt", "-o", "o" + WORD],
    ["lm", "train", "--words", "words.txt", "-o", "o" + WORD], ["lm", "score", "words.lm", "words.txt"], ["lm", "rescore", "words.lm", "words.nbest"],
    ["lm", "mix", "words.lm", "classes.lm", "--held-out", "words.txt", "-o", "o" + WORD], ["lm", "add-words", "classes.lm", "words.new", "-o", "o" + WORD],
    ["hmm", "train", "words.txt", "-c", "2", "-o", "o" + WORD], ["hmm", "tag", "h", "words.txt"], ["choose", "words.txt", "--gold", "words.tsv", "--max-classes", "3"],
    ["compare", "d", "d", "--text", "words.txt", "--gold", "words.tsv"], ["tree", "d", "words.txt", "-o", "f" + WORD], ["assign", "d", "words.txt"],
    ["evaluate", "d", "--text", "words.txt"], ["evaluate", "d", "--gold", "words.tsv", "--prototype"], ["pipeline", "words.txt", "--labelled", "words.tsv", "-c", "2", "--passes", "1", "-o", "f" + WORD],
    ["parse", "train", "words.mrg", "-o", "o" + WORD], ["parse", "run", "g", "words.txt"], ["parse", "score", "words.mrg", "words.mrg"],
    ["parse", "probability", "g", "words.mrg"], ["sample", "brown", "-n", "10", "-m", "2", "--tokens", "50", "-o", "f" + WORD],
    ["sample", "lpcfg", "--trees", "5", "-o", "f" + WORD],
]
