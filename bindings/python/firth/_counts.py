"""Counting words and pairs of words."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _firth
from ._arrays import checked
from ._errors import require_core
from ._inputs import Inputs, Path, format_of, path_list, resolve
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import scipy.sparse

Vocab = Union[None, Path, Iterable[str]]
_MAX_INDEX = 2**31 - 1


@contextlib.contextmanager
def vocab_file(vocab: Vocab) -> Iterator[Optional[str]]:
    """A file with the words of `vocab`, which is a path or an iterable of words."""
    if vocab is None or isinstance(vocab, (str, os.PathLike)):
        yield None if vocab is None else os.fspath(vocab)
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".vocab") as file:
        file.writelines(f"{word}\n" for word in vocab)
        file.flush()
        yield file.name


class Counts:
    """Words, and how often they are next to each other: what every method of clustering starts from.

    Made by :func:`firth.count` and :func:`firth.load`. Cheap to copy; safe to share among threads.
    """

    __slots__ = ("_core", "_words")

    def __init__(self, core: _firth.Counts) -> None:
        require_core(core, _firth.Counts, "Counts", "load_counts", "count()")
        self._core = core
        self._words = Words(core.words())

    @property
    def words(self) -> Words:
        """The words, most frequent first."""
        return self._words

    @property
    def counts(self) -> "npt.NDArray[np.uint64]":
        """How often each word was seen: a read-only view."""
        return self._words.counts

    @property
    def n_tokens(self) -> int:
        """Words read, including those outside the vocabulary."""
        return self._core.n_tokens()

    @property
    def n_sequences(self) -> int:
        """Lines, sentences or files that pairs do not cross."""
        return self._core.n_sequences()

    @property
    def distances(self) -> Tuple[int, ...]:
        """Distances at which pairs were counted."""
        return tuple(self._core.distances())

    def pairs(
        self, distance: int = 1
    ) -> "Tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]":
        """Offsets of rows, columns and counts of the sparse matrix of pairs: read-only views."""
        offsets, rights, counts = self._core.pairs(distance)
        return checked(offsets), checked(rights), checked(counts)

    def to_scipy(self, distance: int = 1) -> "scipy.sparse.csr_matrix":
        """The matrix of pairs: row = left word, column = right word `distance` places after it.

        Counts and columns are views of the count file: only the offsets of rows are copied. Matrices of 2**31 pairs or
        more need 64-bit columns, which are copied.

        >>> import firth
        >>> counts = firth.count(texts=["to be or not to be"])
        >>> counts.to_scipy()[counts.words.index("to"), counts.words.index("be")]
        2
        """
        import numpy as np
        import scipy.sparse

        offsets, rights, pair_counts = self.pairs(distance)
        size = len(self._words)
        columns = rights.view(np.int32) if len(rights) <= _MAX_INDEX else rights.astype(np.int64)
        return scipy.sparse.csr_matrix((pair_counts, columns, offsets.view(np.int64)), shape=(size, size), copy=False)

    @classmethod
    def from_scipy(
        cls, words: Sequence[str], matrix: Any, word_counts: "Optional[npt.ArrayLike]" = None
    ) -> "Counts":
        """Counts from a square matrix of pair counts whose row and column i belong to words[i].

        `word_counts` are the words' own counts; without them, the larger of the sums of row and column are taken.
        """
        import numpy as np

        pairs = matrix.tocoo()
        if pairs.shape != (len(words), len(words)):
            raise ValueError(f"a matrix of {pairs.shape} for {len(words)} words")
        if word_counts is None:
            sums = (np.asarray(matrix.sum(axis=axis)).ravel() for axis in (0, 1))
            word_counts = np.maximum(*sums)
        return cls(_firth.Counts.from_pairs(list(words), np.asarray(word_counts), pairs.row, pairs.col, pairs.data))

    def restrict(
        self,
        *,
        min_count: int = 1,
        max_vocab: int = 0,
        vocab: Vocab = None,
        rare: str = "unk",
        threads: int = 0,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
    ) -> "Counts":
        """The same counts with fewer words; the options are those of :func:`firth.count`."""
        with vocab_file(vocab) as file, Run(threads, 1, memory, progress) as run:
            options = {"min_count": min_count, "max_vocab": max_vocab, "vocab": file, "rare": rare}
            return Counts(self._core.restrict(options, run))

    def merge(self, *others: "Counts", threads: int = 0, memory: MemoryOption = None) -> "Counts":
        """The sum of these and other counts, made with the same text options and not restricted."""
        with tempfile.TemporaryDirectory(prefix="firth-") as folder, Run(threads, 1, memory, False) as run:
            paths = []
            for number, counts in enumerate((self, *others)):
                paths.append(os.path.join(folder, str(number)))
                counts.save(paths[-1])
            return Counts(_firth.merge_counts(paths, run))

    def save(self, path: Path) -> None:
        """Writes a count file, complete or not at all; :func:`firth.load` maps it into memory."""
        self._core.save(path)

    def __len__(self) -> int:
        return len(self._words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash((len(self), self.n_tokens, self.distances))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(),)

    def __copy__(self) -> "Counts":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Counts":
        return self

    def __repr__(self) -> str:
        pairs = ", ".join(f"{self._core.n_distinct_pairs(distance):,}" for distance in self.distances)
        return f"<Counts: {len(self):,} words, {self.n_tokens:,} tokens, {pairs} different pairs>"


def _from_bytes(data: bytes) -> Counts:
    return Counts(_firth.Counts.from_bytes(data))


def read(
    inputs: Optional[Inputs],
    sources: Dict[str, Any],
    options: Dict[str, Any],
    run: _firth.Run,
    count_files: bool,
) -> Tuple[_firth.Counts, List[str]]:
    """Counts of text, or of count files where `count_files` says so; and the paths."""
    options["format"] = format_of(inputs, options.get("format", "auto"))
    if inputs is not None:
        sources = dict(sources)
        options["field"] = sources.pop("field", None)
    sources = {**sources, "encoding": options.pop("encoding", "")}
    input_, paths = resolve(inputs, **sources, check_utf8=options.get("invalid_utf8") != "replace")
    with vocab_file(options.pop("vocab", None)) as file:
        given = {**options, "vocab": file}
        return (_firth.read_counts if count_files else _firth.count)(input_, given, run), paths


def read_alike(data: Inputs, preprocessing: Optional[Dict[str, Any]], encoding: str, run: _firth.Run) -> _firth.Counts:
    """Counts of a text that is read as the text of some classes was; count files are what they are."""
    counted = False
    if not hasattr(data, "read"):
        data = path_list(data)
        counted = any(os.path.isfile(path) and _firth.is_count_file(path) for path in data)
    options = {} if counted else dict(preprocessing or {})
    return read(data, {}, {**options, "encoding": encoding}, run, count_files=True)[0]


def count(
    inputs: Optional[Inputs] = None,
    *,
    texts: Optional[Iterable[Any]] = None,
    tokens: Optional[Iterable[Sequence[str]]] = None,
    ids: Optional[Iterable[Any]] = None,
    names: Optional[Sequence[str]] = None,
    field: Optional[str] = None,
    format: str = "auto",
    column: str = "",
    sequence_end: Optional[int] = None,
    id_names: Optional[Path] = None,
    boundaries: str = "lines",
    lowercase: bool = False,
    tokenize: bool = False,
    invalid_utf8: str = "error",
    encoding: str = "",
    squeeze: bool = False,
    normalize: str = "none",
    min_count: int = 1,
    max_vocab: int = 0,
    vocab: Vocab = None,
    rare: str = "unk",
    distances: Iterable[int] = (1,),
    threads: int = 0,
    memory: MemoryOption = None,
    temp_folder: Optional[Path] = None,
    progress: ProgressOption = None,
) -> Counts:
    """Counts words and pairs of words.

    Parameters
    ----------
    inputs : path, paths or open file
        Files, folders (every file in them) or "-" for standard input; plain, gzip, zstd or xz.
    texts : iterable of str or bytes
        Lines or documents: a list, a generator, a column of a DataFrame, anything with an Arrow C stream.
    tokens : iterable of sequences of str
        Words that were split already.
    ids : iterable of sequences of int
        Words as numbers; `names[number]` is the word, or the number itself without `names`.
    field : str
        The column of a table that is given as `texts`; the key of the text in files of JSON lines.
    format : {"auto", "text", "conllu", "columns", "jsonl", "csv", "tsv", "ids", "u16", "u32", "counts"}
        The formats of docs/formats.md; "auto" goes by the names of files, as the command does.
    column : str
        The column that is read: "form" (as ""), "lemma", "upos" or "xpos" of CoNLL-U, a number or a name elsewhere.
    sequence_end, id_names
        For files of token ids: the id that ends a sequence, and a file with the words that ids stand for.
    boundaries : {"lines", "stream"}
        "lines" = no pair crosses a line end; "stream" = no pair crosses the end of a file.
    lowercase, tokenize : bool
        Unicode lower case; words split at Unicode word boundaries instead of white space.
    invalid_utf8 : {"error", "replace"}
        What to do with NUL bytes and bytes that are not UTF-8: stop and say where, or put U+FFFD in their place.
    encoding : str
        Encoding of files that are not UTF-8: "latin-1", "windows-1252", "utf-16", "shift_jis", or any other that ICU knows.
    squeeze : bool
        Leave out repetitions of the word before: "a a b a" is read as "a b a" (for units of speech).
    normalize : {"none", "nfc", "nfkc"}
        Unicode normalisation: one spelling for letters with accents; with "nfkc" also for ligatures and wide letters.
    min_count, max_vocab, vocab
        Words seen less often, beyond the most frequent `max_vocab`, or outside `vocab` (a file, or words) are left out.
    rare : {"unk", "break", "drop"}
        What these words become: one word `<unk>`, a gap without pairs, or nothing.
    distances : iterable of int
        Distances at which pairs are counted, 1 to 5.

    >>> import firth
    >>> counts = firth.count(texts=["to be or not to be", "that is the question"])
    >>> counts
    <Counts: 8 words, 10 tokens, 7 different pairs>
    """
    options: Dict[str, Any] = {
        "format": format,
        "column": column,
        "sequence_end": sequence_end,
        "id_names": id_names,
        "boundaries": boundaries,
        "lowercase": lowercase,
        "tokenize": tokenize,
        "invalid_utf8": invalid_utf8,
        "encoding": encoding,
        "squeeze": squeeze,
        "normalize": normalize,
        "min_count": min_count,
        "max_vocab": max_vocab,
        "vocab": vocab,
        "rare": rare,
        "distances": sorted(distances),
    }
    sources = {"texts": texts, "tokens": tokens, "ids": ids, "names": names, "field": field}
    with Run(threads, 1, memory, progress, temp_folder) as run:
        return Counts(read(inputs, sources, options, run, count_files=False)[0])
