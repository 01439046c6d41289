"""Hidden Markov models: states of words in context, learnt without tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _firth
from ._errors import require_core
from ._inputs import Inputs, Path, format_of, read_like, resolve
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Hmm:
    """States that follow one another and emit words. Made by :meth:`train` and :func:`firth.load`.

    >>> import firth
    >>> model = firth.Hmm.train(texts=["a b a b", "a b a b a b"], n_states=2)
    >>> first, second = model.tag(texts=["a b"])[0].tolist()
    >>> first != second
    True
    """

    __slots__ = ("_core", "history")

    history: List[float]
    """What each iteration reached, in nats; empty for models that were read."""

    def __init__(self, core: _firth.Hmm, history: Sequence[float] = ()) -> None:
        require_core(core, _firth.Hmm, "Hmm", "load_hmm", "Hmm.train()")
        self._core = core
        self.history = list(history)

    @classmethod
    def train(
        cls,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        n_states: int = 50,
        algorithm: str = "em",
        iterations: int = 200,
        tolerance: float = 1e-5,
        restarts: int = 1,
        transition_prior: float = 0.1,
        emission_prior: float = 0.1,
        sigma: float = 32,
        min_count: int = 1,
        max_vocab: int = 0,
        lowercase: bool = False,
        tokenize: bool = False,
        encoding: str = "",
        checkpoint: Optional[Path] = None,
        checkpoint_seconds: float = 1,
        resume: bool = False,
        threads: int = 0,
        seed: int = 1,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
    ) -> "Hmm":
        """Learns a model from text, by "em", "vb" (variational Bayes), "gibbs" (sampling) or "sparse" (few states per word).

        `checkpoint` names a file that keeps the state after each iteration, written at most every `checkpoint_seconds`; with `resume`, a training
        that was stopped continues from there and gives the model of an uninterrupted one."""
        options = {
            "algorithm": algorithm,
            "n_states": n_states,
            "iterations": iterations,
            "tolerance": tolerance,
            "restarts": restarts,
            "transition_prior": transition_prior,
            "emission_prior": emission_prior,
            "sigma": sigma,
            "min_count": min_count,
            "max_vocab": max_vocab,
            "format": format_of(inputs),
            "lowercase": lowercase,
            "tokenize": tokenize,
            "checkpoint": checkpoint,
            "checkpoint_seconds": checkpoint_seconds,
            "resume": resume,
        }
        source, _ = resolve(inputs, texts=texts, tokens=tokens, encoding=encoding)
        with Run(threads, seed, memory, progress) as run:
            return cls(*_firth.Hmm.train(source, options, run))

    def tag(
        self,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        decode: str = "viterbi",
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> "List[npt.NDArray[np.uint32]]":
        """The states of each sentence, by the most probable sequence ("viterbi") or state by state ("posterior").

        Text is read as that of the model was (`preprocessing`), unless `lowercase` or `tokenize` say otherwise.
        """
        source, _ = resolve(inputs, texts=texts, tokens=tokens, encoding=encoding)
        alike = read_like(self.preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
        options = {"format": format_of(inputs), **alike}
        with Run(threads, 1, None, progress) as run:
            states, ends = self._core.tag(source, decode, options, run)
        starts = [0, *ends.tolist()]
        return [states[begin:end] for begin, end in zip(starts, starts[1:])]

    def log_likelihood(
        self,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        threads: int = 0,
    ) -> float:
        """Of a text, in nats."""
        source, _ = resolve(inputs, texts=texts, tokens=tokens, encoding=encoding)
        alike = read_like(self.preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
        with Run(threads, 1, None, False) as run:
            options = {"format": format_of(inputs), **alike}
            return self._core.log_likelihood(source, options, run)

    @property
    def preprocessing(self) -> Optional[Dict[str, Any]]:
        """How the text of this model was read, as options of :func:`firth.count`; None if that is not known."""
        return self._core.preprocessing()

    @property
    def words(self) -> Words:
        """The words that states emit."""
        return Words(self._core.words())

    @property
    def n_states(self) -> int:
        """The number of states."""
        return self._core.n_states()

    @property
    def transitions(self) -> "npt.NDArray[np.float64]":
        """p(to | from): the last row is the start, the last column the end. A read-only view."""
        return self._core.transitions()

    @property
    def emissions(self) -> "npt.NDArray[np.float64]":
        """p(word | state): a row per word, a column per state. A read-only view."""
        return self._core.emissions()

    def save(self, path: Path) -> None:
        """Writes one file, complete or not at all."""
        self._core.save(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hmm) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash((self.n_states, len(self.words)))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(), self.history)

    def __copy__(self) -> "Hmm":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Hmm":
        return self

    def __repr__(self) -> str:
        return f"<Hmm: {self.n_states} states, {len(self.words):,} words>"


def _from_bytes(data: bytes, history: Sequence[float]) -> Hmm:
    return Hmm(_firth.Hmm.from_bytes(data), history)


def load_hmm(path: Path) -> Hmm:
    """Reads a model."""
    return Hmm(_firth.Hmm.load(path))
