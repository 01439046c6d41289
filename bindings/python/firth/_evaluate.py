"""How good classes are."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

from . import _firth
from ._clustering import Clustering
from ._counts import Counts, read
from ._inputs import Inputs, resolve
from ._progress import ProgressOption
from ._run import MemoryOption, Run


def evaluate(
    clustering: Clustering,
    data: Union[None, Counts, Inputs] = None,
    *,
    gold: Optional[Inputs] = None,
    tag: str = "upos",
    bootstrap: int = 0,
    unknown: str = "unk",
    lowercase: bool = False,
    threads: int = 0,
    seed: int = 1,
    memory: MemoryOption = None,
    progress: ProgressOption = None,
) -> Dict[str, Any]:
    """Sizes of classes, scores against a text, and agreement with tags that people gave.

    Parameters
    ----------
    data : Counts or text
        Adds "ami_bits" and how much of the text the classes know: "type_coverage", "token_coverage", "bigram_coverage".
    gold : path or paths
        CoNLL-U, or lines of word, tab and tag. Adds "by_token" and "by_type" (many-to-one, one-to-one, VI, V-measure ...),
        "tags", "upper_bound".
    tag : {"upos", "xpos"}
        The column of CoNLL-U that is the tag.
    bootstrap : int
        Resamples for 95 % intervals ("by_token_interval", "by_type_interval"); 0 = none.
    unknown : {"unk", "skip"}
        Words without a class stand for `<unk>` if that has one, or are left out.
    lowercase : bool
        Whether words of text and gold are turned into lower case.

    >>> import firth
    >>> counts = firth.count(texts=["a cat runs", "a dog runs"])
    >>> scores = firth.evaluate(firth.cluster(counts, 3), counts)
    >>> scores["classes"], scores["token_coverage"], round(scores["ami_bits"], 4)
    (3, 1.0, 1.0)
    """
    as_unk = unknown == "unk"
    with Run(threads, seed, memory, progress) as run:
        core: Optional[_firth.Counts] = None
        if isinstance(data, Counts):
            core = data._core
        elif data is not None:
            core = read(data, {}, {"lowercase": lowercase}, run, count_files=True)[0]
        scores = _firth.describe(clustering._core, core, as_unk)
        if gold is not None:
            options = {"tag": tag, "bootstrap": bootstrap, "as_unk": as_unk, "lowercase": lowercase}
            scores.update(_firth.score_gold(clustering._core, resolve(gold)[0], options, run))
    return scores
