"""Classes of words."""

from __future__ import annotations

import html
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _firth, _tree
from ._arrays import checked
from ._assigned import AssignedVector, AssignedWord
from ._counts import Counts, read_alike
from ._errors import UsageError, require_core
from ._inputs import Inputs, Path, path_list, read_like, words_of
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._words import Words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas

    from ._vectors import Vectors


class Clustering(Mapping[str, int]):
    """Words in classes, with or without a tree above the classes: a mapping from words to numbers of classes.

    Made by :func:`firth.cluster` and :func:`firth.load`. Classes are numbered by decreasing count. Two clusterings are equal
    if they have the same content, wherever they come from.

    >>> import firth
    >>> classes = firth.Clustering.from_dict({"cat": 0, "dog": 0, "runs": 1}, {"cat": 3, "dog": 2, "runs": 1})
    >>> classes["dog"], classes.members(0), "cow" in classes, len(classes)
    (0, ['cat', 'dog'], False, 3)
    """

    __slots__ = (
        "_core", "_words", "_features", "_bits", "_means", "ami", "history", "info", "vectors", "assigned", "complete",
    )

    ami: Optional[float]
    """Average mutual information of adjacent classes, in bits, on the counts they were made from; None if not known."""
    complete: bool
    """Whether the method ran to its end; False if `max_seconds` ended it, with the best classes so far."""
    history: List[Dict[str, Any]]
    """What each pass of the method reached."""
    info: Dict[str, Any]
    """How the clustering was made: method, options, figures."""
    vectors: "Optional[Vectors]"
    """The vectors that were clustered, for methods that make some."""
    assigned: Sequence[Union[AssignedWord, AssignedVector]]
    """The words that :meth:`assign` or :meth:`assign_vectors` added."""

    def __init__(self, core: _firth.Clustering, ami: Optional[float] = None) -> None:
        require_core(core, _firth.Clustering, "Clustering", "load_clustering", "cluster()")
        self._core = core
        self._words = Words(core.words())
        self._features: Dict[Tuple[Any, ...], _firth.ClassFeatures] = {}
        self._bits: Optional[List[str]] = None
        self.ami = ami
        self.complete = True
        self.history = []
        self.info = {}
        self.vectors = None
        self.assigned = []
        self._means: Optional[_firth.ClassMeans] = None

    @classmethod
    def from_dict(cls, classes: Mapping[str, int], counts: Optional[Mapping[str, int]] = None) -> "Clustering":
        """Classes that were made elsewhere, with any numbers. Without counts, words are ordered by spelling."""
        numbers = {label: number for number, label in enumerate(dict.fromkeys(classes.values()))}
        word_counts = [0 if counts is None else counts[word] for word in classes]
        return cls(
            _firth.Clustering.from_words(list(classes), word_counts, [numbers[label] for label in classes.values()])
        )

    # The mapping

    def __getitem__(self, word: str) -> int:
        rank = self._words._core.find(word) if isinstance(word, str) else -1
        if rank < 0:
            raise KeyError(word)
        return self._core.class_of(rank)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def to_dict(self) -> Dict[str, int]:
        """Word to class, as a dict."""
        return dict(zip(self._words.to_list(), self.labels.tolist()))

    # Words and classes

    @property
    def words(self) -> Words:
        """The words, most frequent first."""
        return self._words

    @property
    def labels(self) -> "npt.NDArray[np.uint32]":
        """The class of each of `words`: a read-only view."""
        return checked(self._core.labels())

    @property
    def counts(self) -> "npt.NDArray[np.uint64]":
        """How often each of `words` was seen: a read-only view."""
        return self._words.counts

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return self._core.n_classes()

    def members(self, label: int, n: Optional[int] = None) -> List[str]:
        """The words of a class, or the first `n` of them, most frequent first."""
        if not 0 <= label < self.n_classes:
            raise IndexError(f"no class {label}: there are {self.n_classes}")
        return [self._words[rank] for rank in self._core.members(label)[:n]]

    def top(self, n: int = 20, words: int = 10) -> List[Tuple[int, List[str]]]:
        """The `n` largest classes, each with its `words` most frequent words."""
        return list(enumerate(self._core.first_members(words)[:n]))

    def similar(self, word: str, n: int = 10) -> List[str]:
        """Words of the same class, then those of the classes nearest in the tree; most frequent first within a class."""
        own = self[word]
        result = [other for other in self.members(own) if other != word]
        if len(result) >= n or not self.has_tree:
            return result[:n]
        bits = self._class_bits()
        near = sorted((label for label in range(self.n_classes) if label != own),
                      key=lambda label: -_common(bits[own], bits[label]))
        for label in near:
            result += self.members(label, n)
            if len(result) >= n:
                break
        return result[:n]

    # The tree

    @property
    def has_tree(self) -> bool:
        """Whether there is a tree above the classes."""
        return self._core.tree() is not None

    def _class_bits(self) -> List[str]:
        if self._bits is None:
            self._bits = self._core.bits()
        return self._bits

    def bits(self, word: str) -> str:
        """The path of a word's class from the root of the tree: '0' and '1' per branch."""
        return self._class_bits()[self[word]]

    def prefix(self, word: str, n: int) -> str:
        """The first `n` bits of the path: a coarser class."""
        return self.bits(word)[:n]

    def paths(self) -> Dict[str, str]:
        """Word to path, for all words."""
        bits = self._class_bits()
        return {word: bits[label] for word, label in zip(self._words.to_list(), self.labels.tolist())}

    def cut(self, k: int) -> "Clustering":
        """The same words in `k` classes, by undoing or doing merges of the tree."""
        return Clustering(self._core.cut(k))

    def cut_at_depth(self, depth: int) -> "Clustering":
        """Classes = the nodes of the tree at a depth, and the leaves above it."""
        return Clustering(self._core.cut_at_depth(depth))

    def cut_by_size(self, class_size: str, k: int = 0) -> "Clustering":
        """Classes by their sizes instead of the order of merges.

        "max=500" or "max-tokens=20000": nodes of the tree; the largest class is split until there are `k` or, for 0, until
        all are small enough. "equal" or "equal-tokens": `k` ranges of the leaves from left to right, as even as words allow.
        """
        return Clustering(self._core.cut_by_size(k, class_size))

    def by_id(self, id_names: Optional[Path] = None) -> "npt.NDArray[np.int32]":
        """The class of every token id from 0 on, -1 for ids without one, for words that are numbers; with `id_names`, for
        the words of that file.

        >>> import firth
        >>> firth.Clustering.from_dict({"0": 0, "3": 1, "1": 0}).by_id().tolist()
        [0, 0, -1, 1]
        """
        return checked(self._core.by_id(id_names))

    def codes(self, branch: int = 256, depth: int = 3) -> "npt.NDArray[np.uint32]":
        """A code of `depth` digits below `branch` for each word: codes are distinct, and words that share the beginning of
        their codes are neighbours in the tree."""
        return self._core.codes(branch, depth)

    def refine(
        self, counts: Counts, k: int, *, threads: int = 0, seed: int = 1, progress: ProgressOption = None
    ) -> "Clustering":
        """Flat classes at a smaller number `k`: a cut of the tree, improved by moving words. Better than :meth:`cut`, but
        not nested in the classes here."""
        with Run(threads, seed, None, progress) as run:
            return Clustering(self._core.refine(counts._core, [k], run)[0])

    def with_tree(self, counts: Counts, *, threads: int = 0, progress: ProgressOption = None) -> "Clustering":
        """The same classes with a new tree above them, by Brown's merges over `counts`."""
        with Run(threads, 1, None, progress) as run:
            return Clustering(self._core.with_tree(counts._core, run), self.ami)

    def linkage(self, leaves: str = "classes") -> "npt.NDArray[np.float64]":
        """The tree as a matrix of `scipy.cluster.hierarchy`, over classes or, if the tree has them, over words.

        Heights are the AMI lost; `dendrogram(classes.linkage())` draws it.
        """
        if leaves == "words":
            return _tree.linkage(_tree.word_merges(self._core), len(self))
        return _tree.linkage(_tree.class_merges(self._core), self.n_classes)

    def tree(self, words: int = 10) -> Dict[str, Any]:
        """The tree as dicts within dicts, for d3 and others; each leaf has its class and its first words."""
        leaves = [{"class": label, "words": first} for label, first in self.top(self.n_classes, words)]
        return _tree.nested(_tree.class_merges(self._core), leaves)

    @property
    def preprocessing(self) -> Optional[Dict[str, Any]]:
        """How the text of these classes was read, as options of :func:`firth.count`; None if that is not known."""
        return self._core.preprocessing()

    # Other words

    def assign(
        self,
        counts: Union[Counts, Inputs],
        *,
        min_contexts: int = 2,
        threads: int = 0,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
    ) -> "Clustering":
        """Gives every word of `counts` that is not here one of these classes, by its contexts or else its spelling.

        Instead of counts, a path may be given: its text is read as that of these classes was (`preprocessing`). The result has all
        words; its `assigned` says how the new ones were placed.
        """
        with Run(threads, 1, memory, progress) as run:
            other = counts._core if isinstance(counts, Counts) else read_alike(counts, self.preprocessing, "", run)
            core, words = self._core.assign(other, min_contexts, run)
        result = Clustering(core)
        result.assigned = [AssignedWord(*word) for word in words]
        return result

    @property
    def means(self) -> "Optional[npt.NDArray[np.float32]]":
        """The mean vector of each class, where the classes are those of vectors: a read-only view."""
        return None if self._means is None else checked(self._means.array())

    def _known_means(self) -> _firth.ClassMeans:
        if self._means is None:
            raise UsageError("these are not classes of vectors; make them with firth.cluster_vectors()")
        return self._means

    def nearest(
        self, vectors: "Vectors", *, threads: int = 0, progress: ProgressOption = None
    ) -> "npt.NDArray[np.uint32]":
        """The class whose mean is nearest to each of `vectors`, for classes of vectors."""
        with Run(threads, 1, None, progress) as run:
            return checked(self._known_means().nearest(vectors._core, run))

    def assign_vectors(
        self, vectors: "Vectors", *, threads: int = 0, progress: ProgressOption = None
    ) -> "Clustering":
        """Gives every word of `vectors` that is not here the class whose mean is nearest, for classes of vectors.

        The result has all words, and its classes are numbered anew; its `assigned` says how the new ones were placed.
        """
        with Run(threads, 1, None, progress) as run:
            core, words = self._known_means().assign(self._core, vectors._core, run)
        result = Clustering(core)
        result.assigned = [AssignedVector(*word) for word in words]
        return result

    def _feature_maker(self, **options: Any) -> _firth.ClassFeatures:
        key = tuple(sorted(options.items()))
        if key not in self._features:
            self._features[key] = _firth.ClassFeatures(self._core, options)
        return self._features[key]

    def encode(
        self, tokens: Iterable[str], unknown: str = "spelling", missing: int = -1
    ) -> "npt.NDArray[np.int64]":
        """The class of each token, as an array.

        Parameters
        ----------
        unknown : {"spelling", "lowercase", "none"}
            A word that is not here gets the class of its lower-case form, or else ("spelling") the one that its spelling
            suggests.
        missing : int
            The number for tokens without a class.

        >>> import firth
        >>> classes = firth.Clustering.from_dict({"cat": 0, "runs": 1}, {"cat": 3, "runs": 1})
        >>> classes.encode(["Cat", "runs", "flies"], unknown="lowercase").tolist()
        [0, 1, -1]
        """
        return checked(self._feature_maker(unknown=unknown).encode(words_of(tokens), missing))

    def features(
        self,
        tokens: Sequence[str],
        prefixes: Sequence[int] = (4, 6, 10, 20),
        cuts: Sequence[int] = (),
        window: int = 0,
        unknown: str = "spelling",
        full: bool = True,
    ) -> List[Dict[str, str]]:
        """One dict of features per token of a sentence, as python-crfsuite and sklearn-crfsuite take them.

        Parameters
        ----------
        prefixes : lengths of bit-string prefixes
        cuts : numbers of classes to roll the tree up to
        window : neighbours to each side whose classes are features, too
        unknown : as in :meth:`encode`
        full : the whole bit string, too
        """
        maker = self._feature_maker(
            prefixes=tuple(prefixes), cuts=tuple(cuts), window=window, unknown=unknown, full=full
        )
        return maker.features(list(words_of(tokens)))

    # Elsewhere

    def to_pandas(self) -> "pandas.DataFrame":
        """A DataFrame with a row per word: word, count, class and, if there is a tree, bits."""
        import pandas

        frame = pandas.DataFrame({"word": self._words.to_list(), "count": self.counts, "class": self.labels})
        if self.has_tree:
            bits = self._class_bits()
            frame["bits"] = [bits[label] for label in self.labels.tolist()]
        return frame

    def save(self, path: Path, format: str = "firth") -> None:
        """Writes the classes, complete or not at all.

        Parameters
        ----------
        format : {"firth", "paths", "classes", "merges", "srilm", "clark", "json", "mkcls"}
            "firth" makes a folder with `paths`, `classes.tsv`, `merges.tsv` and `bigrams.tsv` (or the means of classes of
            vectors), as the command does; the others are described in docs/formats.md.
        """
        self._core.save(path, format)
        if format == "firth" and self._means is not None:
            self._means.save(path)

    def report(
        self,
        path: Path,
        *,
        title: str = "",
        counts: Optional[Counts] = None,
        inputs: Union[None, Path, Iterable[Path]] = None,
        gold: Union[None, Path, Iterable[Path]] = None,
        vectors: "Optional[Vectors]" = None,
        other: "Optional[Clustering]" = None,
        other_name: str = "",
        max_words: int = 500_000,
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> None:
        """Writes the classes as one HTML page, which needs no other files and can be mailed.

        Parameters
        ----------
        counts : counts of a text, for neighbours and typical words
        inputs : the text itself (paths), for lines that show the words; read as that of the classes was unless
            `lowercase` or `tokenize` say otherwise
        gold : tagged text (paths), for shares of tags
        vectors : for classes that are close; by default those that the classes were made of
        other, other_name : another clustering to compare with
        max_words : the most frequent words to show; 0 = all
        """
        alike = read_like(self.preprocessing, lowercase=lowercase, tokenize=tokenize)
        near = vectors if vectors is not None else self.vectors
        options = {
            "title": title,
            "counts": None if counts is None else counts._core,
            "texts": [] if inputs is None else path_list(inputs),
            "gold": [] if gold is None else path_list(gold),
            "vectors": None if near is None else near._core,
            "other": None if other is None else other._core,
            "other_name": other_name,
            "max_words": max_words,
            **{name: value for name, value in alike.items() if name != "boundaries"},
        }
        with Run(threads, 1, None, progress) as run:
            _firth.save_report(path, _firth.report(self._core, options, run))

    def compare(self, other: "Clustering") -> Dict[str, Any]:
        """How similar two clusterings are, over the words that both have.

        "by_type" and "by_token" hold the variation of information ("vi_bits", 0 = the same), "v_measure" (1 = the same) and
        "adjusted_rand"; "moved" lists the words, most frequent first, that are not with the rest of their class; "common",
        "only_first" and "only_second" count words.

        >>> import firth
        >>> first = firth.Clustering.from_dict({"a": 0, "b": 0, "c": 1, "d": 1, "e": 1})
        >>> second = firth.Clustering.from_dict({"a": 0, "b": 0, "c": 0, "d": 1, "e": 1})
        >>> first.compare(second)["moved"], first.compare(first)["by_type"]["vi_bits"]
        (['c'], 0.0)
        """
        return _firth.compare(self._core, other._core)

    def to_string(self, format: str = "paths") -> str:
        """What :meth:`save` would write, for every format but "firth"."""
        return self._core.format(format).decode("utf-8", "surrogateescape")

    # Manners

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Clustering):
            return self._core.equals(other._core)
        return isinstance(other, Mapping) and self.to_dict() == dict(other)

    def __hash__(self) -> int:
        return hash((len(self), self.n_classes, self.labels.tobytes()))

    def __reduce__(self) -> "Tuple[Any, ...]":
        state = {name: getattr(self, name) for name in ("ami", "complete", "history", "info", "vectors", "assigned", "_means")}
        return _from_bytes, (self._core.to_bytes(), state)

    def __copy__(self) -> "Clustering":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Clustering":
        return self

    def __repr__(self) -> str:
        ami = "" if self.ami is None else f", AMI {self.ami:.4f} bits"
        return f"<{self.n_classes:,} classes of {len(self):,} words{ami}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{label}</td><td>{html.escape(self._class_bits()[label]) if self.has_tree else ''}</td>"
            f"<td style='text-align:left'>{html.escape(' '.join(words))}</td></tr>"
            for label, words in self.top(20, 12)
        )
        head = "<tr><th>class</th><th>bits</th><th>words</th></tr>"
        more = f"<p>and {self.n_classes - 20:,} more classes</p>" if self.n_classes > 20 else ""
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table>{head}{rows}</table>{more}"


def _common(a: str, b: str) -> int:
    """How many bits two paths share."""
    n = 0
    for x, y in zip(a, b):
        if x != y:
            break
        n += 1
    return n


def _from_bytes(data: bytes, state: Dict[str, Any]) -> Clustering:
    result = Clustering(_firth.Clustering.from_bytes(data))
    for name, value in state.items():
        setattr(result, name, value)
    return result
