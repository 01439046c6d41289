"""The words of counts, clusterings and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Sequence, Tuple, Union, overload

from . import _firth
from ._arrays import checked

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Words(Sequence[str]):
    """Words in order, most frequent first. Words become `str` only when they are needed.

    >>> import firth
    >>> words = firth.count(texts=["to be or not to be"]).words
    >>> words[0], len(words), words.index("or"), "maybe" in words
    ('be', 4, 3, False)
    """

    __slots__ = ("_core",)

    def __init__(self, core: _firth.Words) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> List[str]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[str, List[str]]:
        if isinstance(index, slice):
            return [self._core.word(i) for i in range(*index.indices(len(self)))]
        return self._core.word(index)

    def __iter__(self) -> Iterator[str]:
        return map(self._core.word, range(len(self)))

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._core.find(word) >= 0

    def index(self, word: str, *_: Any) -> int:
        """The rank of a word; ValueError if it is not there."""
        rank = self._core.find(word)
        if rank < 0:
            raise ValueError(f"{word!r} is not among the words")
        return rank

    def to_list(self) -> List[str]:
        """All words as a list."""
        return self._core.to_list()

    @property
    def counts(self) -> "npt.NDArray[np.uint64]":
        """How often each word was seen: a view."""
        return checked(self._core.counts())

    @property
    def utf8(self) -> "tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]":
        """Offsets and bytes of all words, as views: what Arrow calls large_utf8."""
        return checked(self._core.offsets()), checked(self._core.bytes())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Words):
            return self._core is other._core or self.to_list() == other.to_list()
        return isinstance(other, list) and self.to_list() == other

    def __hash__(self) -> int:
        return hash(tuple(self[:8])) ^ len(self)

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_list, (self.to_list(), self.counts.tolist())

    def __copy__(self) -> "Words":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Words":
        return self

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self[:5]))
        return f"<{len(self):,} words: {first}{', ...' if len(self) > 5 else ''}>"


def _from_list(words: List[str], counts: List[int]) -> Words:
    import numpy as np

    none = np.empty(0, np.uint32)
    return Words(_firth.Counts.from_pairs(words, np.array(counts, np.uint64), none, none, none).words())


def split_words(text: str, *, lowercase: bool = False, tokenize: bool = False) -> List[str]:
    """The words that counting finds in a text, with the options of :func:`firth.count`.

    >>> import firth
    >>> firth.split_words("Don't panic!", tokenize=True, lowercase=True)
    ["don't", 'panic', '!']
    """
    return _firth.line_words(text, lowercase, tokenize)
