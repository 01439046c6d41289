"""Reading what firth, or another tool, wrote."""

from __future__ import annotations

import os
from typing import Callable, Dict, Optional, Union

from . import _firth
from ._clustering import Clustering
from ._counts import Counts
from ._hmm import Hmm, load_hmm
from ._inputs import Path
from ._lm import LanguageModel, load_lm
from ._parser import Parser, load_parser
from ._progress import ProgressOption
from ._run import Run
from ._tagger import Tagger, load_tagger
from ._vectors import Vectors

_CLUSTER_FORMATS = ("firth", "paths", "classes", "merges", "srilm", "clark", "json", "mkcls")
_MEANS = ("means-cosine.npy", "means-euclidean.npy")
_VECTOR_ENDINGS = (".npy", ".vec", ".vec.gz", ".vec.zst", ".vec.xz", ".vectors", ".w2v")


def load_vectors(path: Path, progress: ProgressOption = None) -> Vectors:
    """Reads vectors: word2vec (text or binary), GloVe, fastText's .vec, .npy with a list of words; also compressed."""
    with Run(0, 1, None, progress) as run:
        return Vectors(_firth.Vectors.load(path, run))


def load_clustering(path: Path, format: Optional[str] = None) -> Clustering:
    """Reads classes in any format of docs/formats.md."""
    result = Clustering(_firth.Clustering.load(path, format or "auto"))
    if any(os.path.exists(os.path.join(os.fspath(path), name)) for name in _MEANS):
        with Run(0, 1, None, False) as run:
            result._means = _firth.ClassMeans.load(path, result.n_classes, run)
    return result


def load_counts(path: Path) -> Counts:
    """Maps a count file into memory."""
    return Counts(_firth.Counts.load(path))


Loaded = Union[Clustering, Counts, Vectors, LanguageModel, Tagger, Hmm, Parser]
_LOADERS: Dict[bytes, Callable[[Path], Loaded]] = {
    b"\x89FCNT": load_counts,
    b"\x89FLM ": load_lm,
    b"\x89FTG ": load_tagger,
    b"\x89FHM ": load_hmm,
    b"\x89FPG ": load_parser,
}


def load(path: Path, format: Optional[str] = None) -> Loaded:
    """Reads classes, counts, vectors or a model, and finds out from the content which of them it is.

    `format` may say what it is: "counts", "vectors", or a format of classes ("paths", "classes", "json" ...). The functions
    `load_clustering`, `load_counts`, `load_vectors` and so on have a type of their own, for checkers of types.
    """
    if format == "counts":
        return load_counts(path)
    if format == "vectors":
        return load_vectors(path)
    name = os.fspath(path)
    if format is None and os.path.isfile(name):
        with open(name, "rb") as file:
            start = file.read(8)
        for magic, loader in _LOADERS.items():
            if start.startswith(magic):
                return loader(path)
        if start.startswith(b"\\data\\") or name.endswith((".arpa", ".arpa.gz")):
            return load_lm(path)
        if start.startswith(b"\x93NUMPY") or name.endswith(_VECTOR_ENDINGS):
            return load_vectors(path)
    if format is None and not os.path.exists(name) and os.path.exists(name + ".npy"):
        return load_vectors(path)
    return load_clustering(path, format)
