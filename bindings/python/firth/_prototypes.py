"""Tags for a language without tagged text: one word of each class is tagged by hand, and stands for the others."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from . import _firth
from ._clustering import Clustering
from ._inputs import Inputs, Path, format_of, read_like, resolve
from ._progress import ProgressOption
from ._run import Run


class Prototype(NamedTuple):
    """The word that stands for a class: its most frequent one."""

    word: str
    tag: str = ""
    """What a person says of the word; empty until then."""
    label: int = 0
    """The class."""
    tokens: int = 0
    """Of the class, in the text."""
    contexts: Sequence[str] = ()
    """Places in the text, the word among its neighbours."""


def _input(inputs: Optional[Inputs], sources: Dict[str, Any]) -> _firth.Input:
    return resolve(inputs, **sources)[0]


def choose_prototypes(
    classes: Clustering,
    inputs: Optional[Inputs] = None,
    *,
    texts: Optional[Iterable[Any]] = None,
    tokens: Optional[Iterable[Sequence[str]]] = None,
    contexts: int = 3,
    width: int = 5,
    format: str = "auto",
    lowercase: Optional[bool] = None,
    tokenize: Optional[bool] = None,
    encoding: str = "",
    progress: ProgressOption = None,
) -> List[Prototype]:
    """The prototypes of all classes that have a token in the text; classes with most tokens come first.

    `contexts` places are shown for each word, with `width` words to each side; the text is given as to
    :func:`firth.count`, and read as that of the classes was unless `lowercase` or `tokenize` say otherwise.

    >>> import firth
    >>> texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
    >>> classes = firth.cluster(texts=texts, n_classes=3)
    >>> [prototype.word for prototype in firth.choose_prototypes(classes, texts=texts)]
    ['a', 'cat', 'hears']
    """
    alike = read_like(classes.preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
    text = {**alike, "format": format_of(inputs, format)}
    with Run(0, 1, None, progress) as run:
        rows = _firth.choose_prototypes(
            classes._core,
            _input(inputs, {"texts": texts, "tokens": tokens, "encoding": encoding}),
            {"contexts": contexts, "width": width},
            text,
            run,
        )
    return [Prototype(*row) for row in rows]


def save_prototypes(path: Path, prototypes: Iterable[Prototype]) -> None:
    """Writes a table to edit: somebody puts a tag in place of each "?"."""
    _firth.save_prototypes(path, [tuple(each) for each in prototypes])


def load_prototypes(path: Path) -> List[Prototype]:
    """Reads word and tag of each line of such a table."""
    return [Prototype(*row) for row in _firth.load_prototypes(path)]


class PrototypeTagger:
    """Gives each word the tag of the prototype of its class; a word without a class, that of the class which fits its
    spelling.

    >>> import firth
    >>> texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
    >>> classes = firth.cluster(texts=texts, n_classes=3)
    >>> tagged = [firth.Prototype("a", "DET"), firth.Prototype("cat", "NOUN"), firth.Prototype("hears", "VERB")]
    >>> firth.PrototypeTagger(classes, tagged).tag(texts=["the dog sees"])
    [[('the', 'DET'), ('dog', 'NOUN'), ('sees', 'VERB')]]
    """

    __slots__ = ("_core", "_state")

    def __init__(self, classes: Clustering, prototypes: Iterable[Prototype]) -> None:
        given = [Prototype(*each) for each in prototypes]
        self._state = (classes, given)
        self._core = _firth.PrototypeTagger(classes._core, [tuple(each) for each in given])

    def tag(
        self,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        format: str = "auto",
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        progress: ProgressOption = None,
    ) -> List[List[Tuple[str, str]]]:
        """Words and tags of each sentence; "" where no tag is known."""
        alike = read_like(self._state[0].preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
        text = {**alike, "format": format_of(inputs, format)}
        with Run(0, 1, None, progress) as run:
            return self._core.tag(_input(inputs, {"texts": texts, "tokens": tokens, "encoding": encoding}), text, run)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrototypeTagger) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state[0])

    def __reduce__(self) -> "Tuple[Any, ...]":
        return PrototypeTagger, self._state

    def __repr__(self) -> str:
        classes, prototypes = self._state
        tags = {each.tag for each in prototypes}
        return f"<PrototypeTagger: {len(tags):,} tags by {len(prototypes):,} prototypes of {classes.n_classes:,} classes>"
