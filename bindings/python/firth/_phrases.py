"""Multi-word units."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import _firth
from ._inputs import Inputs, Path, format_of, resolve
from ._progress import ProgressOption
from ._run import MemoryOption, Run


class Phrase(NamedTuple):
    """Two neighbours that are one unit; either may be a phrase itself."""

    left: str
    right: str
    frequency: int
    """How often `right` follows `left`."""
    left_count: int
    """How often `left` has a right neighbour."""
    right_count: int
    """How often `right` has a left neighbour."""
    score: float
    round: int
    """Of counting that found it; the joins of a round come before those of the next."""


class Phrases(Sequence[Phrase]):
    """Phrases by round, then by decreasing score. Made by :func:`firth.find_phrases` and :func:`firth.load_phrases`."""

    __slots__ = ("_core", "_rows")

    def __init__(self, core: _firth.Phrases) -> None:
        self._core = core
        self._rows = [Phrase(*row) for row in core.rows()]

    @property
    def joiner(self) -> str:
        """What stands between the words of a phrase."""
        return self._core.joiner()

    @overload
    def __getitem__(self, index: int) -> Phrase: ...

    @overload
    def __getitem__(self, index: slice) -> List[Phrase]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Phrase, List[Phrase]]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def join(
        self,
        output: Path,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        field: Optional[str] = None,
        format: str = "auto",
        column: str = "",
        lowercase: bool = False,
        tokenize: bool = False,
        encoding: str = "",
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> int:
        """Writes a text with these phrases joined, one line per sequence; returns how many were joined.

        The text need not be the one in which they were found; its options are those of :func:`firth.count`.
        """
        reading = {"format": format, "column": column, "lowercase": lowercase, "tokenize": tokenize}
        input_, options = _text(inputs, field, reading, texts=texts, tokens=tokens, encoding=encoding)
        with Run(threads, 1, None, progress) as run:
            return self._core.join(output, input_, options, run)

    def joined(self, tokens: Iterable[Sequence[str]], *, threads: int = 0) -> List[List[str]]:
        """Sentences with these phrases joined.

        >>> import firth
        >>> texts = ["new york is large", "he likes new york", "york is old", "a new dog"] * 3
        >>> phrases = firth.find_phrases(texts=texts, min_count=3)
        >>> phrases.joined([["new", "york", "likes", "dogs"]])
        [['new_york', 'likes', 'dogs']]
        """
        with tempfile.TemporaryDirectory(prefix="firth-") as folder:
            path = os.path.join(folder, "joined")
            self.join(path, tokens=tokens, threads=threads, progress=False)
            with open(path, encoding="utf-8", newline="\n") as file:
                return [line.rstrip("\n").split(" ") if line != "\n" else [] for line in file]

    def save(self, path: Path) -> None:
        """Writes a table with a phrase per line, as the command does."""
        with open(path, "wb") as file:
            file.write(self._core.format())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Phrases) and (self._rows, self.joiner) == (other._rows, other.joiner)

    def __hash__(self) -> int:
        return hash((tuple(self._rows), self.joiner))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_rows, (self._rows, self.joiner)

    def __repr__(self) -> str:
        return f"<{len(self):,} phrases>"


def _text(
    inputs: Optional[Inputs], field: Optional[str], reading: Dict[str, Any], **sources: Any
) -> "Tuple[_firth.Input, Dict[str, Any]]":
    """What is read, and how: a field is that of the records of a file, or of the items of an iterable."""
    options = {**reading, "format": format_of(inputs, reading["format"])}
    (options if inputs is not None else sources)["field"] = field
    return resolve(inputs, **sources)[0], options


def _from_rows(rows: List[Phrase], joiner: str) -> Phrases:
    return Phrases(_firth.Phrases.from_rows([tuple(row) for row in rows], joiner))


def load_phrases(path: Path, joiner: str = "_") -> Phrases:
    """Reads a table of phrases; what follows the second column may be missing."""
    with Run(1, 1, None, False) as run:
        return Phrases(_firth.Phrases.load(path, joiner, run))


def find_phrases(
    inputs: Optional[Inputs] = None,
    *,
    texts: Optional[Iterable[Any]] = None,
    tokens: Optional[Iterable[Sequence[str]]] = None,
    field: Optional[str] = None,
    format: str = "auto",
    column: str = "",
    lowercase: bool = False,
    tokenize: bool = False,
    encoding: str = "",
    score: str = "npmi",
    threshold: Optional[float] = None,
    min_count: int = 5,
    max_words: int = 2,
    joiner: str = "_",
    threads: int = 0,
    memory: MemoryOption = None,
    temp_folder: Optional[Path] = None,
    progress: ProgressOption = None,
) -> Phrases:
    """Finds neighbours that meet more often than by chance: "New York", "machine translation".

    Parameters
    ----------
    inputs, texts, tokens, field, format, column, lowercase, tokenize, encoding
        The text, as in :func:`firth.count`.
    score : {"npmi", "lr"}
        Normalised pointwise mutual information, from -1 to 1, or the log-likelihood ratio, which grows with the text.
    threshold : float
        Minimum score; None = 0.5 for "npmi", 100 for "lr".
    min_count : int
        Pairs seen less often are ignored.
    max_words : int
        Maximum number of words in a phrase; above 2, the text is counted again with the phrases found so far joined.
    joiner : str
        What stands between the words of a phrase.

    >>> import firth
    >>> texts = ["new york is large", "he likes new york", "york is old", "a new dog"] * 3
    >>> [(phrase.left, phrase.right, phrase.frequency) for phrase in firth.find_phrases(texts=texts, min_count=6)]
    [('york', 'is', 6), ('new', 'york', 6)]
    """
    options = {
        "score": score,
        "threshold": threshold,
        "min_count": min_count,
        "max_words": max_words,
        "joiner": joiner,
    }
    reading = {"format": format, "column": column, "lowercase": lowercase, "tokenize": tokenize}
    input_, text = _text(inputs, field, reading, texts=texts, tokens=tokens, encoding=encoding)
    with Run(threads, 1, memory, progress, temp_folder) as run:
        return Phrases(_firth.find_phrases(input_, options, text, run))
