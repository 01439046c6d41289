"""The same options and seed give the bytes of the command, whatever the threads and wherever the text comes from."""

from __future__ import annotations

import inspect
import json
import pathlib
import pickle
from typing import Any, Dict, List, Tuple

import pytest

import firth

# Options of Python, options of the command.
CLUSTERINGS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "auto": ({}, ""),
    "auto-fast": ({"effort": "fast"}, "--effort fast"),
    "auto-high": ({"effort": "high"}, "--effort high"),
    "auto-max": ({"effort": "max", "max_vocab": 30}, "--effort max --max-vocab 30"),
    "auto-seed": ({"seed": 5}, "--seed 5"),
    "auto-line-ends": ({"line_ends": True, "size_weight": 1.5}, "--boundaries --size-weight 1.5"),
    "auto-init": ({"init": "brown"}, "--init brown"),
    "exchange": ({"method": "exchange"}, "--method exchange"),
    "exchange-random": ({"method": "exchange", "init": "random", "restarts": 2}, "--method exchange --init random --restarts 2"),
    "exchange-frequency": (
        {"method": "exchange", "init": "frequency", "passes": 2, "tolerance": 0.001},
        "--method exchange --init frequency --passes 2 --tolerance 0.001",
    ),
    "brown": ({"method": "brown"}, "--method brown"),
    "brown-window": ({"method": "brown", "window": 30}, "--method brown --window 30"),
    "brown-all": ({"method": "brown", "window": "all"}, "--method brown --window all"),
    "brown-allsame": ({"method": "brown", "variant": "allsame"}, "--method brown --variant allsame"),
    "brown-resort": (
        {"method": "brown", "variant": "resort", "resort_every": 3, "resort_by": "connectivity"},
        "--method brown --variant resort --resort-every 3 --resort-by connectivity",
    ),
    "brown-line-ends": ({"method": "brown", "line_ends": True}, "--method brown --boundaries"),
    "brown-unigram": ({"method": "brown", "marginals": "unigram"}, "--method brown --marginals unigram"),
    "spectral": ({"method": "spectral"}, "--method spectral"),
    "spectral-r1": ({"method": "spectral", "context": "R1", "kappa": 2.0, "dim": 8}, "--method spectral --context R1 --kappa 2 --dim 8"),
    "spectral-none": ({"method": "spectral", "weights": "none"}, "--method spectral --weights none"),
    "spectral-full": ({"method": "spectral", "hierarchy": "full"}, "--method spectral --agglomerate full"),
    "spectral-divide": ({"method": "spectral", "hierarchy": "divide"}, "--method spectral --divide"),
    "spectral-refine": ({"method": "spectral", "refine": True}, "--method spectral --refine"),
    "svd2": ({"method": "svd2", "rank1": 8, "clusters1": 20, "rank2": 10}, "--method svd2 --r1 8 --k1 20 --r2 10"),
    "svd2-plain": (
        {"method": "svd2", "context_words": 30, "rank1": 5, "second_pass": False, "scale": False, "unit_length": False,
         "weighted": False, "frequent_seeds": False},
        "--method svd2 --w1 30 --r1 5 --one-pass --no-scale --no-unit --no-weights --random-centroids",
    ),
    "spectral-context": (
        {"method": "spectral", "context": "-1,+1,+2", "tolerance": 0.1, "window": 20, "weights": "sqrt"},
        "--method spectral --context=-1,+1,+2 --svd-tolerance 0.1 --spectral-window 20 --weights sqrt",
    ),
    "pos": ({"method": "pos", "restarts": 2}, "--method pos --pos-restarts 2"),
    "pos-weights": (
        {"method": "pos", "restarts": 1, "skip_weight": 0.0, "suffix_weight": 2.0, "fold_case": False},
        "--method pos --pos-restarts 1 --skip-weight 0 --suffix-weight 2 --no-fold",
    ),
    "pos-more": (
        {"method": "pos", "restarts": 1, "shape_weight": 0.5, "length_weight": 0.0, "capital_weight": 2.0, "type_weight": 0.5,
         "max_tokens": 3000},
        "--method pos --pos-restarts 1 --shape-weight 0.5 --length-weight 0 --capital-weight 2 --type-weight 0.5 --max-tokens 3000",
    ),
    "min-count": ({"min_count": 3}, "--min-count 3"),
    "max-vocab": ({"max_vocab": 40, "rare": "break"}, "--max-vocab 40 --rare break"),
    "drop": ({"min_count": 3, "rare": "drop"}, "--min-count 3 --rare drop"),
    "lowercase": ({"lowercase": True, "boundaries": "stream"}, "--lowercase --stream"),
    "tokenize": ({"tokenize": True}, "--tokenize"),
    "normalize": ({"normalize": "nfkc"}, "--normalize nfkc"),
    "squeeze": ({"squeeze": True}, "--squeeze"),
    "class-size": ({"class_size": "equal"}, "--class-size equal"),
    "class-size-spectral": ({"method": "spectral", "class_size": "max-tokens=1500"}, "--method spectral --class-size max-tokens=1500"),
    "replace": ({"invalid_utf8": "replace"}, "--invalid-utf8 replace"),
}
CLASSES = 12


def folder_bytes(folder: pathlib.Path) -> Dict[str, bytes]:
    """The files that hold classes; run.json has times."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.json"}


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_cluster(name: str, command: Any, text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path) -> None:
    options, flags = CLUSTERINGS[name]
    command("cluster", text, "-c", CLASSES, "-o", tmp_path / "command", *flags.split())
    wanted = folder_bytes(tmp_path / "command")
    assert len(wanted) >= 2
    for threads in (1, 2):
        firth.cluster(text, CLASSES, threads=threads, **options).save(tmp_path / "file")
        assert folder_bytes(tmp_path / "file") == wanted, f"{threads} threads"
    firth.cluster(texts=iter(lines), n_classes=CLASSES, threads=2, **options).save(tmp_path / "iterable")
    assert folder_bytes(tmp_path / "iterable") == wanted


# Options that name a file, in both.
FILES: Dict[str, Tuple[str, str, Dict[str, str], str]] = {
    "constraints": ("constraints", "together cat dog\napart the runs\n", {"constraints": "constraints"}, "--constraints"),
    "brown-constraints": (
        "constraints", "together cat dog\napart the runs\n", {"method": "brown", "constraints": "constraints"},
        "--method brown --constraints",
    ),
    "auto-init": ("start", "the\t0\na\t0\ncat\t1\ndog\t1\n", {"init": "start"}, "--init"),
    "brown-order": ("order", "dog\ncat\nthe\n", {"method": "brown", "order": "order"}, "--method brown --order"),
    "vocab": ("vocab", "the\na\ncat\ndog\nruns\nsits\nking\nhouse\nin\non\nred\nold\ngreat\n", {"vocab": "vocab"}, "--vocab"),
}


@pytest.mark.parametrize("name", FILES)
def test_cluster_with_a_file(
    name: str, command: Any, text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, content, options, flag = FILES[name]
    monkeypatch.chdir(tmp_path)
    pathlib.Path(file).write_text(content, "utf-8")
    command("cluster", text, "-c", CLASSES, "-o", "command", *flag.split(), file)
    wanted = folder_bytes(tmp_path / "command")
    for threads in (1, 2):
        firth.cluster(text, CLASSES, threads=threads, **options).save("file")
        assert folder_bytes(tmp_path / "file") == wanted, f"{threads} threads"
    firth.cluster(texts=iter(lines), n_classes=CLASSES, **options).save("iterable")
    assert folder_bytes(tmp_path / "iterable") == wanted


@pytest.fixture(scope="module")
def long_text(lines: List[str], tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """More than half a million words, some of them rare: where min_count is no longer 1 unless somebody says so."""
    path = tmp_path_factory.mktemp("long") / "long.txt"
    rare = "".join(f"the rare{number // 2} runs\n" for number in range(600))
    path.write_text("".join(line + "\n" for line in lines) * 60 + rare, "utf-8")
    return path


@pytest.mark.parametrize("method", ["exchange", "brown", "spectral", "svd2"])
def test_rare_words_by_default(method: str, command: Any, long_text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    more = {"passes": 1} if method == "exchange" else {}
    flags = ["--passes", "1"] if method == "exchange" else []
    command("cluster", long_text, "-c", CLASSES, "--method", method, "-o", tmp_path / "command", *flags)
    wanted = folder_bytes(tmp_path / "command")
    classes = firth.cluster(long_text, CLASSES, method=method, **more)
    assert classes.info["min_count"] == (1 if method == "svd2" else 3)
    assert ("rare0" in classes) == (method == "svd2")
    classes.save(tmp_path / "file")
    assert folder_bytes(tmp_path / "file") == wanted
    if method == "exchange":
        counts = firth.count(long_text)
        assert firth.cluster(counts, CLASSES, method=method, **more) == classes
        assert "rare0" in firth.cluster(counts, CLASSES, method=method, min_count=1, **more)
        assert firth.cluster(counts, CLASSES, method=method, max_vocab=50, **more).info["min_count"] == 1


def test_rare_token_ids_get_a_class(command: Any, tmp_path: pathlib.Path) -> None:
    """More than half a million ids: words would have to be seen three times."""
    sequences = [list(range(start, start + 10)) for start in range(20)] * 2600 + [[777, 1]]
    file = tmp_path / "text.ids"
    file.write_text("".join(" ".join(map(str, sequence)) + "\n" for sequence in sequences), "utf-8")
    more: Dict[str, Any] = {"method": "exchange", "passes": 1}
    command("cluster", file, "--format", "ids", "-c", CLASSES, "--method", "exchange", "--passes", 1, "-o", tmp_path / "command")
    for number, classes in enumerate(
        [firth.cluster(file, CLASSES, format="ids", **more), firth.cluster(ids=sequences, n_classes=CLASSES, **more)]
    ):
        assert "777" in classes and classes.info["min_count"] == 1
        classes.save(tmp_path / str(number))
        assert folder_bytes(tmp_path / str(number)) == folder_bytes(tmp_path / "command")


def test_auto_number_of_classes(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command("cluster", text, "-c", "auto", "-o", tmp_path / "command")
    classes = firth.cluster(text, "auto")
    classes.save(tmp_path / "python")
    assert folder_bytes(tmp_path / "python") == folder_bytes(tmp_path / "command")
    assert classes.info["choice"]["n_classes"] == classes.n_classes == firth.choose(text)["n_classes"]


def as_conllu(sentence: List[str]) -> str:
    return "".join(f"{number}\t{word}" + "\t_" * 8 + "\n" for number, word in enumerate(sentence, 1)) + "\n"


# Name of the file, how to write a sentence, options of Python, options of the command.
FORMATS: Dict[str, Tuple[str, Any, Dict[str, Any], str]] = {
    "conllu": ("text.conllu", as_conllu, {}, ""),
    "conllu-content": ("text", as_conllu, {}, ""),
    "jsonl": ("text.jsonl", lambda words: json.dumps({"text": " ".join(words)}) + "\n", {}, ""),
    "jsonl-field": ("t.jsonl", lambda words: json.dumps({"a": {"b": words}}) + "\n", {"field": "a.b"}, "--field a.b"),
    "csv": ("text.csv", lambda words: f'1,"{" ".join(words)}"\n', {"column": "2"}, "--column 2"),
    "columns": ("text", lambda words: "".join(f"x {word}\n" for word in words) + "\n", {"format": "columns", "column": "2"},
                "--format columns --column 2"),
    "ids": ("ids", lambda words: " ".join(str(len(word)) for word in words) + " 0\n", {"format": "ids", "sequence_end": 0},
            "--format ids --sequence-end 0"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name: str, command: Any, tokens: List[List[str]], tmp_path: pathlib.Path) -> None:
    file, form, options, flags = FORMATS[name]
    path = tmp_path / file
    path.write_text("".join(form(sentence) for sentence in tokens[:300]), "utf-8")
    command("count", path, "-o", tmp_path / "command.counts", *flags.split())
    wanted = (tmp_path / "command.counts").read_bytes()
    for threads in (1, 2):
        firth.count(path, threads=threads, **options).save(tmp_path / "python.counts")
        assert (tmp_path / "python.counts").read_bytes() == wanted
    if name == "conllu-content":
        return  # open files go by their names
    with open(path, "rb") as raw:
        firth.count(raw, **options).save(tmp_path / "python.counts")
        assert (tmp_path / "python.counts").read_bytes() == wanted


def test_choose_and_compare(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    counts = firth.count(text)
    choice = json.loads(command("choose", text, "--json"))
    ours = firth.choose(text)
    assert ours["judged_by"] == choice["judged_by"]
    assert ours["n_classes"] == choice["classes"] and ours["perplexity"] == choice["perplexity"]
    assert [list(point) for point in ours["cuts"]] == [[point["classes"], point["perplexity"]] for point in choice["cuts"]]
    other = json.loads(command("choose", text, "--held-out", text, "--max-classes", 20, "--json"))
    assert firth.choose(counts, held_out=counts, max_classes=20)["perplexity"] == other["perplexity"] < ours["perplexity"]
    counts.save(tmp_path / "text.counts")
    by_pairs = json.loads(command("choose", tmp_path / "text.counts", "--json"))
    assert firth.choose(counts)["perplexity"] == by_pairs["perplexity"]
    assert firth.choose(counts)["judged_by"] == by_pairs["judged_by"] == "pairs"
    lines = text.read_text(encoding="utf-8").splitlines()
    assert firth.choose(texts=lines) == firth.choose(tokens=[line.split() for line in lines]) == ours
    with pytest.raises(TypeError, match="there is no option 'lower_case'"):
        firth.choose(text, lower_case=True)
    first, second = firth.cluster(counts, CLASSES), firth.cluster(counts, CLASSES, method="brown")
    first.save(tmp_path / "first")
    second.save(tmp_path / "second")
    said = json.loads(command("compare", tmp_path / "first", tmp_path / "second", "--text", text, "--held-out", text, "--to", "json"))
    scores = [firth.evaluate(each, counts, held_out=counts) for each in (first, second)]
    assert [score["perplexity"] for score in scores] == [row["perplexity"] for row in said["rows"]]
    assert [score["ami_bits"] for score in scores] == [row["ami_bits"] for row in said["rows"]]
    agreement = first.compare(second)
    assert agreement["by_token"] == said["agreement"][0]["tokens"]
    assert agreement["moved"][:10] == [each["word"] for each in said["agreement"][0]["moved"]]


def test_every_method_is_here() -> None:
    used = {options.get("method", "auto") for options, _ in CLUSTERINGS.values()}
    assert used == set(firth.methods())


# Options of methods that say when to stop, what else to write, or how to start: no other classes for the same text, or tested
# where they belong (test_clustering.py: time limits, checkpoints, flat classes, starts).
NOT_COMPARED = {"checkpoint", "checkpoint_seconds", "max_seconds", "resume", "start", "trace", "tree"}


@pytest.mark.parametrize("method", firth.methods())
def test_every_option_is_here(method: str) -> None:
    """The extension says which options a method has; each has a line in the tables above."""
    with pytest.raises(firth.UsageError, match="its options are") as caught:
        firth.cluster(texts=["a b a c"], n_classes=2, method=method, no_such_option=1)
    known = set(caught.value.hint.replace("its options are ", "").split(", ")) - NOT_COMPARED
    assert len(known) >= 5
    tables: List[Dict[str, Any]] = [options for options, _ in CLUSTERINGS.values()] + [options for _, _, options, _ in FILES.values()]
    alike = {"auto", "exchange"} if method in ("auto", "exchange") else {method}  # the same code reads what both have
    used = {name for options in tables if options.get("method", "auto") in alike for name in options}
    assert known - used == set()


def test_every_way_to_read_is_here() -> None:
    """Every keyword of firth.cluster() that is about text or words has a line in the tables above, or a test of its own."""
    tables: List[Dict[str, Any]] = [options for options, _ in CLUSTERINGS.values()]
    tables += [options for _, _, options, _ in FILES.values()] + [options for _, _, options, _ in FORMATS.values()]
    used = {name for options in tables for name in options}
    elsewhere = {"data", "n_classes", "texts", "tokens", "ids", "names", "id_names", "threads", "memory", "temp_folder", "progress",
                 "encoding", "options"}
    assert set(inspect.signature(firth.cluster).parameters) - used - elsewhere == set()


COUNTINGS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "plain": ({}, ""),
    "distances": ({"distances": (1, 2, 5)}, "--distances 1,2,5"),
    "stream": ({"boundaries": "stream"}, "--stream"),
    "lowercase": ({"lowercase": True, "min_count": 2}, "--lowercase --min-count 2"),
    "memory": ({"memory": "64M"}, "--memory 64M"),
}


@pytest.mark.parametrize("name", COUNTINGS)
def test_count(
    name: str, command: Any, text: pathlib.Path, lines: List[str], tokens: List[List[str]], tmp_path: pathlib.Path
) -> None:
    options, flags = COUNTINGS[name]
    command("count", text, "-o", tmp_path / "command.counts", *flags.split())
    wanted = (tmp_path / "command.counts").read_bytes()
    with open(text, encoding="utf-8") as characters, open(text, "rb") as raw:
        sources: List[Dict[str, Any]] = [
            {"inputs": text}, {"inputs": [str(text)]}, {"texts": lines}, {"texts": [line.encode() for line in lines]},
            {"tokens": tokens}, {"inputs": characters}, {"inputs": raw},
        ]
        for number, source in enumerate(sources):
            for threads in (1, 2):
                if threads == 2 and "inputs" in source and hasattr(source["inputs"], "read"):
                    continue
                firth.count(**source, **options, threads=threads).save(tmp_path / "python.counts")
                assert (tmp_path / "python.counts").read_bytes() == wanted, f"source {number}, {threads} threads"


def test_embed(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    command("embed", text, "--dim", 10, "-o", tmp_path / "command")
    counts = firth.count(text, distances=(1, 2))
    vectors = firth.embed(counts, 10)
    vectors.save(tmp_path / "python")
    made = sorted(tmp_path.rglob("*.npy"))
    assert len(made) == 2
    assert made[0].read_bytes() == made[1].read_bytes()


def test_conversions(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    classes = firth.cluster(text, CLASSES)
    classes.save(tmp_path / "out")
    for name in ("paths", "classes", "merges", "srilm", "clark", "json"):
        command("convert", tmp_path / "out", tmp_path / name, "--to", name)
        classes.save(tmp_path / "ours", name)
        assert (tmp_path / "ours").read_bytes() == (tmp_path / name).read_bytes(), name
        assert classes.to_string(name).encode() == (tmp_path / name).read_bytes()


VECTORS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "ward": ({}, ""),
    "ward-all": ({"window": 10**6, "weights": "sqrt"}, "--ward-window all --weights sqrt"),
    "euclidean": ({"distance": "euclidean"}, "--distance euclidean"),
    "divide": ({"method": "divide", "weights": "counts"}, "--method divide --weights counts"),
    "kmeans": ({"method": "kmeans", "seed": 3}, "--method kmeans --seed 3"),
    "kmeans-ward": ({"method": "kmeans", "start": "ward", "iterations": 5},
                    "--method kmeans --kmeans-start ward --kmeans-iterations 5"),
    "equal": ({"method": "kmeans", "class_size": "equal"}, "--method kmeans --class-size equal"),
    "max": ({"class_size": "max-tokens=2000"}, "--class-size max-tokens=2000"),
}


@pytest.mark.parametrize("name", VECTORS)
def test_cluster_vectors(name: str, command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    options, flags = VECTORS[name]
    vectors = firth.embed(firth.count(text, distances=(1, 2)), 10)
    vectors.save(tmp_path / "vectors")
    command("cluster", "--vectors", tmp_path / "vectors.npy", "-c", CLASSES, "-o", tmp_path / "command", *flags.split())
    for threads in (1, 2):
        made = firth.cluster_vectors(vectors, CLASSES, threads=threads, **options)
        made.save(tmp_path / "python")
        assert folder_bytes(tmp_path / "python") == folder_bytes(tmp_path / "command")
    assert ("free_sum_of_squares" in made.info) == ("class_size" in options)
    assert firth.load_clustering(tmp_path / "python").means is not None


def test_assign_vectors(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    vectors = firth.embed(firth.count(text, distances=(1, 2)), 10)
    half = len(vectors) // 2
    known, fresh = (firth.Vectors.from_arrays(vectors.words[part], vectors.array[part])
                    for part in (slice(None, half), slice(half, None)))
    known.save(tmp_path / "known")
    fresh.save(tmp_path / "fresh")
    command("cluster", "--vectors", tmp_path / "known.npy", "-c", 5, "-o", tmp_path / "out")
    command("assign", tmp_path / "out", "--vectors", tmp_path / "fresh.npy", "-o", tmp_path / "more")
    made = firth.cluster_vectors(known, 5)
    larger = made.assign_vectors(fresh)
    assert larger == firth.load_clustering(tmp_path / "more")
    assert [each.label for each in larger.assigned] == made.nearest(fresh).tolist()
    assert firth.load_clustering(tmp_path / "out").nearest(fresh).tolist() == made.nearest(fresh).tolist()


@pytest.mark.parametrize("flags", ["--threshold 0.2", "--max-words 4 --score lr --threshold 20", "--lowercase --min-count 20 --joiner + --threshold 0.1"])
def test_phrases(flags: str, command: Any, text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path) -> None:
    options: Dict[str, Any] = {"--thr": {"threshold": 0.2}, "--max": {"max_words": 4, "score": "lr", "threshold": 20.0},
                               "--low": {"lowercase": True, "min_count": 20, "joiner": "+", "threshold": 0.1}}[flags[:5]]
    table = command("phrases", text, "-o", tmp_path / "joined", *flags.split())
    phrases = firth.find_phrases(texts=iter(lines), **options)
    phrases.save(tmp_path / "table")
    assert len(phrases) > 0 and (tmp_path / "table").read_text("utf-8") == table
    assert firth.find_phrases(text, **options) == phrases
    loaded = firth.load_phrases(tmp_path / "table", phrases.joiner)
    assert [phrase._replace(score=round(phrase.score, 4)) for phrase in phrases] == list(loaded)
    # A table that was saved joins as the search did at once.
    lowercase = options.get("lowercase", False)
    assert loaded.join(tmp_path / "again", text, lowercase=lowercase) > 0
    assert (tmp_path / "again").read_bytes() == (tmp_path / "joined").read_bytes()
    if not lowercase:
        wanted = (tmp_path / "joined").read_text("utf-8").splitlines()
        assert [" ".join(words) for words in phrases.joined(line.split() for line in lines)] == wanted


def test_codes_ids_and_sizes(command: Any, text: pathlib.Path, tokens: List[List[str]], tmp_path: pathlib.Path) -> None:
    np = pytest.importorskip("numpy")
    classes = firth.cluster(text, CLASSES)
    classes.save(tmp_path / "out")
    command("convert", tmp_path / "out", tmp_path / "codes.npy", "--to", "codes", "--branch", 8, "--depth", 3)
    assert (np.load(tmp_path / "codes.npy") == classes.codes(8, 3)).all()
    command("convert", tmp_path / "out", tmp_path / "depth", "--to", "depth=2")
    assert (tmp_path / "depth").read_text("utf-8") == classes.cut_at_depth(2).to_string("classes")
    command("convert", tmp_path / "out", tmp_path / "even", "--to", "classes", "--cut", 5, "--class-size", "equal")
    assert (tmp_path / "even").read_text("utf-8") == classes.cut_by_size("equal", 5).to_string("classes")
    names = sorted({word for sentence in tokens for word in sentence})
    (tmp_path / "names").write_text("".join(name + "\n" for name in names), "utf-8")
    command("convert", tmp_path / "out", tmp_path / "ids.npy", "--to", "ids", "--id-names", tmp_path / "names")
    by_id = classes.by_id(tmp_path / "names")
    assert (np.load(tmp_path / "ids.npy") == by_id).all()
    assert by_id.tolist() == [classes[name] for name in names]


def test_ids_and_words_give_the_same_classes(
    command: Any, text: pathlib.Path, tokens: List[List[str]], tmp_path: pathlib.Path
) -> None:
    """Counting, clustering, a language model and assignment, with numbers in place of words."""
    np = pytest.importorskip("numpy")
    names = list(dict.fromkeys(word for sentence in tokens for word in sentence))
    number = {word: i for i, word in enumerate(names)}
    ids = [[number[word] for word in sentence] for sentence in tokens]
    (tmp_path / "names").write_text("".join(name + "\n" for name in names), "utf-8")
    (tmp_path / "ids").write_text("".join(" ".join(map(str, each)) + "\n" for each in ids), "utf-8")
    end = len(names)
    np.array([i for each in ids for i in [*each, end]], "<u2").tofile(tmp_path / "ids.bin")
    words = firth.cluster(text, CLASSES)
    assert firth.cluster(ids=ids, names=names, n_classes=CLASSES) == words
    assert firth.cluster(tmp_path / "ids", CLASSES, format="ids", id_names=tmp_path / "names") == words
    assert firth.cluster(tmp_path / "ids.bin", CLASSES, format="u16", sequence_end=end, id_names=tmp_path / "names") == words
    flags = ("--format", "ids", "--id-names", tmp_path / "names")
    command("cluster", tmp_path / "ids", "-c", CLASSES, "-o", tmp_path / "out", *flags)
    words.save(tmp_path / "words")
    assert folder_bytes(tmp_path / "out") == folder_bytes(tmp_path / "words")
    command("lm", "train", text, "--classes", tmp_path / "words", "-o", tmp_path / "words.lm")
    command("lm", "train", tmp_path / "ids", "--classes", tmp_path / "out", "-o", tmp_path / "ids.lm", *flags)
    assert (tmp_path / "words.lm").read_bytes() == (tmp_path / "ids.lm").read_bytes()
    scores = [json.loads(command("lm", "score", tmp_path / f"{name}.lm", path, "--json", *more))
              for name, path, more in (("words", text, ()), ("ids", tmp_path / "ids", flags))]
    assert scores[0]["perplexity"] == scores[1]["perplexity"]
    few = firth.cluster(text, CLASSES, max_vocab=40)
    few.save(tmp_path / "few")
    command("assign", tmp_path / "few", text, "-o", tmp_path / "more-words")
    command("assign", tmp_path / "few", tmp_path / "ids", "-o", tmp_path / "more-ids", *flags)
    assert folder_bytes(tmp_path / "more-ids") == folder_bytes(tmp_path / "more-words")


def test_things_pickle(text: pathlib.Path, lines: List[str]) -> None:
    phrases = firth.find_phrases(text, threshold=0.2)
    again = pickle.loads(pickle.dumps(phrases))
    assert again == phrases and len(again) > 0 and again.joined([lines[0].split()]) == phrases.joined([lines[0].split()])
    vectors = firth.embed(firth.count(text, distances=(1, 2)), 10)
    classes = firth.cluster_vectors(vectors, 5)
    assert (pickle.loads(pickle.dumps(classes)).means == classes.means).all()
    tagger = firth.PrototypeTagger(classes, [firth.Prototype("cat", "N")])
    assert pickle.loads(pickle.dumps(tagger)) == tagger


def test_prototypes(command: Any, text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path) -> None:
    classes = firth.cluster(text, CLASSES)
    classes.save(tmp_path / "out")
    command("prototypes", tmp_path / "out", text, "-o", tmp_path / "command.tsv", "--places", 2)
    prototypes = firth.choose_prototypes(classes, texts=iter(lines), contexts=2)
    firth.save_prototypes(tmp_path / "python.tsv", prototypes)
    assert (tmp_path / "python.tsv").read_bytes() == (tmp_path / "command.tsv").read_bytes()
    tagged = [each._replace(tag=f"T{each.label}") for each in prototypes]
    firth.save_prototypes(tmp_path / "tagged.tsv", tagged)
    said = command("tag", "apply", tmp_path / "tagged.tsv", tmp_path / "out", text)
    ours = firth.PrototypeTagger(classes, firth.load_prototypes(tmp_path / "tagged.tsv")).tag(text)
    assert all(tag == f"T{classes[word]}" for sentence in ours for word, tag in sentence)
    assert [tag for sentence in ours for _, tag in sentence] == [line.split("\t")[-1] for line in said.splitlines() if line]


def test_text_is_read_as_that_of_the_classes(command: Any, lines: List[str], tmp_path: pathlib.Path) -> None:
    """What a model knows about its text needs no option, neither in the command nor here."""
    text, other = tmp_path / "text.txt", tmp_path / "other.txt"
    text.write_text("".join(f"{line.title()}, ﬁne!\n" for line in lines), "utf-8")
    other.write_text("".join(f"{line.upper()} ﬁne?\nThe wolf sees A unicorn.\n" for line in lines[:50]), "utf-8")
    command("cluster", text, "-c", CLASSES, "--lowercase", "--tokenize", "--normalize", "nfkc", "--stream", "-o", tmp_path / "classes")
    classes = firth.load_clustering(tmp_path / "classes")
    assert classes.preprocessing == {"boundaries": "stream", "normalize": "nfkc", "lowercase": True, "tokenize": True}

    wanted = json.loads(command("evaluate", tmp_path / "classes", "--text", text, "--json"))
    scores = firth.evaluate(classes, text)
    assert scores["token_coverage"] == wanted["coverage"]["tokens"]["share"] == 1
    assert scores["ami_bits"] == wanted["ami_bits"]

    command("assign", tmp_path / "classes", other, "-o", tmp_path / "more")
    classes.assign(other).save(tmp_path / "here")
    assert folder_bytes(tmp_path / "here") == folder_bytes(tmp_path / "more")

    command("lm", "train", text, "--classes", tmp_path / "classes", "-o", tmp_path / "lm")
    model = firth.LanguageModel.train(text, classes=classes)
    model.save(tmp_path / "lm-here")
    assert (tmp_path / "lm-here").read_bytes() == (tmp_path / "lm").read_bytes()
    wanted = json.loads(command("lm", "score", tmp_path / "lm", other, "--json"))
    assert model.score(other)["unknown"] == wanted["unknown"]
    assert model.score(other)["perplexity"] == pytest.approx(wanted["perplexity"], rel=1e-9)

    command("hmm", "train", text, "-c", 3, "--lowercase", "--tokenize", "--normalize", "nfkc", "--iterations", 2, "-o", tmp_path / "hmm")
    said = command("hmm", "tag", tmp_path / "hmm", other).strip().split("\n\n")
    states = [[str(state) for state in sentence] for sentence in firth.load(tmp_path / "hmm").tag(other)]
    assert states == [[line.split("\t")[1] for line in sentence.splitlines()] for sentence in said]
