"""How good classes are."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Optional, Sequence, Union

from . import _firth
from ._cluster import HELD_OUT_SHARE, counted, reading
from ._clustering import Clustering
from ._counts import Counts, read_alike
from ._errors import UsageError
from ._inputs import Inputs, read_like, resolve
from ._progress import ProgressOption
from ._run import MemoryOption, Run


def _counts(
    data: Union[None, Counts, Inputs], preprocessing: Dict[str, Any], encoding: str, run: _firth.Run
) -> Optional[_firth.Counts]:
    if data is None or isinstance(data, Counts):
        return None if data is None else data._core
    return read_alike(data, preprocessing, encoding, run)


def choose(
    data: Union[None, Counts, Inputs] = None,
    *,
    held_out: Union[float, Counts] = HELD_OUT_SHARE,
    max_classes: int = 0,
    texts: Optional[Iterable[Any]] = None,
    tokens: Optional[Iterable[Sequence[str]]] = None,
    ids: Optional[Iterable[Any]] = None,
    names: Optional[Sequence[str]] = None,
    field: Optional[str] = None,
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
    **text: Any,
) -> Dict[str, Any]:
    """Finds the number of classes with which class bigrams predict held-out text best, as `firth choose` does.

    Parameters
    ----------
    data : Counts, path, paths or open file
        A text, as in :func:`firth.cluster`, which also says what `texts`, `tokens`, `ids`, `names` and `field` are: blocks of
        lines are held out. Or counts, which have no lines: pairs are held out one by one, which favours more classes.
    held_out : float or Counts
        Share to hold out; or counts of another text, whose pairs are to be predicted.
    max_classes : int
        Maximum number of classes to try; 0 = the square root of the number of pairs of neighbours.
    **text
        Options of text and vocabulary: format, column, lowercase, tokenize, min_count ... as in :func:`firth.cluster`.

    Returns
    -------
    dict
        "n_classes" and its "perplexity"; "judged_by", "blocks", "pairs" or "text"; "cuts" and "refined", pairs of a number of
        classes and its perplexity; "within_percent", the smallest number that is within 1, 3 and 10 percent of the best;
        "at_limit", whether more might be better still.

    >>> import firth
    >>> nouns, verbs = ("cat", "dog", "cow"), ("runs", "eats", "sees")
    >>> lines = [f"{a} {noun} {verb} {a} {noun}" for a in ("a", "the", "no") for noun in nouns for verb in verbs]
    >>> firth.choose(texts=lines * 20)["n_classes"]
    3
    """
    options: Dict[str, Any] = {"max_classes": max_classes}
    pairs: Dict[str, Any] = {"distances": [1]}
    if isinstance(held_out, Counts):
        options["other"] = held_out._core
    else:
        options["held_out"] = pairs["held_out_share"] = held_out
    sources = {"texts": texts, "tokens": tokens, "ids": ids, "names": names, "field": field}
    with Run(threads, seed, memory, progress) as run:
        core = counted(data, sources, reading(text), pairs, run)[0]
        return _firth.choose(core, options, run)


def evaluate(
    clustering: Clustering,
    data: Union[None, Counts, Inputs] = None,
    *,
    held_out: Union[None, Counts, Inputs] = None,
    gold: Optional[Inputs] = None,
    tag: str = "upos",
    bootstrap: int = 0,
    unknown: str = "unk",
    lowercase: Optional[bool] = None,
    encoding: str = "",
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
) -> Dict[str, Any]:
    """Sizes of classes, scores against a text, and agreement with human tags.

    Parameters
    ----------
    data : Counts or text
        Adds "ami_bits" and how much of the text the classes cover: "type_coverage", "token_coverage", "bigram_coverage".
    held_out : Counts or text
        Adds "perplexity" of the pairs of this text, by class bigrams with probabilities from `data`.
    gold : path or paths
        CoNLL-U, or lines of word, tab and tag. Adds "by_token" and "by_type" (many-to-one, one-to-one, VI, V-measure ...),
        "tags", "upper_bound".
    tag : {"upos", "xpos"}
        The column of CoNLL-U that is the tag.
    bootstrap : int
        Resamples for 95 % intervals ("by_token_interval", "by_type_interval"); 0 = none.
    unknown : {"unk", "skip"}
        Words without a class count as `<unk>`, if that has a class, or are left out.
    lowercase : bool
        Whether words of text and gold are turned into lower case; None = as the text of the classes was. Texts are also
        tokenized, normalised and cut into sequences as that was (:attr:`Clustering.preprocessing`).
    encoding : str
        Encoding of files of text and gold, if it is not UTF-8.

    >>> import firth
    >>> counts = firth.count(texts=["a cat runs", "a dog runs"])
    >>> scores = firth.evaluate(firth.cluster(counts, 3), counts)
    >>> scores["classes"], scores["token_coverage"], round(scores["ami_bits"], 4)
    (3, 1.0, 1.0)
    """
    as_unk = unknown == "unk"
    alike = read_like(clustering.preprocessing, lowercase=lowercase, tokenize=None)
    with Run(threads, seed, memory, progress) as run:
        core = _counts(data, alike, encoding, run)
        scores = _firth.describe(clustering._core, core, as_unk)
        other = _counts(held_out, alike, encoding, run)
        if other is not None:
            if core is None:
                raise UsageError("held_out needs a text that probabilities are estimated from; give data", field="held_out")
            scores["perplexity"] = _firth.perplexity(clustering._core, core, other)
        if gold is not None:
            spelling = {name: alike[name] for name in ("lowercase", "normalize") if name in alike}
            options = {"tag": tag, "bootstrap": bootstrap, "as_unk": as_unk, **spelling}
            scores.update(_firth.score_gold(clustering._core, resolve(gold, encoding=encoding)[0], options, run))
    return scores
