"""Clustering: text or counts in, classes out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, Mapping, Optional, Sequence, Tuple, Union

from . import _firth
from ._clustering import Clustering
from ._counts import Counts, Vocab, read, vocab_file
from ._errors import UsageError
from ._inputs import Inputs, Path, is_given
from ._progress import ProgressOption
from ._run import MemoryOption, Run
from ._vectors import Vectors

if TYPE_CHECKING:
    import numpy.typing as npt

HELD_OUT_SHARE = 0.1  # of a text, where the number of classes is to be chosen
_TEXT_DEFAULTS: Dict[str, Any] = {
    "format": "auto",
    "column": "",
    "sequence_end": None,
    "id_names": None,
    "boundaries": "lines",
    "lowercase": False,
    "tokenize": False,
    "invalid_utf8": "error",
    "encoding": "",
    "squeeze": False,
    "normalize": "none",
}
_READING: Dict[str, Any] = {**_TEXT_DEFAULTS, "min_count": "auto", "max_vocab": 0, "vocab": None, "rare": "unk"}
_FOR_ALL_WORDS = ("pos", "svd2")  # methods that are about all words of a text, as a tagger is
_INITS = ("frequency", "modulo", "random")

Init = Union[None, str, "os.PathLike[str]", Clustering]


def methods() -> Tuple[str, ...]:
    """The names of all methods of :func:`firth.cluster`.

    >>> import firth
    >>> firth.methods()
    ('auto', 'exchange', 'brown', 'spectral', 'svd2', 'pos')
    """
    return tuple(_firth.method_names())


def _counts_from(
    data: Union[None, Counts, Inputs],
    sources: Dict[str, Any],
    counting: Dict[str, Any],
    pairs: Dict[str, Any],
    run: _firth.Run,
) -> Tuple[_firth.Counts, Sequence[str]]:
    """Counts of what is given, and the paths among it; `pairs` says which pairs of a text to count."""
    if not isinstance(data, Counts):
        return read(data, sources, {**counting, **pairs}, run, count_files=True)
    if is_given(*sources.values()):
        raise UsageError("give counts or text, not both")
    for name, default in _TEXT_DEFAULTS.items():
        if counting[name] != default:
            raise UsageError(f"{name} has no effect on counts; give it to firth.count()", field=name)
    words = {name: value for name, value in counting.items() if name not in _TEXT_DEFAULTS}
    if words["min_count"] <= 1 and words["max_vocab"] == 0 and words["vocab"] is None:
        return data._core, []
    with vocab_file(words.pop("vocab")) as file:
        return data._core.restrict({**words, "vocab": file}, run), []


def reading(given: Dict[str, Any]) -> Dict[str, Any]:
    """Options of text and vocabulary as :func:`firth.cluster` has them, those that are not given by their defaults."""
    for name in given:
        if name not in _READING:
            raise TypeError(f"there is no option {name!r}; options of text are {', '.join(_READING)}")
    return {**_READING, **given}


def _suggested_min_count(core: _firth.Counts, counting: Dict[str, Any], all_words: bool) -> int:
    """What "auto" means: the choice of the command. Where words were left out already, it leaves out no more."""
    left_out = counting["max_vocab"] > 0 or counting["vocab"] is not None or core.is_restricted()
    if left_out or counting["rare"] == "drop" or all_words:
        return 1
    return _firth.suggested_min_count(core)


def counted(
    data: Union[None, Counts, Inputs],
    sources: Dict[str, Any],
    counting: Dict[str, Any],
    pairs: Dict[str, Any],
    run: _firth.Run,
    all_words: bool = False,
) -> Tuple[_firth.Counts, Sequence[str], int]:
    """Counts with these pairs, the paths that were read, and the min_count; "auto" keeps `all_words`, and all token ids."""
    if counting["min_count"] != "auto":
        if isinstance(counting["min_count"], str):
            raise UsageError(f"min_count is a number or 'auto', not {counting['min_count']!r}", field="min_count")
        return *_counts_from(data, sources, counting, pairs, run), counting["min_count"]
    core, paths = _counts_from(data, sources, {**counting, "min_count": 1}, pairs, run)
    min_count = _suggested_min_count(core, counting, all_words or sources["ids"] is not None)
    if min_count > 1:
        core = core.restrict({"min_count": min_count, "rare": counting["rare"]}, run)
    return core, paths, min_count


def _number(n_classes: Union[int, str], core: _firth.Counts, run: _firth.Run) -> Tuple[int, Optional[Dict[str, Any]]]:
    """The number of classes, and how it was chosen."""
    if n_classes != "auto" and (isinstance(n_classes, bool) or not hasattr(n_classes, "__index__")):
        raise UsageError(f"n_classes is a whole number or 'auto', not {n_classes!r}", field="n_classes")
    if isinstance(n_classes, str):
        choice = _firth.choose(core, {}, run)
        return choice["n_classes"], choice
    return n_classes, None


def _start(init: Init, core: _firth.Counts, n_classes: int, run: _firth.Run) -> Tuple[str, Any]:
    """What `init` says, as an option of exchange."""
    if isinstance(init, Clustering):
        return "start", init._core
    if init in _INITS:
        return "init", init
    if init == "brown":
        return "start", _firth.cluster(core, "brown", n_classes, {}, run)["clustering"]
    return "start", _firth.Clustering.load(init, "auto")


def _refined(result: Dict[str, Any], core: _firth.Counts, run: _firth.Run) -> Dict[str, Any]:
    """Exchange from the classes of another method, whose history stays."""
    start = result["clustering"]
    better = _firth.cluster(core, "exchange", start.n_classes(), {"start": start}, run)
    better["history"] = result["history"] + better["history"]
    better["series"] = result["series"]
    if "vectors" in result:
        better["vectors"] = result["vectors"]
    return better


def _clustering(result: Mapping[str, Any], info: Dict[str, Any]) -> Clustering:
    clustering = Clustering(result["clustering"], result["ami_bits"])
    clustering.history = result["history"]
    clustering.complete = result["complete"]
    clustering.info = {**info, **result["series"]}
    if "warm_start" in result:
        clustering.info["warm_start"] = result["warm_start"]
    if "vectors" in result:
        clustering.vectors = Vectors(result["vectors"])
    return clustering


def cluster(
    data: Union[None, Counts, Inputs] = None,
    n_classes: Union[int, str] = 1000,
    *,
    method: str = "auto",
    effort: Optional[str] = None,
    init: Init = None,
    constraints: Optional[Path] = None,
    line_ends: Optional[bool] = None,
    size_weight: Optional[float] = None,
    refine: bool = False,
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
    min_count: Union[int, str] = "auto",
    max_vocab: int = 0,
    vocab: Vocab = None,
    rare: str = "unk",
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    temp_folder: Optional[Path] = None,
    progress: ProgressOption = None,
    **options: Any,
) -> Clustering:
    """Finds classes of words that have similar neighbours, and a tree above the classes.

    The result is the same as that of the command `firth cluster`, byte for byte, for the same options and seed and any
    number of threads.

    Parameters
    ----------
    data : Counts, path, paths or open file
        Counts, or text as in :func:`firth.count`, which also says what `texts`, `tokens`, `ids` and the options of
        text and vocabulary are. Paths may also be those of count files.
    n_classes : int or "auto"
        Number of classes; "auto" = as many as predict held-out lines best (:func:`firth.choose`), kept in `info["choice"]`.
    method : {"auto", "exchange", "brown", "spectral", "svd2", "pos"}
        docs/methods.md says which to use.
    effort : {"fast", "normal", "high", "max"}
        How long "auto" searches.
    init : {"frequency", "modulo", "random", "brown"}, Clustering or path
        Start of "exchange". With "auto", exchange from this start replaces the search.
    constraints : path
        File of words that must share a class, must not share one, belong to a seed class, or are not clustered; see docs/constraints.md
        (for "auto", "exchange" and "brown").
    min_count : int or "auto"
        Words seen less often are left out; "auto" = 3 for texts of half a million words and more, 5 from ten million on,
        otherwise 1 (always 1 for token ids and with "pos" and "svd2"), as in the command.
    line_ends : bool
        Whether line ends count as neighbours, which gives better classes for language models (for "auto", "exchange" and "brown").
    size_weight : float
        Weight of a prior that sends rare words to large classes, 0 to 4.
    refine : bool
        Let words move by exchange afterwards (for "spectral").
    threads, seed, memory, temp_folder
        Number of threads, 0 = all cores; random seed; memory limit such as "8G"; folder for what does not fit into it.
    progress : callable or bool
        A function that gets a :class:`firth.Progress` now and then; None shows a tqdm bar in terminals and notebooks, False nothing.
    **options
        Options of one method. "auto", "exchange" and "spectral": class_size ("max=500", "equal", "max-tokens=20000",
        "equal-tokens"; info["free_ami_bits"] is then the AMI without limits). "auto" and "exchange": max_seconds (the best classes so far are returned then), checkpoint,
        checkpoint_seconds, resume, tree. "exchange": passes, tolerance, restarts. "brown": window (or "all"),
        variant, resort_every, resort_by, marginals, order, trace, checkpoint, checkpoint_seconds, resume.
        "spectral": context, kappa, dim, weights, hierarchy, window, tolerance, checkpoint, resume. "svd2": context_words, rank1,
        clusters1, rank2, scale, unit_length, weighted, frequent_seeds, second_pass, tree. "pos": restarts, skip_weight,
        suffix_weight, shape_weight, length_weight, capital_weight, type_weight, max_tokens, fold_case, tree.

    >>> import firth
    >>> texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
    >>> classes = firth.cluster(texts=texts, n_classes=3)
    >>> classes["cat"] == classes["dog"], classes["a"] == classes["the"]
    (True, True)
    """
    for name in ("k", "classes", "clusters", "n_clusters", "num_classes"):
        if name in options:
            raise UsageError(f"the number of classes is n_classes, not {name}", field=name)
    if isinstance(boundaries, bool):
        raise UsageError(
            "boundaries is 'lines' or 'stream'; line ends as neighbours (--boundaries of the command) are line_ends=True",
            field="boundaries",
        )
    if "random_state" in options:
        raise UsageError("random_state is seed here", field="random_state")
    shared = {"effort": effort, "constraints": constraints, "line_ends": line_ends, "size_weight": size_weight}
    options.update((name, value) for name, value in shared.items() if value is not None)
    if method == "auto" and init is not None:
        method = "exchange"
    if init is not None and method != "exchange":
        raise UsageError(f"init has no effect with method {method!r}; use method='exchange'", field="init")
    sources = {"texts": texts, "tokens": tokens, "ids": ids, "names": names, "field": field}
    counting = {
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
    }
    with Run(threads, seed, memory, progress, temp_folder) as run:
        pairs: Dict[str, Any] = {"distances": _firth.required_distances(method, options)}
        if n_classes == "auto":
            pairs["held_out_share"] = HELD_OUT_SHARE
        all_words = method in _FOR_ALL_WORDS
        core, paths, counting["min_count"] = counted(data, sources, counting, pairs, run, all_words)
        number, choice = _number(n_classes, core, run)
        if init is not None:
            name, start = _start(init, core, number, run)
            options = {**options, name: start}
        result = _firth.cluster(core, method, number, options, run)
        if refine:
            result = _refined(result, core, run)
    info = {
        "method": method,
        "n_classes": number,
        "seed": seed,
        "options": {name: value for name, value in options.items() if name != "start"},
        "inputs": list(paths),
        "min_count": counting["min_count"],
        "tokens": core.n_tokens(),
        "words": len(core.words()),
    }
    if choice is not None:
        info["choice"] = choice
    return _clustering(result, info)


def cluster_vectors(
    vectors: "Union[Vectors, npt.ArrayLike]",
    n_classes: int = 1000,
    *,
    words: Optional[Sequence[str]] = None,
    method: str = "ward",
    distance: str = "cosine",
    weights: str = "none",
    window: int = 0,
    start: str = "spread",
    iterations: int = 100,
    class_size: Optional[str] = None,
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
) -> Clustering:
    """Classes of anything that has a vector, with a tree above them, in bounded memory.

    Parameters
    ----------
    vectors : Vectors or array
        Vectors, or a matrix with one row per word.
    words : sequence of str
        What the rows of a matrix stand for; without them, the numbers of the rows.
    method : {"ward", "divide", "kmeans"}
        Bottom-up by Ward's criterion within a window; top-down by splits in two; k-means and a tree above its classes.
    distance : {"cosine", "euclidean"}
    weights : {"none", "sqrt", "counts"}
        Weight of a vector.
    window : int
        Number of clusters in the window of "ward"; 0 = twice the number of classes.
    start : {"spread", "frequent", "random", "ward"}
        Where "kmeans" starts; "spread" is k-means++, "ward" the means of the classes of method "ward".
    class_size : str
        Limits the sizes of classes: "max=500", "equal", "max-tokens=20000" or "equal-tokens".

    >>> import firth
    >>> classes = firth.cluster_vectors([[1, 0], [0.9, 0.1], [0, 1]], 2, words=["cat", "dog", "runs"])
    >>> classes["cat"] == classes["dog"], classes["cat"] == classes["runs"]
    (True, False)
    """
    if not isinstance(vectors, Vectors):
        import numpy as np

        rows = np.asarray(vectors)
        width = len(str(max(len(rows) - 1, 0)))
        vectors = Vectors.from_arrays(words or [f"{row:0{width}}" for row in range(len(rows))], rows)
    elif words is not None:
        raise UsageError("vectors have words of their own", field="words")
    options = {
        "n_classes": n_classes,
        "method": method,
        "distance": distance,
        "weights": weights,
        "window": window,
        "start": start,
        "iterations": iterations,
        "class_size": class_size,
    }
    with Run(threads, seed, memory, progress) as run:
        made = _firth.cluster_vectors(vectors._core, options, run)
    result = Clustering(made.pop("clustering"))
    result.vectors = vectors
    result._means = made.pop("means")
    result.info = {**options, "seed": seed, **{name: value for name, value in made.items() if value is not None}}
    return result
