"""Parsing with grammars that have latent states."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _firth
from ._errors import require_core
from ._inputs import Inputs, Path, resolve, sentences_of
from ._progress import ProgressOption
from ._run import MemoryOption, Run

Token = Union[str, Tuple[str, str]]


class Parse(NamedTuple):
    """The tree of a sentence."""

    tree: str
    """In brackets: "( (S (NP (PRP We)) (VP (VBD saw))))"."""
    status: str
    """"parsed", "coarse" (by the plain grammar), "flat" (no tree covers the words) or "empty"."""
    log_probability: float
    """Of the words, in nats; NaN unless parsed."""


def _pair(token: Token) -> Tuple[str, str]:
    return (token, "") if isinstance(token, str) else (token[0], token[1])


class Parser:
    """A grammar with latent states, learnt from bracketed trees. Made by :meth:`train` and :func:`firth.load`.

    >>> import firth
    >>> trees = ["(S (NP (D the) (N cat)) (VP (V runs)))", "(S (NP (D a) (N dog)) (VP (V sits)))"] * 10
    >>> parser = firth.Parser.train(texts=trees, algorithm="pcfg", rare=1)
    >>> parser.parse([["the", "dog", "runs"]])[0].tree
    '( (S (NP (D the) (N dog)) (VP (V runs))))'
    """

    __slots__ = ("_core",)

    def __init__(self, core: _firth.Grammar) -> None:
        require_core(core, _firth.Grammar, "Parser", "load_parser", "Parser.train()")
        self._core = core

    @classmethod
    def train(
        cls,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[str]] = None,
        encoding: str = "",
        algorithm: str = "em",
        classes: Optional[Path] = None,
        threads: int = 0,
        seed: int = 1,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
        **options: Any,
    ) -> "Parser":
        """Learns a grammar from bracketed trees in files or in `texts`.

        Parameters
        ----------
        algorithm : {"em", "cluster", "spectral", "pcfg"}
        classes : path
            Classes of words: a word that was not seen in training takes the behaviour of its class.
        **options
            states, grammars, em_steps, em_start, smooth_rules, smooth_words, state_prior, singular_cut, scale_features,
            pseudo_count, backoff, branching, horizontal, vertical, annotate_tags, annotate_between, rare, class_size, sequences: see
            docs/parsing.md. "em": checkpoint, checkpoint_seconds, resume.
        """
        source, _ = resolve(inputs, texts=texts, encoding=encoding)
        given = {"algorithm": algorithm, **options}
        if classes is not None:
            given["classes"] = os.fspath(classes)
        with Run(threads, seed, memory, progress) as run:
            return cls(_firth.Grammar.train(source, given, run))

    def parse(
        self,
        sentences: Iterable[Sequence[Token]],
        *,
        decode: str = "brackets",
        prune: float = 3e-5,
        threads: int = 0,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
    ) -> List[Parse]:
        """The tree of each sentence, whose tokens are words or pairs of word and tag. Sentences are shared among threads."""
        pairs = [[_pair(token) for token in sentence] for sentence in sentences_of(sentences)]
        with Run(threads, 1, memory, progress) as run:
            results = self._core.parse(pairs, {"decoding": decode, "prune": prune}, run)
        return [Parse(*result) for result in results]

    @property
    def info(self) -> Dict[str, int]:
        """How many symbols, states, rules and parameters there are."""
        return self._core.info()

    def save(self, path: Path) -> None:
        """Writes one file, complete or not at all."""
        self._core.save(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parser) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash(tuple(self.info.values()))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(),)

    def __copy__(self) -> "Parser":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "Parser":
        return self

    def __repr__(self) -> str:
        info = self.info
        return f"<Parser: {info['phrases']} phrases, {info['tags']} tags, {info['states']:,} states>"


def _from_bytes(data: bytes) -> Parser:
    return Parser(_firth.Grammar.from_bytes(data))


def load_parser(path: Path) -> Parser:
    """Reads a grammar."""
    return Parser(_firth.Grammar.load(path))


def score_parses(gold: Inputs, guess: Inputs, *, cutoff: int = 40, encoding: str = "") -> Dict[str, Any]:
    """PARSEVAL scores of two files of trees, as EVALB computes them."""
    return _firth.score_parses(resolve(gold, encoding=encoding)[0], resolve(guess, encoding=encoding)[0], cutoff)
