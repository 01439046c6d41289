"""Taggers: parts of speech, names, chunks."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import _firth
from ._clustering import Clustering
from ._errors import UsageError, require_core
from ._inputs import Inputs, Path, resolve, sentences_of
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._vectors import Vectors

Sentence = Sequence[Tuple[str, str]]


def read_tagged(
    inputs: Inputs,
    *,
    format: str = "auto",
    word_column: int = 0,
    tag_column: int = 0,
    invalid_utf8: str = "error",
    encoding: str = "",
) -> List[List[Tuple[str, str]]]:
    """Sentences of CoNLL or CoNLL-U files as lists of (word, tag).

    Columns count from 1, or from the end with negative numbers; 0 = the usual one.
    """
    options = {
        "format": format,
        "word_column": word_column,
        "tag_column": tag_column,
        "invalid_utf8": invalid_utf8,
    }
    with Run(0, 1, None, False) as run:
        words, tags = _firth.read_tagged(resolve(inputs, encoding=encoding)[0], options, run)
    return [list(zip(*pair)) for pair in zip(words, tags)]


def _columns(sentences: Iterable[Sentence]) -> Tuple[List[List[str]], List[List[str]]]:
    words, tags = [], []
    for number, sentence in enumerate(sentences, 1):
        try:
            if any(isinstance(pair, str) for pair in sentence):  # two letters are no word and its tag
                raise ValueError
            words.append([word for word, _ in sentence])
            tags.append([tag for _, tag in sentence])
        except ValueError:
            raise UsageError(f"item {number} is not a list of (word, tag)") from None
    return words, tags


def _listed(one_or_more: Any, kind: type) -> List[Any]:
    items: List[Any] = [one_or_more] if isinstance(one_or_more, kind) else list(one_or_more)
    return [item._core for item in items]


class Tagger:
    """A conditional random field, or an averaged perceptron, over words, spelling, classes and vectors. Safe to share among threads.

    >>> import firth
    >>> sentences = [[("the", "D"), ("cat", "N"), ("runs", "V")], [("a", "D"), ("dog", "N"), ("sits", "V")]] * 5
    >>> tagger = firth.Tagger.train(sentences)
    >>> tagger.tag([["the", "dog", "runs"]])
    [['D', 'N', 'V']]
    """

    __slots__ = ("_core",)

    def __init__(self, core: _firth.Tagger) -> None:
        require_core(core, _firth.Tagger, "Tagger", "load_tagger", "Tagger.train()")
        self._core = core

    @classmethod
    def train(
        cls,
        sentences: Union[Inputs, Iterable[Sentence]],
        *,
        classes: Union[Clustering, Iterable[Clustering]] = (),
        vectors: Union[Vectors, Iterable[Vectors]] = (),
        scheme: str = "auto",
        recipe: str = "best",
        objective: str = "auto",
        passes: int = 8,
        trainings: int = 4,
        beam: int = -1,
        recall_cost: float = 2.0,
        min_weight: float = 0.01,
        vector_length: float = 1.0,
        prefixes: Sequence[int] = (4, 6, 10, 20),
        cuts: Sequence[int] = (),
        unknown: str = "lowercase",
        seed: int = 1,
        progress: ProgressOption = None,
        memory: MemoryOption = None,
    ) -> "Tagger":
        """Trains a tagger.

        Parameters
        ----------
        sentences : iterable of lists of (word, tag), or path
            :func:`firth.read_tagged` reads files whose columns are unusual.
        classes, vectors
            Classes and vectors of words to make features of; one or several of each.
        scheme : {"auto", "plain", "bio", "bilou"}
            How entities are marked inside the tagger.
        recipe : {"best", "fast", "small"}
            The highest accuracy, the fastest tagging, or the smallest file.
        objective : {"auto", "crf", "perceptron"}
            A conditional random field, or an averaged perceptron; "auto" is crf for up to 128 tags.
        trainings : int
            For crf: number of trainings, each with the sentences in other orders; the tagger has the mean of their weights.
        beam : int
            1 = greedy; 0 = exact (Viterbi); -1 = exact for crf, 4 for perceptron.
        recall_cost : float
            For crf: margin by which an entity must win in training; a higher value finds more entities, of which fewer are right.
        min_weight : float
            For crf: weights with a smaller absolute value are left out; 0.1 makes a small model that is a little worse.
        prefixes, cuts, unknown
            Features of classes, as in :meth:`firth.Clustering.features`.
        """
        words, tags = _sentences(sentences)
        options = {
            "classes": _listed(classes, Clustering),
            "vectors": _listed(vectors, Vectors),
            "scheme": scheme,
            "recipe": recipe,
            "objective": objective,
            "passes": passes,
            "trainings": trainings,
            "beam": beam,
            "recall_cost": recall_cost,
            "min_weight": min_weight,
            "vector_length": vector_length,
            "prefixes": list(prefixes),
            "cuts": list(cuts),
            "unknown": unknown,
        }
        with Run(0, seed, memory, progress) as run:
            return cls(_firth.Tagger.train(words, tags, options, run))

    def tag(
        self,
        sentences: Iterable[Sequence[str]],
        *,
        scheme: str = "auto",
        beam: int = -1,
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> List[List[str]]:
        """The tags of each sentence, which is a list of words. Sentences are shared among threads."""
        with Run(threads, 1, None, progress) as run:
            return self._core.tag([list(sentence) for sentence in sentences_of(sentences)], scheme, beam, run)

    def score(
        self,
        sentences: Union[Inputs, Iterable[Sentence]],
        *,
        bootstrap: int = 0,
        threads: int = 0,
        seed: int = 1,
        progress: ProgressOption = None,
    ) -> Dict[str, Any]:
        """Tags sentences and compares: accuracy and, for entities, precision, recall and F1 as conlleval counts them."""
        words, tags = _sentences(sentences)
        with Run(threads, seed, None, progress) as run:
            return self._core.score(words, tags, bootstrap, run)

    @property
    def tags(self) -> List[str]:
        """The tags as they are inside, e.g. "U-PER"."""
        return self._core.tags()

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._core.knows(word)

    def save(self, path: Path) -> None:
        """Writes one file, complete or not at all."""
        self._core.save(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tagger) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash((self._core.n_features(), *self.tags))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(),)

    def __copy__(self) -> "Tagger":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Tagger":
        return self

    def __repr__(self) -> str:
        return f"<Tagger: {len(self.tags)} tags, {self._core.n_features():,} features>"


def _sentences(sentences: Any) -> Tuple[List[List[str]], List[List[str]]]:
    if isinstance(sentences, str) or hasattr(sentences, "__fspath__"):
        sentences = read_tagged(sentences)
    return _columns(sentences)


def _from_bytes(data: bytes) -> Tagger:
    return Tagger(_firth.Tagger.from_bytes(data))


def load_tagger(path: Path) -> Tagger:
    """Reads a tagger."""
    return Tagger(_firth.Tagger.load(path))
