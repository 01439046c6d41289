"""What text may come from: paths, open files, iterables, columns of tables."""

from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _firth
from ._errors import FirthWarning, InputError, UsageError

Path = Union[str, "os.PathLike[str]"]
Inputs = Union[Path, Iterable[Path], Any]
_FILE_BLOCK = 1 << 18


def _is_path(value: object) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


def _blocks(file: Any) -> Iterator[Any]:
    while block := file.read(_FILE_BLOCK):
        yield block


def path_list(inputs: Any) -> List[str]:
    """The paths of `inputs`, which is a path or an iterable of paths."""
    if _is_path(inputs):
        return [os.fspath(inputs)]
    if _is_frame(inputs):
        raise UsageError(f"a table has no paths; give it as texts=, and the column with the text: {_fields(inputs)}")
    try:
        items = list(inputs)
    except TypeError:
        raise UsageError(f"cannot read from {type(inputs).__name__}; give paths, texts=, tokens= or ids=") from None
    if not all(map(_is_path, items)) or (hasattr(inputs, "__next__") and any(isinstance(item, str) for item in items)):
        raise UsageError("these are not paths; use texts= for str, tokens= for lists of words, ids= for numbers")
    return [os.fspath(item) for item in items]


def _is_pandas(value: object) -> bool:
    return type(value).__module__.startswith("pandas")


def _is_frame(value: object) -> bool:
    return _is_pandas(value) and hasattr(value, "columns")


def words_of(tokens: Any) -> Any:
    """The words of one sentence as they are; a str would fall apart into its characters."""
    if isinstance(tokens, (str, bytes)):
        raise UsageError("tokens are a list of words, not a str; firth.split_words() splits a line", field="tokens")
    return tokens


def sentences_of(sentences: Any) -> Iterator[Any]:
    """The sentences, each of which must be a list of words."""
    if isinstance(sentences, (str, bytes)):
        raise UsageError("sentences are lists of words, not a str; firth.split_words() splits a line", field="sentences")
    for number, sentence in enumerate(sentences, 1):
        if isinstance(sentence, (str, bytes)):
            what = f"sentences:{number}: item {number} is a str, not a list of words"
            hint = "a single sentence is given as [words]; firth.split_words() splits a line"
            raise InputError(f"{what}; {hint}", "sentences", number, 0, hint)
        yield sentence


def _column(texts: Any, field: Optional[str]) -> Tuple[Any, str]:
    """One column of a table, and the name of the column that is still to be taken from a stream."""
    if field is None:
        if _is_frame(texts):  # it would give the names of its columns
            raise UsageError(f"this is a table; name the column with the text: {_fields(texts)}", field="field")
        return texts, ""
    if _is_frame(texts) and field not in texts.columns:
        known = ", ".join(map(repr, texts.columns))
        raise UsageError(f"there is no column {field!r}; the table has {known}", field="field")
    if hasattr(texts, "columns") or hasattr(texts, "column_names"):
        return texts[field], ""
    return texts, field


def _fields(frame: Any) -> str:
    """What `field` may be for a table of pandas."""
    return " or ".join(f"field={name!r}" for name in frame.columns)


def _text_input(texts: Any, field: Optional[str], check_utf8: bool) -> _firth.Input:
    if _is_path(texts):
        raise UsageError("texts is an iterable of str, not a single one; use texts=[text], or inputs= for a path")
    texts, column = _column(texts, field)
    if hasattr(texts, "__arrow_c_stream__") and not _is_pandas(texts):
        return _firth.Input.arrow(texts.__arrow_c_stream__(), column, "texts")
    return _firth.Input.texts(iter(texts), "texts", check_utf8, True)


def _file_input(file: Any, encoding: str) -> _firth.Input:
    if encoding and isinstance(file.read(0), str):
        raise UsageError("this file is decoded already; give encoding to open(), or open it with 'rb'", field="encoding")
    name = getattr(file, "name", "file")
    blocks = _firth.Input.texts(iter(_blocks(file)), name if isinstance(name, str) else "file", False, False)
    return blocks.decoded(encoding)


def format_of(inputs: Optional[Inputs], format: str = "auto") -> str:
    """The format to read: "auto" goes by the names of files, and what comes from iterables is text."""
    return "text" if format == "auto" and inputs is None else format


def read_like(
    stored: Optional[Dict[str, Any]], tokens: object = None, *, lowercase: Optional[bool], tokenize: Optional[bool]
) -> Dict[str, Any]:
    """Options of text for a model: those of the text that it was made from, unless others are given; `tokens` are not split."""
    options = dict(stored or {})
    if tokens is not None:
        options.pop("tokenize", None)
    for name, value in (("lowercase", lowercase), ("tokenize", tokenize)):
        if value is None:
            continue
        if options.get(name, value) != value:
            known = f"the text of these classes or this model was read with {name}={options[name]}"
            warnings.warn(f"{known}: figures and classes may be wrong", FirthWarning, stacklevel=3)
        options[name] = value
    return options


def is_given(*sources: object) -> bool:
    """Whether one of the sources is there."""
    return any(source is not None for source in sources)


def resolve(
    inputs: Optional[Inputs] = None,
    *,
    texts: Optional[Iterable[Any]] = None,
    tokens: Optional[Iterable[Sequence[str]]] = None,
    ids: Optional[Iterable[Any]] = None,
    names: Optional[Sequence[str]] = None,
    field: Optional[str] = None,
    encoding: str = "",
    check_utf8: bool = True,
) -> Tuple[_firth.Input, List[str]]:
    """What the extension reads, and the paths among it."""
    if sum(source is not None for source in (inputs, texts, tokens, ids)) != 1:
        raise UsageError("give one of inputs (paths or an open file), texts=, tokens= and ids=")
    if names is not None and ids is None:
        raise UsageError("names are the words that ids= stand for; give ids=", field="names")
    if encoding and inputs is None:
        raise UsageError("encoding is for files: str has none, and bytes must be UTF-8", field="encoding")
    if texts is not None:
        return _text_input(texts, field, check_utf8), []
    if tokens is not None:
        return _firth.Input.tokens(iter(tokens), "tokens"), []
    if ids is not None:
        return _firth.Input.ids(iter(ids), list(names or ()), "ids"), []
    if hasattr(inputs, "read"):
        return _file_input(inputs, encoding), []
    paths = path_list(inputs)
    return _firth.Input.paths(paths).decoded(encoding), paths
