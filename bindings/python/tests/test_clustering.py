"""Classes as a mapping, a tree, features."""

from __future__ import annotations

import copy
import pathlib
import pickle
from typing import Any, Dict, List

import numpy as np
import pytest

import firth


@pytest.fixture(scope="module")
def counts(text: pathlib.Path) -> firth.Counts:
    return firth.count(text, distances=(1, 2))


@pytest.fixture(scope="module", params=["auto", "brown", "spectral"])
def classes(request: Any, counts: firth.Counts) -> firth.Clustering:
    return firth.cluster(counts, 12, method=request.param)


def test_mapping(classes: firth.Clustering, counts: firth.Counts) -> None:
    assert len(classes) == len(classes.words) == len(counts.words)
    assert classes.to_dict() == dict(classes)
    assert classes["cat"] == classes.get("cat") == classes.labels[classes.words.index("cat")]
    assert classes.get("unheard of") is None and "unheard of" not in classes and 3 not in classes
    with pytest.raises(KeyError):
        classes["unheard of"]
    assert classes.n_classes == 12 and set(classes.values()) == set(range(12))


def test_members(classes: firth.Clustering) -> None:
    everything = [classes.members(label) for label in range(classes.n_classes)]
    assert sorted(word for members in everything for word in members) == sorted(classes)
    for label, first in classes.top(5, 3):
        assert classes.members(label)[:3] == first == classes.members(label, 3)
    with pytest.raises(IndexError):
        classes.members(12)


def test_tree(classes: firth.Clustering) -> None:
    paths = classes.paths()
    assert classes.bits("cat") == paths["cat"] and classes.prefix("cat", 2) == paths["cat"][:2]
    assert len(set(paths.values())) == classes.n_classes
    coarse = classes.cut(4)
    assert coarse.n_classes == 4
    pairs = {(classes[word], coarse[word]) for word in classes}
    assert len(pairs) == classes.n_classes  # every class lies within one of the coarse ones
    nested = classes.tree(2)
    assert len(nested["children"]) == 2

    def leaves(node: Dict[str, Any]) -> List[int]:
        return [node["class"]] if "class" in node else [leaf for child in node["children"] for leaf in leaves(child)]

    assert sorted(leaves(nested)) == list(range(12))


def test_linkage(classes: firth.Clustering) -> None:
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    matrix = classes.linkage()
    assert matrix.shape == (11, 4) and hierarchy.is_valid_linkage(matrix)
    assert matrix[-1, 3] == 12 and matrix[:, 2].min() >= 0
    assert sorted(hierarchy.dendrogram(matrix, no_plot=True)["leaves"]) == list(range(12))
    flat = hierarchy.cut_tree(matrix, n_clusters=4).ravel()
    coarse = classes.cut(4)
    assert len({(flat[classes[word]], coarse[word]) for word in classes}) == 4


def test_linkage_of_words(counts: firth.Counts) -> None:
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
    brown = firth.cluster(counts, 12, method="brown")
    matrix = brown.linkage("words")
    assert matrix.shape == (len(brown) - 1, 4) and hierarchy.is_valid_linkage(matrix)
    with pytest.raises(firth.UsageError, match="classes, not words"):
        firth.cluster(counts, 12).linkage("words")


def test_similar(classes: firth.Clustering) -> None:
    near = classes.similar("cat", 40)
    assert len(near) == len(set(near)) == 40 and "cat" not in near
    own = set(classes.members(classes["cat"])) - {"cat"}
    assert set(near[: len(own)]) == own


def test_without_tree(tmp_path: pathlib.Path) -> None:
    flat = firth.Clustering.from_dict({"a": 5, "b": 7, "c": 5}, {"a": 1, "b": 2, "c": 3})
    assert not flat.has_tree and flat.similar("a") == ["c"] and flat["c"] == 0
    for call in (flat.paths, flat.linkage, flat.tree, lambda: flat.cut(1), lambda: flat.bits("a")):
        with pytest.raises(firth.UsageError):
            call()
    flat.save(tmp_path / "flat.tsv", "classes")
    assert firth.load_clustering(tmp_path / "flat.tsv").to_dict() == flat.to_dict() == {"c": 0, "b": 1, "a": 0}


def test_with_tree(counts: firth.Counts) -> None:
    flat = firth.cluster(counts, 12, tree=False)
    assert not flat.has_tree
    assert flat.with_tree(counts) == firth.cluster(counts, 12)


def test_round_trips(classes: firth.Clustering, tmp_path: pathlib.Path) -> None:
    classes.save(tmp_path / "out")
    assert firth.load(tmp_path / "out") == classes == firth.load_clustering(str(tmp_path / "out"))
    for other in (pickle.loads(pickle.dumps(classes)), copy.copy(classes), copy.deepcopy(classes)):
        assert other == classes and hash(other) == hash(classes)
        assert other.ami == classes.ami and other.history == classes.history and other.info == classes.info
    assert classes != classes.cut(3) and classes != {} and classes == classes.to_dict()


def test_vectors_of_a_spectral_run(counts: firth.Counts) -> None:
    classes = firth.cluster(counts, 12, method="spectral")
    assert classes.vectors is not None and len(classes.vectors) == len(classes)
    assert pickle.loads(pickle.dumps(classes)).vectors == classes.vectors
    assert firth.cluster(counts, 12).vectors is None


def test_encode(classes: firth.Clustering) -> None:
    tokens = ["the", "cat", "unheard-of"]
    encoded = classes.encode(tokens)
    assert encoded.dtype == np.int64 and encoded[:2].tolist() == [classes["the"], classes["cat"]]
    assert encoded[2] >= 0  # by its spelling
    assert classes.encode(tokens, unknown="none").tolist() == [classes["the"], classes["cat"], -1]
    assert classes.encode(["zzz"], unknown="none", missing=99).tolist() == [99]
    assert classes.encode(iter(tokens), unknown="lowercase").shape == (3,)
    assert classes.encode([]).shape == (0,)


def test_features(classes: firth.Clustering) -> None:
    rows = classes.features(["the", "cat"], prefixes=(2,), cuts=(4,), window=1)
    assert len(rows) == 2
    assert classes.bits("cat") in rows[1].values() and classes.prefix("cat", 2) in rows[1].values()
    assert classes.bits("the") in rows[1].values()  # the neighbour
    assert all(isinstance(value, str) for row in rows for value in row.values())
    with pytest.raises(firth.UsageError):
        classes.features(["a"], window=9)


def test_features_are_those_of_the_command(command: Any, classes: firth.Clustering, tmp_path: pathlib.Path) -> None:
    import json

    classes.save(tmp_path / "out")
    (tmp_path / "text.txt").write_text("the Cat runs\nunheard-of things\n", encoding="utf-8")
    printed = command("features", tmp_path / "out", tmp_path / "text.txt", "--to", "jsonl", "--window", 1)
    for line in printed.splitlines():
        sentence = json.loads(line)
        assert classes.features(sentence["words"], window=1) == sentence["features"]


def test_assign(counts: firth.Counts, tokens: List[List[str]]) -> None:
    small = firth.cluster(counts.restrict(max_vocab=60), 12)
    grown = small.assign(counts)
    assert set(grown) >= set(counts.words) and len(grown.assigned) > 10
    for word in grown.assigned:
        assert word.word not in small and grown[word.word] == word.label and word.by in ("contexts", "spelling")


def test_refine(counts: firth.Counts) -> None:
    classes = firth.cluster(counts, 12)
    better = classes.refine(counts, 4)
    assert better.n_classes == 4
    scores = [firth.evaluate(each, counts)["ami_bits"] for each in (better, classes.cut(4))]
    assert scores[0] >= scores[1]


def test_pandas(classes: firth.Clustering) -> None:
    pytest.importorskip("pandas")
    frame = classes.to_pandas()
    assert list(frame.columns) == ["word", "count", "class", "bits"]
    row = frame[frame["word"] == "cat"].iloc[0]
    assert row["class"] == classes["cat"] and row["bits"] == classes.bits("cat")


def test_how_it_looks(classes: firth.Clustering) -> None:
    assert repr(classes).startswith(f"<12 classes of {len(classes):,} words, AMI ")
    page = firth.Clustering.from_dict({"<script>": 0})._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "<table>" in classes._repr_html_()


def test_report(classes: firth.Clustering, counts: firth.Counts, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    page = tmp_path / "page.html"
    classes.report(page, title="A <title>", counts=counts, inputs=text, other=classes.cut(3))
    html = page.read_text("utf-8")
    assert html.startswith("<!") and "A &lt;title&gt;" in html
    assert firth.load_clustering(page).to_dict() == classes.to_dict()


def test_start_from_classes(counts: firth.Counts, tmp_path: pathlib.Path) -> None:
    first = firth.cluster(counts, 12, method="brown")
    first.save(tmp_path / "first")
    one = firth.cluster(counts, 12, init=first)
    assert one == firth.cluster(counts, 12, init=tmp_path / "first") and one.ami is not None
    assert one.ami >= (first.ami or 0) and one.info["warm_start"]["known"] == len(counts)


def test_constraints(counts: firth.Counts, tmp_path: pathlib.Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("together cat runs\n", encoding="utf-8")
    classes = firth.cluster(counts, 12, constraints=rules)
    assert classes["cat"] == classes["runs"]
    rules.write_text("together\n", encoding="utf-8")
    with pytest.raises(firth.InputError) as caught:
        firth.cluster(counts, 12, constraints=rules)
    assert caught.value.path == str(rules) and caught.value.line == 1


def test_time_limit(counts: firth.Counts, tmp_path: pathlib.Path) -> None:
    options: Dict[str, Any] = {"method": "exchange", "restarts": 100_000, "checkpoint": tmp_path / "state"}
    classes = firth.cluster(counts, 12, max_seconds=0.2, **options)
    assert not classes.complete and classes.n_classes == 12 and (tmp_path / "state").exists()
    assert firth.cluster(counts, 12).complete


def test_spectral_checkpoint(text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    counted = firth.count(text, distances=(1, 2))
    options: Dict[str, Any] = {"method": "spectral", "dim": 10, "checkpoint": tmp_path / "state"}
    classes = firth.cluster(counted, 8, threads=1, **options)
    assert (tmp_path / "state").exists() and classes == firth.cluster(counted, 8, method="spectral", dim=10)
    assert firth.cluster(counted, 8, threads=2, resume=True, **options) == classes
    vectors = firth.embed(counted, 10, exponent=0.5, checkpoint=tmp_path / "state", resume=True)
    assert vectors == firth.embed(counted, 10, exponent=0.5)
    with pytest.raises(firth.FormatError, match="remove the file to start from the beginning"):
        firth.embed(counted, 9, checkpoint=tmp_path / "state", resume=True)


def test_options_that_make_no_sense(counts: firth.Counts, text: pathlib.Path) -> None:
    wrong: List[Dict[str, Any]] = [
        {"n_classes": 10**6}, {"method": "kmeans"}, {"passes": 3}, {"method": "brown", "effort": "high"},
        {"method": "brown", "init": "random"}, {"effort": "low"}, {"method": "exchange", "passes": "many"},
        {"method": "exchange", "passes": -1}, {"lowercase": True}, {"texts": ["a"]}, {"threads": -1}, {"memory": "lots"},
    ]
    for options in wrong:
        with pytest.raises(firth.UsageError) as caught:
            firth.cluster(counts, **{"n_classes": 3, **options})
        assert "::" not in str(caught.value) and "--" not in str(caught.value), caught.value
    with pytest.raises(firth.ResourceError):
        firth.cluster(text, 12, method="brown", window=100, memory=10_000)


def test_gold(classes: firth.Clustering, tokens: List[List[str]], tmp_path: pathlib.Path) -> None:
    from conftest import SETS

    kinds = {word: kind for kind, words in SETS.items() for word in words}
    gold = tmp_path / "gold.tsv"
    gold.write_text("".join("".join(f"{word}\t{kinds.get(word, '.')}\n" for word in sentence) + "\n"
                            for sentence in tokens[:200]), encoding="utf-8")
    scores = firth.evaluate(classes, gold=gold, bootstrap=20)
    assert 0.5 < scores["by_token"]["many_to_one"] <= 1
    low, high = scores["by_token_interval"]
    assert low["many_to_one"] <= scores["by_token"]["many_to_one"] <= high["many_to_one"]
    assert {row["tag"] for row in scores["tags"]} == set(SETS) | {"."}
