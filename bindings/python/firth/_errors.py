"""What can go wrong. Every error says what happened, where, and what to do about it."""

from __future__ import annotations

import errno
import re
import warnings
from typing import Any, Dict, Tuple, Type


class Error(Exception):
    """Root of all errors that firth raises.

    Attributes
    ----------
    path : str
        The file, or the name of what was read from memory; empty if there is neither.
    line, column : int
        The place in it, from 1; 0 = not known. For iterables `line` is the number of the item.
    hint : str
        What to do about it.
    field : str
        The option at fault; empty if it is none or several.
    """

    def __init__(
        self, message: str, path: str = "", line: int = 0, column: int = 0, hint: str = "", field: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.hint = hint
        self.field = field

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.message, self.path, self.line, self.column, self.hint, self.field), self.__dict__


class UsageError(Error, ValueError):
    """An option out of range, or options that contradict each other."""


class InputError(Error, ValueError):
    """Data that cannot be read: a broken line, an item of a wrong type, an empty text."""


class FormatError(Error, ValueError):
    """A file of firth's that is damaged, foreign or of another version."""


class IoError(Error, OSError):
    """The operating system reported an error; `errno` and `filename` say which."""


class NotFoundError(IoError, FileNotFoundError):
    """A file that does not exist."""


class ResourceError(Error, MemoryError):
    """More memory is needed than `memory` allows."""


class FirthWarning(UserWarning):
    """Something that you should know; the work goes on."""


def require_core(core: object, kind: type, name: str, loader: str, maker: str) -> None:
    """Refuses a path, or anything else, in the place of what a class holds."""
    if not isinstance(core, kind):
        raise UsageError(
            f"firth.{name} is not made from a {type(core).__name__}; firth.{loader}(path) reads one from a file, firth.{maker} makes one"
        )


_KINDS: Dict[str, Type[Error]] = {
    "usage": UsageError,
    "input": InputError,
    "format": FormatError,
    "io": IoError,
    "resource": ResourceError,
}

# Fields of the library that have another name in Python.
_FIELDS = {
    "classes": "n_classes",
    "dimensions": "dim",
    "vocab_file": "vocab",
    "checkpoint_file": "checkpoint",
    "CheckpointOptions::file": "checkpoint",
    "memory_bytes": "memory",
    "ExchangeOptions::boundaries": "line_ends",
    "AutoOptions::boundaries": "line_ends",
    "BrownOptions::boundaries": "line_ends",
}

_FUNCTIONS = {
    "name its encoding (decoded())": "name its encoding (encoding=)",
    "count_text()": "firth.count()",
    "cluster_brown()": "method='brown'",
    "build_tree()": "Clustering.with_tree()",
    "embed_words()": "firth.embed()",
    "save_counts()": "Counts.save()",
    "save_clustering()": "Clustering.save()",
    "train_class_lm()": "LanguageModel.train(classes=...)",
    "train_hmm()": "Hmm.train()",
    "train_tagger()": "Tagger.train()",
    "train_lpcfg()": "Parser.train()",
}


def _python_name(match: "re.Match[str]") -> str:
    struct, field = match.group(1), match.group(2)
    if not struct.endswith("Options"):
        return repr(field)
    return _FIELDS.get(match.group(0), _FIELDS.get(field, field))


def in_python_words(message: str) -> str:
    """A message of the library with the names that Python has."""
    for name, instead in _FUNCTIONS.items():
        message = message.replace(name, instead)
    return re.sub(r"\b([A-Z]\w+)::(\w+)", _python_name, message)


def make(
    kind: str, message: str, path: str, line: int, column: int, hint: str, field: str, error_number: int
) -> Error:
    """The exception for an error of the library; called by the extension."""
    type_ = _KINDS.get(kind, Error)
    if error_number == errno.ENOENT:
        type_ = NotFoundError
        if " " in path and not hint:
            hint = "for text instead of a path, use firth.count(texts=[...])"
            message = f"{message}; {hint}"
    error = type_(in_python_words(message), path, line, column, in_python_words(hint), in_python_words(field))
    if isinstance(error, IoError):
        error.errno = error_number
        error.filename = path
    return error


def warn(message: str) -> None:
    """Hands a warning of the library to Python; called by the extension."""
    warnings.warn(in_python_words(message), FirthWarning, stacklevel=4)
