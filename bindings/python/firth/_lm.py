"""Language models over words and over classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _firth
from ._clustering import Clustering
from ._counts import Vocab, vocab_file
from ._errors import UsageError, require_core
from ._inputs import Inputs, Path, format_of, read_like, resolve, words_of
from ._progress import ProgressOption
from ._run import MemoryOption, Run

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SPECIAL_WORDS = 3  # <unk>, <s> and </s> come first in every model


class LanguageModel:
    """p(word | words before it), over words, classes of words, or a mixture of models.

    Made by :meth:`train`, :meth:`mix` and :func:`firth.load`; safe to share among threads.

    >>> import firth
    >>> model = firth.LanguageModel.train(texts=["a cat runs", "a dog runs", "a cat sits"] * 5, order=2)
    >>> model.suggest(["a"], 1)[0][0]
    'cat'
    """

    __slots__ = ("_core",)

    def __init__(self, core: _firth.LanguageModel) -> None:
        require_core(core, _firth.LanguageModel, "LanguageModel", "load_lm", "LanguageModel.train()")
        self._core = core

    @classmethod
    def train(
        cls,
        inputs: Optional[Inputs] = None,
        *,
        classes: Optional[Clustering] = None,
        words: bool = False,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        order: int = 3,
        smoothing: str = "kneser-ney",
        emission: str = "discounted",
        sentence_ends: bool = True,
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        min_count: int = 1,
        max_vocab: int = 0,
        vocab: Vocab = None,
        threads: int = 0,
        memory: MemoryOption = None,
        progress: ProgressOption = None,
    ) -> "LanguageModel":
        """Trains a model: over classes if `classes` are given, else over words.

        Parameters
        ----------
        inputs, texts, tokens
            Text, as in :func:`firth.count` (`encoding`, too); a line is a sentence.
        classes : Clustering
            Words in classes; words without a class are `<unk>`. With `words`, a word model over their words.
        order : int
            Length of the n-grams, 1 to 6.
        smoothing : {"kneser-ney", "witten-bell", "none"}
        emission : {"discounted", "frequency"}
            How p(word | class) is estimated.
        sentence_ends : bool
            Whether sentences start with `<s>` and end with `</s>`.
        lowercase, tokenize : bool
            How the text is read; None = as that of `classes` was, or else neither.
        min_count, max_vocab, vocab
            The words of a model over words.
        """
        source, _ = resolve(inputs, texts=texts, tokens=tokens, encoding=encoding)
        alike = read_like(None if classes is None else classes.preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
        alike.pop("boundaries", None)  # a line is a sentence
        options: Dict[str, Any] = {
            "order": order,
            "smoothing": smoothing,
            "emission": emission,
            "sentence_ends": sentence_ends,
            "format": format_of(inputs),
            **alike,
        }
        restricted = min_count > 1 or max_vocab > 0 or vocab is not None
        if classes is not None and restricted:
            raise UsageError("classes and vocabulary options contradict each other; the words are those of the classes")
        with vocab_file(vocab) as file, Run(threads, 1, memory, progress) as run:
            if classes is not None and not words:
                return cls(_firth.LanguageModel.train_classes(source, classes._core, options, run))
            options.update(min_count=min_count, max_vocab=max_vocab, vocab=file)
            core = None if classes is None else classes._core
            return cls(_firth.LanguageModel.train_words(source, core, options, run))

    @classmethod
    def mix(
        cls,
        models: Sequence["LanguageModel"],
        weights: Optional[Sequence[float]] = None,
        *,
        held_out: Optional[Inputs] = None,
        texts: Optional[Iterable[Any]] = None,
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> "LanguageModel":
        """Linear interpolation, with given weights or with those that suit held-out text (`held_out` or `texts`) best.

        Held-out text is read as the text of the first model was, unless `lowercase` or `tokenize` say otherwise.
        """
        cores = [model._core for model in models]
        if weights is None:
            source, _ = resolve(held_out, texts=texts, encoding=encoding)
            with Run(threads, 1, None, progress) as run:
                alike = read_like(models[0].preprocessing, lowercase=lowercase, tokenize=tokenize)
                options = {"format": format_of(held_out), **alike}
                weights, _ = _firth.tune_weights(cores, source, options, run)
        return cls(_firth.mix_models(cores, list(weights)))

    @property
    def preprocessing(self) -> Optional[Dict[str, Any]]:
        """How the text of this model was read, as options of :func:`firth.count`; None if that is not known."""
        return self._core.preprocessing()

    @property
    def order(self) -> int:
        """Length of the n-grams."""
        return self._core.order()

    @property
    def has_classes(self) -> bool:
        """Whether it is a model over classes, and no mixture."""
        return self._core.has_classes()

    @property
    def parts(self) -> List[Dict[str, Any]]:
        """Weight, order, number of symbols and n-grams of each part; a plain model has one."""
        return self._core.parts()

    @property
    def words(self) -> List[str]:
        """All words, the special ones first."""
        return self._core.words()

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._core.knows(word)

    def class_of(self, word: str) -> str:
        """The name of a word's class, in a class model."""
        return self._core.class_name(word)

    def score(
        self,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        tokens: Optional[Iterable[Sequence[str]]] = None,
        accuracy: bool = False,
        lowercase: Optional[bool] = None,
        tokenize: Optional[bool] = None,
        encoding: str = "",
        threads: int = 0,
        progress: ProgressOption = None,
    ) -> Dict[str, Any]:
        """Perplexities and counts, as SRILM and KenLM report them; "lines" has log10 p of every line.

        Text is read as that of the model was (`preprocessing`), unless `lowercase` or `tokenize` say otherwise. With `accuracy`,
        also how often the most probable class and words are right.
        """
        source, _ = resolve(inputs, texts=texts, tokens=tokens, encoding=encoding)
        alike = read_like(self.preprocessing, tokens, lowercase=lowercase, tokenize=tokenize)
        options = {"format": format_of(inputs), "accuracy": accuracy, **alike}
        with Run(threads, 1, None, progress) as run:
            scores, lines = self._core.score(source, options, run)
        scores["lines"] = lines
        return scores

    def log10(self, tokens: Sequence[str]) -> "npt.NDArray[np.float64]":
        """log10 p of every word of a sentence and, unless the model has no ends, of `</s>`."""
        return self._core.log10(list(words_of(tokens)))

    def suggest(self, tokens: Sequence[str], n: int = 10) -> List[Tuple[str, float]]:
        """The `n` likeliest next words after the beginning of a sentence, with their probabilities."""
        return self._core.suggest(list(words_of(tokens)), n)

    def sample(self, n: int = 1, *, max_words: int = 100, seed: int = 1) -> List[List[str]]:
        """Draws `n` sentences."""
        return self._core.sample(n, max_words, seed)

    def map_text(
        self,
        path: Path,
        inputs: Optional[Inputs] = None,
        *,
        texts: Optional[Iterable[Any]] = None,
        encoding: str = "",
        threads: int = 0,
    ) -> None:
        """Writes a text with every word replaced by its class, for other tools to train on."""
        source, _ = resolve(inputs, texts=texts, encoding=encoding)
        with Run(threads, 1, None, False) as run:
            self._core.map_text(path, source, {"format": format_of(inputs)}, run)

    def save(self, path: Path) -> None:
        """Writes the model; :func:`firth.load` maps it into memory."""
        self._core.save(path)

    def save_arpa(self, path: Path, *, words: bool = False, threshold: float = 0.0) -> None:
        """Writes the n-grams as ARPA: over classes for a class model, or, with `words`, expanded to words.

        `threshold` leaves out word n-grams that change little; 0 keeps all.
        """
        if not words:
            self._core.save_arpa(path)
            return
        with Run(0, 1, None, False) as run:
            self._core.save_expanded(path, threshold, run)

    def save_classes(self, path: Path) -> None:
        """Writes the classes of a class model in SRILM's classes-format."""
        self._core.save_classes(path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LanguageModel) and self._core.to_bytes() == other._core.to_bytes()

    def __hash__(self) -> int:
        return hash((self.order, len(self.words)))

    def __reduce__(self) -> "Tuple[Any, ...]":
        return _from_bytes, (self._core.to_bytes(),)

    def __copy__(self) -> "LanguageModel":
        return self

    def __deepcopy__(self, _: Dict[int, Any]) -> "LanguageModel":
        return self

    def __repr__(self) -> str:
        kinds = " + ".join("classes" if part["classes"] else "words" for part in self.parts)
        return f"<LanguageModel: {self.order}-grams of {kinds}, {len(self.words) - _SPECIAL_WORDS:,} words>"


def _from_bytes(data: bytes) -> LanguageModel:
    return LanguageModel(_firth.LanguageModel.from_bytes(data))


def load_lm(path: Path, classes: Optional[Path] = None, progress: ProgressOption = None) -> LanguageModel:
    """Reads a model of firth or an ARPA file, over classes if `classes` names their file in SRILM's format."""
    with Run(0, 1, None, progress) as run:
        return LanguageModel(_firth.LanguageModel.load(path, "" if classes is None else str(classes), run))
