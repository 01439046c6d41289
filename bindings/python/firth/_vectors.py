"""Vectors of words."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _firth
from ._arrays import checked
from ._counts import Counts
from ._errors import require_core
from ._inputs import Path
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Vectors:
    """One vector per word, as rows of a matrix. Made by :func:`firth.embed` and :func:`firth.load`."""

    __slots__ = ("_core", "_words")

    def __init__(self, core: _firth.Vectors) -> None:
        require_core(core, _firth.Vectors, "Vectors", "load_vectors", "embed()")
        self._core = core
        self._words = Words(core.words())

    @classmethod
    def from_arrays(
        cls, words: Sequence[str], array: "npt.ArrayLike", counts: Optional[Iterable[int]] = None
    ) -> "Vectors":
        """Vectors made elsewhere: row i belongs to words[i]. With counts, rows are sorted by decreasing count;
        without, they keep their order, and get decreasing counts, as in files without counts."""
        import numpy as np

        numbers = [] if counts is None else [int(count) for count in counts]
        return cls(_firth.Vectors.from_arrays(list(words), numbers, np.asarray(array)))

    @property
    def words(self) -> Words:
        """The words, most frequent first."""
        return self._words

    @property
    def array(self) -> "npt.NDArray[np.float32]":
        """All vectors, a row per word: a read-only view."""
        return checked(self._core.array())

    @property
    def dim(self) -> int:
        """The dimension of the vectors."""
        return int(self.array.shape[1])

    @property
    def singular_values(self) -> List[float]:
        """Of the decomposition that made the vectors, in decreasing order; empty for vectors of other tools."""
        return self._core.singular_values()

    def __getitem__(self, word: str) -> "npt.NDArray[np.float32]":
        rank = self._words._core.find(word)
        if rank < 0:
            raise KeyError(word)
        row: "npt.NDArray[np.float32]" = self.array[rank]
        return row

    def __contains__(self, word: object) -> bool:
        return word in self._words

    def __len__(self) -> int:
        return len(self._words)

    def similar(self, query: "Union[str, npt.ArrayLike]", n: int = 10) -> List[Tuple[str, float]]:
        """The `n` words nearest to a word or a vector, with their cosines; a word itself is left out."""
        import numpy as np

        vector = self[query] if isinstance(query, str) else np.asarray(query)
        near = self._core.nearest(vector, n + 1)
        words = ((self._words[rank], cosine) for rank, cosine in near)
        own = query if isinstance(query, str) else None
        return [(word, cosine) for word, cosine in words if word != own][:n]

    def save(self, path: Path, format: str = "npy") -> None:
        """Writes the vectors: "npy" (PATH.npy and PATH.vocab; PATH may end in .npy itself), "word2vec" or "word2vec-binary"."""
        name = os.fspath(path)
        self._core.save(name[: -len(".npy")] if format == "npy" and name.endswith(".npy") else name, format)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vectors) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash((len(self), self.dim))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(),)

    def __copy__(self) -> "Vectors":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Vectors":
        return self

    def __repr__(self) -> str:
        return f"<Vectors: {len(self):,} words, {self.dim} numbers each>"


def _from_bytes(data: bytes) -> Vectors:
    return Vectors(_firth.Vectors.from_bytes(data))


def embed(
    counts: Counts,
    dim: int = 200,
    *,
    context: Union[str, Sequence[int]] = "LR2",
    scale: str = "cca",
    transform: str = "raw",
    kappa: Optional[float] = None,
    exponent: float = 0.0,
    unit: bool = True,
    tolerance: float = 0.02,
    checkpoint: Optional[Path] = None,
    resume: bool = False,
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
) -> Vectors:
    """Vectors from the contexts of words, by a singular value decomposition of their counts.

    Parameters
    ----------
    counts : Counts
        Counted at the distances of `context`: `firth.count(..., distances=(1, 2))` for the default.
    dim : int
        Dimension of the vectors; fewer are returned if the counts have a lower rank.
    context : "R1", "LR1", "LR2" or offsets
        Positions that make the context of a word; -1 is the word before it.
    scale : {"cca", "ppmi", "reg", "raw"}
        How counts are scaled by those of words and contexts.
    transform : {"raw", "sqrt", "log"}
        Transformation of the counts: none, the square root, or log(1 + count).
    kappa : float
        Smoothing pseudo-count; higher values reduce the influence of rare words; None = chosen by the size of the text.
    exponent : float
        Singular vectors are multiplied by singular values to this power.
    unit : bool
        Whether vectors are scaled to length 1.
    checkpoint : path
        A file that keeps the singular vectors, which take most of the time.
    resume : bool
        Take the singular vectors from `checkpoint`, if it exists; `exponent` and `unit` may differ from those it was written with.
    """
    options = {
        "dim": dim,
        "context": context,
        "scale": scale,
        "transform": transform,
        "kappa": kappa,
        "exponent": exponent,
        "unit": unit,
        "tolerance": tolerance,
        "checkpoint": checkpoint,
        "resume": resume,
    }
    with Run(threads, seed, memory, progress) as run:
        return Vectors(_firth.embed(counts._core, options, run))
