"""Arrays are views of what the library holds, and outlive it."""

from __future__ import annotations

import gc
import pathlib
import pickle

import numpy as np
import pytest

import firth


@pytest.fixture(scope="module")
def counts(text: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> firth.Counts:
    path = tmp_path_factory.mktemp("counts") / "text.counts"
    firth.count(text, distances=(1, 2)).save(path)
    return firth.load_counts(path)  # mapped


def test_counts(counts: firth.Counts) -> None:
    for distance in (1, 2):
        offsets, rights, values = counts.pairs(distance)
        assert (offsets.dtype, rights.dtype, values.dtype) == (np.uint64, np.uint32, np.uint64)
        assert len(offsets) == len(counts) + 1 and offsets[-1] == len(rights) == len(values)
        again = counts.pairs(distance)
        for array, other in zip((offsets, rights, values), again):
            assert np.shares_memory(array, other)
            with pytest.raises(ValueError):
                array[0] = 1
    assert np.shares_memory(counts.counts, counts.words.counts)
    with pytest.raises(firth.UsageError):
        counts.pairs(3)


def test_scipy(counts: firth.Counts) -> None:
    pytest.importorskip("scipy")
    matrix = counts.to_scipy()
    offsets, rights, values = counts.pairs()
    assert np.shares_memory(matrix.data, values) and np.shares_memory(matrix.indices, rights)
    assert matrix.sum() == values.sum() and matrix.shape == (len(counts), len(counts))
    assert (matrix @ np.ones(len(counts))).sum() == values.sum()
    again = firth.Counts.from_scipy(counts.words.to_list(), matrix, counts.counts)
    assert again.words == counts.words
    for ours, theirs in zip(again.pairs(), counts.pairs()):
        assert np.array_equal(ours, theirs)
    shuffled = np.random.default_rng(1).permutation(len(counts))
    words = [counts.words[i] for i in shuffled]
    other = firth.Counts.from_scipy(words, matrix[shuffled][:, shuffled], counts.counts[shuffled])
    assert other == again
    with pytest.raises(ValueError):
        firth.Counts.from_scipy(["a"], matrix)


def test_large_columns_are_copied(counts: firth.Counts, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.setattr("firth._counts._MAX_INDEX", 3)
    matrix = counts.to_scipy()
    assert not np.shares_memory(matrix.indices, counts.pairs()[1]) and np.shares_memory(matrix.data, counts.pairs()[2])


def test_arrays_outlive_their_owners(text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    counts = firth.count(text, distances=(1, 2))
    counts.save(tmp_path / "c")
    mapped = firth.load_counts(tmp_path / "c")
    classes = firth.cluster(counts, 12, method="spectral")
    assert classes.vectors is not None
    arrays = [counts.counts, *counts.pairs(2), *mapped.pairs(), classes.labels, classes.counts, classes.vectors.array,
              *classes.words.utf8, counts.words]
    copies = [pickle.loads(pickle.dumps(np.array(array))) for array in arrays]
    (tmp_path / "c").unlink()
    del counts, mapped, classes
    gc.collect()
    for array, wanted in zip(arrays, copies):
        assert np.array_equal(np.array(array), wanted)


def test_no_words(tmp_path: pathlib.Path) -> None:
    made = firth.count(texts=[])
    made.save(tmp_path / "none.counts")
    for counts in (made, firth.load_counts(tmp_path / "none.counts")):
        assert counts.counts.shape == (0,) and counts.words.to_list() == [] and counts.n_tokens == 0
        assert [array.shape for array in counts.pairs()] == [(1,), (0,), (0,)]
    pytest.importorskip("scipy")
    assert made.to_scipy().shape == (0, 0)


def test_vectors(counts: firth.Counts, tmp_path: pathlib.Path) -> None:
    vectors = firth.embed(counts, 10)
    assert vectors.array.shape == (len(counts), 10) and vectors.array.dtype == np.float32
    assert np.shares_memory(vectors["cat"], vectors.array) and not vectors.array.flags.writeable
    assert np.allclose(np.linalg.norm(vectors.array, axis=1), 1, atol=1e-5)
    assert vectors.similar("cat", 3) == vectors.similar(vectors["cat"], 4)[1:4]
    assert "cat" in vectors and vectors.dim == 10 and len(vectors.singular_values) == 10
    with pytest.raises(KeyError):
        vectors["unheard of"]
    for format_ in ("npy", "word2vec", "word2vec-binary"):
        path = tmp_path / format_
        vectors.save(path, format_)
        other = firth.load_vectors(path)
        where = [other.words.index(word) for word in vectors.words]
        assert np.allclose(other.array[where], vectors.array, atol=1e-5)
    order = np.random.default_rng(1).permutation(len(vectors))
    again = firth.Vectors.from_arrays([vectors.words[i] for i in order], vectors.array[order], vectors.words.counts[order])
    assert np.array_equal(again.array, vectors.array) and again.words == vectors.words
    assert pickle.loads(pickle.dumps(vectors)) == vectors


def test_merge_and_restrict(text: pathlib.Path) -> None:
    lines = text.read_text("utf-8").splitlines()
    parts = [firth.count(texts=part) for part in (lines[:500], lines[500:])]
    assert parts[0].merge(parts[1]) == firth.count(text)
    assert firth.count(text).restrict(min_count=3) == firth.count(text, min_count=3)
    assert pickle.loads(pickle.dumps(parts[0])) == parts[0] != parts[1]
