"""The same options and seed give the bytes of the command, whatever the threads and wherever the text comes from."""

from __future__ import annotations

import pathlib
from typing import Any, Dict, List, Tuple

import pytest

import firth

# Options of Python, options of the command.
CLUSTERINGS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "auto": ({}, ""),
    "auto-fast": ({"effort": "fast"}, "--effort fast"),
    "auto-high": ({"effort": "high"}, "--effort high"),
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
    "pos": ({"method": "pos", "restarts": 2}, "--method pos --pos-restarts 2"),
    "pos-weights": (
        {"method": "pos", "restarts": 1, "skip_weight": 0.0, "suffix_weight": 2.0, "fold_case": False},
        "--method pos --pos-restarts 1 --skip-weight 0 --suffix-weight 2 --no-fold",
    ),
    "min-count": ({"min_count": 3}, "--min-count 3"),
    "max-vocab": ({"max_vocab": 40, "rare": "break"}, "--max-vocab 40 --rare break"),
    "drop": ({"min_count": 3, "rare": "drop"}, "--min-count 3 --rare drop"),
    "lowercase": ({"lowercase": True, "boundaries": "stream"}, "--lowercase --stream"),
    "tokenize": ({"tokenize": True}, "--tokenize"),
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


def test_every_method_is_here() -> None:
    used = {options.get("method", "auto") for options, _ in CLUSTERINGS.values()}
    assert used == set(firth.methods())


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
